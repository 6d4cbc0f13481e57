package io.keyward.core.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RemovalDeciderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                | wanted | runs        | written | keys          | blocker
          encryption was never on               | id     | -           | -       | -             | -
          encryption is requested               | aes    | w1 r1       | =       | 1:aes+        | encrypts data with aescbc
          identity is requested, no key yet     | id     | w1 r1       | =       | 1:aes+        | may still be encrypted with key 1
          the identity key is not migrated      | id     | w2 r2,1     | =       | 2:id 1:aes+   | may still be encrypted with key 1
          some resources are migrated           | id     | w2 r2,1     | =       | 2:id? 1:aes+  | may still be encrypted with key 1
          everything is decrypted               | id     | w2 r2,1     | =       | 2:id+ 1:aes+  | -
          a rollout is in progress              | id     | rolling     | w2 r2   | 2:id+ 1:aes+  | rollout
          the identity key is damaged           | id     | w1 r1       | =       | 2:id~ 1:aes+  | may still be encrypted with key 1
          """)
  void isBlockedByDataThatNeedsAKey(
      String name, String wanted, String runs, String written, String keys, String blocker) {
    var seen = new Notation().wanted(wanted).keys(keys).rollout(runs).published(written).state();
    if (blocker.equals("-")) {
      assertThat(RemovalDecider.blocker(seen)).as(name).isEmpty();
    } else {
      assertThat(RemovalDecider.blocker(seen))
          .as(name)
          .hasValueSatisfying(found -> {
            assertThat(found.words()).contains(blocker, "run this again");
            assertThat(found.passes()).isEqualTo(blocker.equals("rollout"));
          });
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                   | request | kubeadm | operator | underway
          nothing was removed yet                  | true    | true    | true     | false
          it was interrupted before the nodes      | true    | false   | false    | false
          it was interrupted after the nodes       | false   | false   | false    | true
          somebody deleted the request by hand     | false   | true    | true     | false
          also before kubeadm was told             | false   | false   | true     | false
          and the operator                         | false   | true    | false    | false
          """)
  void aRemovalThatCleanedTheNodesContinues(
      String name, boolean request, boolean kubeadm, boolean operator, boolean underway) {
    assertThat(RemovalDecider.isUnderway(request, kubeadm, operator)).as(name).isEqualTo(underway);
  }
}
