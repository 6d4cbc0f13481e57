package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TransitBatchTest {
  /// `e` encrypts, `d` decrypts, `!` behind it means by itself.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                     | waiting     | next
          nobody waits                               | ''          | ''
          one goes by itself                         | e           | 0
          all that ask for the same                  | e e e       | 0 1 2
          the first decides                          | d e d e d   | 0 2 4
          one that must go by itself goes by itself  | e! e e      | 0
          and nobody takes it along                  | e e! e d!   | 0 2
          two of those do not share a request either | d! d!       | 0
          """)
  void goTogether(String name, String waiting, String next) {
    List<TransitItem> items =
        Stream.of(waiting.split(" ", -1)).filter(word -> !word.isEmpty()).map(this::item).toList();
    String places =
        String.join(" ", TransitBatch.next(items).stream().map(String::valueOf).toList());
    assertThat(places).isEqualTo(next);
  }

  private TransitItem item(String word) {
    var item = TransitItem.of(word.substring(0, 1), "{}".getBytes(UTF_8));
    return word.endsWith("!") ? item.byItself() : item;
  }

  @Test
  void aRequestIsBounded() {
    assertThat(TransitBatch.next(Collections.nCopies(1000, item("e")))).hasSize(16);
  }

  @Test
  void oneByItselfIsNoBatch() {
    assertThat(new String(TransitBatch.body(List.of(of("{\"a\":1}"))), UTF_8))
        .isEqualTo("{\"a\":1}");
  }

  @Test
  void severalAreAList() {
    var body = TransitBatch.body(List.of(of("{\"a\":1}"), of("{\"b\":2}")));
    assertThat(new String(body, UTF_8)).isEqualTo("{\"batch_input\":[{\"a\":1},{\"b\":2}]}");
  }

  private static TransitItem of(String json) {
    return TransitItem.of("p", json.getBytes(UTF_8));
  }

  /// What two items of one request get: `ok` its own good answer, `alone` ask again by itself, a
  /// number the status of the whole.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                           | status | body                                                       | each
          both are good                    | 200    | {"data":{"batch_results":[{"x":"1"},{"x":"2"}]}}           | ok 1, ok 2
          one is bad                       | 400    | {"data":{"batch_results":[{"x":"1"},{"error":"no"}]}}      | ok 1, alone
          the server fails for one         | 500    | {"data":{"batch_results":[{"error":"no"},{"x":"2"}]}}      | alone, ok 2
          an answer is missing             | 200    | {"data":{"batch_results":[{"x":"1"}]}}                     | alone, alone
          an answer too many               | 200    | {"data":{"batch_results":[{"x":"1"},{"x":"2"},{"x":"3"}]}} | alone, alone
          an answer is no object           | 200    | {"data":{"batch_results":[{"x":"1"},"x"]}}                 | alone, alone
          nothing at all                   | 200    | {}                                                         | alone, alone
          a policy that forbids batches    | 403    | {"errors":["permission denied"]}                           | alone, alone
          a proxy that wants smaller ones  | 413    | {}                                                         | alone, alone
          a bad request                    | 400    | {"errors":["no"]}                                          | alone, alone
          too many requests                | 429    | {"errors":["no"]}                                          | 429, 429
          sealed                           | 503    | {"errors":["Vault is sealed"]}                             | 503, 503
          another server is the active one | 307    | {}                                                         | 307, 307
          """)
  void means(String name, int status, String body, String each) {
    var whole = new Answer(status, VaultJson.parse(body.getBytes(UTF_8)).orElseThrow());
    List<String> shown =
        TransitBatch.answers(whole, 2).stream().map(TransitBatchTest::show).toList();
    assertThat(String.join(", ", shown)).isEqualTo(each);
  }

  private static String show(Optional<Answer> answer) {
    return answer
        .map(it -> it.isOk() ? "ok " + it.data().text("x") : Integer.toString(it.status()))
        .orElse("alone");
  }
}
