package io.keyward.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State.Failed;
import io.keyward.core.model.MigrationStatus.State.Running;
import io.keyward.core.model.MigrationStatus.State.Succeeded;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.key.KeySerial;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `configmaps` is taken off the list, or comes back.
final class LeavingResourceTest {
  @ParameterizedTest(name = "W7: {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                              | listed             | runs                                  | written                             | keys          | migration of configmaps | decision
          it is written in plaintext          | secrets            | w1 r1                                 | =                                   | 1:aes?        | -                       | promote configmaps: w- r1; secrets: w1 r1
          its keys stay while it is encrypted | secrets            | configmaps: w- r1; secrets: w1 r1     | =                                   | 1:aes?        | -                       | in sync
          also while it is being decrypted    | secrets            | configmaps: w- r1; secrets: w1 r1     | =                                   | 1:aes?        | plaintext running       | in sync
          also when that failed               | secrets            | configmaps: w- r1; secrets: w1 r1     | =                                   | 1:aes?        | plaintext failed        | in sync
          instances restarted meanwhile       | secrets            | configmaps: w- r1; secrets: w1 r1     | =                                   | 1:aes?        | plaintext elsewhere     | in sync
          another migration proves nothing    | secrets            | configmaps: w- r1; secrets: w1 r1     | =                                   | 1:aes?        | key done                | in sync
          written away too early              | secrets            | configmaps: w- r1; secrets: w1 r1     | secrets: w1 r1                      | 1:aes?        | -                       | republish configmaps: w- r1; secrets: w1 r1
          written without a key it needs      | secrets            | configmaps: w- r2,1; secrets: w2 r2,1 | configmaps: w- r2; secrets: w2 r2,1 | 2:aes? 1:aes? | -                       | republish configmaps: w- r2,1; secrets: w2 r2,1
          it is decrypted and leaves          | secrets            | configmaps: w- r1; secrets: w1 r1     | =                                   | 1:aes?        | plaintext done          | drop secrets: w1 r1 without -
          it left in what is written          | secrets            | configmaps: w- r1; secrets: w1 r1     | secrets: w1 r1                      | 1:aes?        | plaintext done          | wait PUBLISHED
          a next key goes on meanwhile        | secrets            | configmaps: w- r1; secrets: w1 r1     | =                                   | 2:aes 1:aes?  | -                       | add configmaps: w- r1; secrets: w1 r2,1
          a key that was withdrawn leaves     | secrets            | configmaps: w- r2,1; secrets: w1 r2,1 | configmaps: w- r1; secrets: w1 r1   | 2:kmsA/ 1:aes? | -                      | wait PUBLISHED
          it leaves before the next key comes | secrets            | configmaps: w- r2,1; secrets: w1 r2,1 | configmaps: w- r1; secrets: w1 r1   | 3:gcm 2:kmsA/ 1:aes? | -                | wait PUBLISHED
          it comes back                       | configmaps,secrets | configmaps: w- r1; secrets: w1 r1     | =                                   | 1:aes?        | plaintext done          | promote w1 r1
          it comes back before that ran       | configmaps,secrets | configmaps: w- r1; secrets: w1 r1     | secrets: w1 r1                      | 1:aes?        | plaintext done          | republish configmaps: w- r1; secrets: w1 r1
          all configurations are gone         | secrets            | -                                     | -                                   | 2:aes 1:aes+  | -                       | rebuild configmaps: w- r2,1; secrets: w2 r2,1
          """)
  void decides(
      String name,
      String listed,
      String runs,
      String written,
      String keys,
      String migration,
      String decision) {
    var notation =
        new Notation().wanted("aes", "", listed).keys(keys).rollout(runs).published(written);
    if (!migration.equals("-")) {
      notation.migrations(List.of(migration(migration)));
    }
    assertThat(LayoutDeciderTest.show(LayoutDecider.decide(notation.state())))
        .as(name)
        .isEqualTo(decision);
  }

  private static MigrationStatus migration(String text) {
    return new MigrationStatus(
        Notation.CONFIGMAPS,
        text.startsWith("key")
            ? MigrationTarget.under(new KeySerial(1), Optional.empty())
            : MigrationTarget.plaintext(),
        text.endsWith("elsewhere") ? "others" : Notation.WITNESS,
        1,
        text.endsWith("running")
            ? new Running()
            : text.endsWith("failed")
                ? new Failed(Notation.NOW, "x")
                : new Succeeded(Notation.NOW));
  }
}
