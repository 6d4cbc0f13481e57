package io.keyward.core.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.turn.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConditionReporterTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                           | wanted | runs          | keys          | status | reason               | message
          never on                         | id     | -             | -             | False  |                      |
          on, no key yet                   | aes    | -             | -             | False  | EncryptionDisabled   | Encryption is not enabled
          not written yet                  | aes    | w- r1         | 1:aes         | False  | EncryptionInProgress | Resource configmaps is not encrypted
          being written                    | aes    | w1 r1         | 1:aes         | False  | EncryptionInProgress | Resource configmaps is being encrypted
          all encrypted                    | aes    | w1 r1         | 1:aes+        | True   | EncryptionCompleted  | All resources encrypted: configmaps, secrets
          a rotation leaves it encrypted   | aes    | w2 r2,1       | 2:aes 1:aes+  | True   | EncryptionCompleted  | All resources encrypted: configmaps, secrets
          after plaintext                  | aes    | w3 r3,2       | 3:aes 2:id+   | False  | EncryptionInProgress | Encryption is ongoing
          off, not finished                | id     | w2 r2,1       | 2:id 1:aes+   | False  | DecryptionInProgress | Encryption mode set to identity and decryption is not finished
          off                              | id     | w2 r2,1       | 2:id+ 1:aes+  | False  | DecryptionCompleted  | Encryption mode set to identity and everything is decrypted
          a resource is new                | aes    | secrets:w1 r1 | 1:aes?        | False  | EncryptionInProgress | Resource configmaps is not encrypted
          """)
  void saysWhetherDataIsEncrypted(
      String name,
      String wanted,
      String runs,
      String keys,
      String status,
      String reason,
      String message) {
    var seen = new Notation().wanted(wanted).keys(keys).rollout(runs).published("=").state();
    Condition said = condition(seen, "Encrypted");
    assertThat(said.status().word()).as(name).isEqualTo(status);
    assertThat(said.reason()).isEqualTo(reason == null ? "" : reason);
    assertThat(said.message()).isEqualTo(message == null ? "" : message);
  }

  @Test
  void theTypesAndTheirOrderAreFixed() {
    var seen = new Notation().wanted("aes").rollout("-").state();
    assertThat(Turn.plan(seen).conditions().stream().map(Condition::type))
        .containsExactly(
            "EncryptionKeyControllerDegraded",
            "EncryptionStateControllerDegraded",
            "EncryptionPruneControllerDegraded",
            "EncryptionMigrationControllerDegraded",
            "EncryptionMigrationControllerProgressing",
            "EncryptionKMSPreflightControllerDegraded",
            "EncryptionKMSPreflightControllerProgressing",
            "KMSPluginsDegraded",
            "EncryptionKEKRotationProgressing",
            "KmsHealthReportsProgressing",
            "KmsHealthReportsDegraded",
            "KMSKeyAtRisk",
            "KMSDecommissionable",
            "EncryptionUpgradeable",
            "EncryptionWaiting",
            "Encrypted");
  }

  /// W9: reports that do not agree for an hour need an administrator.
  @Test
  void w9ReportsThatDoNotConvergeDegradeAfterAnHour() {
    var silent = new Notation().wanted("kmsA").keys("1:kmsA+").rollout("w1 r1").published("=");
    for (int minutes : List.of(59, 60)) {
      ObservedState seen = silent.state();
      var since =
          new Condition(
              "KmsHealthReportsProgressing",
              Condition.Status.TRUE,
              "HealthReportsNotConverged",
              "",
              Notation.NOW.minus(Duration.ofMinutes(minutes)));
      Condition said =
          condition(
              new ObservedState(
                  seen.at(),
                  seen.component(),
                  seen.wanted(),
                  seen.stored(),
                  seen.rollout(),
                  seen.activity(),
                  List.of(since),
                  seen.settings()),
              "KmsHealthReportsDegraded");
      assertThat(said.status())
          .isEqualTo(minutes < 60 ? Condition.Status.FALSE : Condition.Status.TRUE);
    }
  }

  @Test
  void aMigrationIsToldAsOthersTellIt() {
    var seen = new Notation().wanted("aes").keys("1:aes").rollout("w1 r1").published("=").state();
    Condition said = condition(seen, "EncryptionMigrationControllerProgressing");
    assertThat(said.reason()).isEqualTo("Migrating");
    assertThat(said.message())
        .isEqualTo("migrating resources to a new write key: [core/configmaps core/secrets]");
  }

  @Test
  void aFailureOfTheTurnBeforeDegrades() {
    var seen = new Notation().wanted("aes").rollout("-").state();
    assertThat(
            Turn.plan(seen, Map.of("layout", "conflict")).conditions().stream()
                .filter(c -> c.type().equals("EncryptionStateControllerDegraded"))
                .map(Condition::reason))
        .containsExactly("Error");
  }

  @Test
  void kmsInUseForbidsTheWayBack() {
    var kms = new Notation().wanted("kmsA").keys("1:kmsA+").rollout("w1 r1").published("=").state();
    assertThat(condition(kms, "EncryptionUpgradeable").status()).isEqualTo(Condition.Status.FALSE);
    var aes = new Notation().wanted("aes").keys("1:aes+").rollout("w1 r1").published("=").state();
    assertThat(condition(aes, "EncryptionUpgradeable").status()).isEqualTo(Condition.Status.TRUE);
  }

  @Test
  void w8SaysWhenAKmsCanBeSwitchedOffAndWarnsOfBackups() {
    var still =
        new Notation().wanted("id").keys("2:id+ 1:kmsA+").rollout("w2 r2,1").published("=").state();
    assertThat(condition(still, "KMSDecommissionable").reason()).isEqualTo("StillConfigured");
    var free =
        new Notation()
            .wanted("id")
            .keys("2:id+P8D 1:kmsA+")
            .rollout("w2 r2")
            .published("=")
            .state();
    Condition said = condition(free, "KMSDecommissionable");
    assertThat(said.reason()).isEqualTo("NoLongerConfigured");
    assertThat(said.message()).contains("backups");
  }

  @Test
  void aWaitKeepsItsTime() {
    var seen = new Notation().wanted("aes").keys("1:aes").rollout("rolling").state();
    var first = condition(seen, "EncryptionWaiting");
    var old =
        new Condition(
            first.type(),
            first.status(),
            first.reason(),
            "older words",
            Notation.NOW.minusSeconds(600));
    var later =
        new ObservedState(
            seen.at(),
            seen.component(),
            seen.wanted(),
            seen.stored(),
            seen.rollout(),
            seen.activity(),
            List.of(old),
            seen.settings());
    assertThat(condition(later, "EncryptionWaiting").since())
        .isEqualTo(Notation.NOW.minusSeconds(600));
  }

  private static Condition condition(ObservedState seen, String type) {
    return Turn.plan(seen).conditions().stream()
        .filter(condition -> condition.type().equals(type))
        .findFirst()
        .orElseThrow();
  }
}
