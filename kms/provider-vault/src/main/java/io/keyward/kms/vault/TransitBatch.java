package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which items share a request, what it says, and what its answer means for each. Pure.
final class TransitBatch {
  /// Enough to make the request cheap for each of them; few enough for a short answer.
  static final int MOST = 16;

  private static final byte[] BEGIN = "{\"batch_input\":[".getBytes(US_ASCII);
  private static final byte[] END = "]}".getBytes(US_ASCII);

  private TransitBatch() {}

  /// Who of those that wait goes next, by place: the first, and those of the others that ask for
  /// the same and may share its request. The others keep their order; each is the first one day.
  static List<Integer> next(List<TransitItem> waiting) {
    var together = new ArrayList<Integer>(MOST);
    for (int i = 0; i < waiting.size() && together.size() < MOST; i++) {
      if (i == 0 || together(waiting.getFirst(), waiting.get(i))) {
        together.add(i);
      }
    }
    return together;
  }

  private static boolean together(TransitItem first, TransitItem other) {
    return !first.isAlone() && !other.isAlone() && first.path().equals(other.path());
  }

  /// The body for all of them. One by itself looks as if there were no batches.
  static byte[] body(List<TransitItem> items) {
    if (items.size() == 1) {
      return items.getFirst().json().clone();
    }
    int length = BEGIN.length + END.length + items.size() - 1;
    for (TransitItem item : items) {
      length += item.json().length;
    }
    var out = ByteBuffer.allocate(length).put(BEGIN);
    for (int i = 0; i < items.size(); i++) {
      if (i > 0) {
        out.put((byte) ',');
      }
      out.put(items.get(i).json());
    }
    return out.put(END).array();
  }

  /// What the answer to a request with `count` items means for each; empty for one that must ask by
  /// itself. A batch has one status for all, so it does not tell why an item of it failed; and it
  /// may be refused only because it is one.
  static List<Optional<Answer>> answers(Answer whole, int count) {
    if (count == 1) {
      return List.of(Optional.of(whole));
    }
    List<VaultJson> results = whole.data().objects("batch_results");
    if (results.size() == count) {
      var answers = new ArrayList<Optional<Answer>>(count);
      for (VaultJson result : results) {
        answers.add(good(result));
      }
      return answers;
    }
    Optional<Answer> each = blamesTheServer(whole) ? Optional.of(whole) : Optional.empty();
    return Collections.nCopies(count, each);
  }

  private static Optional<Answer> good(VaultJson result) {
    return result.text("error").isEmpty()
        ? Optional.of(new Answer(Answer.OK, new VaultJson(Map.of("data", result))))
        : Optional.empty();
  }

  /// Then asking again, one by one, would only add to its trouble.
  private static boolean blamesTheServer(Answer answer) {
    return switch (answer.status()) {
      case Answer.OK, Answer.NO_CONTENT -> false;
      case Answer.BAD_REQUEST, Answer.FORBIDDEN, Answer.NOT_FOUND, 405, 413 -> false;
      default -> true;
    };
  }
}
