package io.keyward.core.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.model.Condition;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.turn.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every condition, with a case in which it says something. What else goes on is a failure of the
/// turn before (`failed layout`), a migration of `secrets` (`migration failed`), a preflight (`run
/// kmsA`), or reports of both nodes (`report status KEK age`, where age is how long it is so).
final class ConditionCatalogueTest {
  @ParameterizedTest(name = "{0} {7}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # condition                                 | wanted | runs    | written | keys             | what else goes on             | status  | reason
          EncryptionKeyControllerDegraded             | aes    | w1 r1   | =       | 1:aes+           | -                             | False   |
          EncryptionKeyControllerDegraded             | aes    | w1 r1   | =       | 1:aes+           | failed key                    | True    | Error
          EncryptionKeyControllerDegraded             | kmsA   | -       | -       | -                | preflight failed kmsA         | True    | Error
          EncryptionKeyControllerDegraded             | aes    | existing | -      | -                | -                             | True    | Error
          EncryptionKeyControllerDegraded             | aes    | unknown | w1 r1   | 1:aes+           | -                             | True    | Error
          EncryptionKeyControllerDegraded             | id     | unknown | -       | -                | -                             | True    | Error
          EncryptionStateControllerDegraded           | aes    | w1 r1   | =       | 1:aes+           | failed layout                 | True    | Error
          EncryptionPruneControllerDegraded           | aes    | w1 r1   | =       | 1:aes+           | failed prune                  | True    | Error
          EncryptionMigrationControllerDegraded       | aes    | w1 r1   | =       | 1:aes            | failed migration              | True    | Error
          EncryptionMigrationControllerDegraded       | aes    | w1 r1   | =       | 1:aes            | migration failed              | True    | Error
          EncryptionMigrationControllerProgressing    | aes    | w1 r1   | =       | 1:aes            | -                             | True    | Migrating
          EncryptionMigrationControllerProgressing    | aes    | w1 r1   | =       | 1:aes+           | -                             | False   |
          EncryptionKMSPreflightControllerDegraded    | kmsA   | -       | -       | -                | failed preflight              | True    | Error
          EncryptionKMSPreflightControllerDegraded    | kmsA   | -       | -       | -                | preflight failed kmsA         | True    | PreflightCheckFailed
          EncryptionKMSPreflightControllerDegraded    | aes    | w2 r2,1 | =       | 2:aes+ 1:kmsA+   | missing 1                     | True    | ReferenceMissing
          EncryptionKMSPreflightControllerDegraded    | aes    | w2 r2,1 | =       | 2:aes+ 1:kmsA+   | outdated 1                    | True    | PreflightCheckFailed
          EncryptionKMSPreflightControllerDegraded    | aes    | w2 r2   | =       | 2:aes+ 1:kmsA+   | missing 1                     | False   |
          EncryptionKMSPreflightControllerProgressing | kmsA   | -       | -       | -                | -                             | True    | RunningPreflightCheck
          EncryptionKMSPreflightControllerProgressing | kmsA   | -       | -       | -                | run kmsA                      | True    | RunningPreflightCheck
          EncryptionKMSPreflightControllerProgressing | kmsA   | -       | -       | -                | preflight passed kmsA         | False   |
          KMSPluginsDegraded                          | kmsA   | w1 r1   | =       | 1:kmsA+          | report HEALTHY A PT1H         | False   | AsExpected
          KMSPluginsDegraded                          | kmsA   | w1 r1   | =       | 1:kmsA+          | report ERROR A PT1H           | True    | PluginsUnhealthy
          KMSPluginsDegraded                          | kmsA   | w1 r1   | =       | 1:kmsA+          | old report                    | Unknown | StaleReports
          KMSPluginsDegraded                          | kmsA   | w1 r1   | =       | 1:kmsA+          | -                             | Unknown | NotYetObserved
          EncryptionKEKRotationProgressing            | kmsA   | w1 r1   | =       | 1:kmsA+          | report HEALTHY A PT1H         | True    | MigratingToKEK
          EncryptionKEKRotationProgressing            | kmsA   | w1 r1   | =       | 1:kmsA+          | report HEALTHY A PT1M         | True    | KEKSettling
          EncryptionKEKRotationProgressing            | kmsA   | w1 r1   | =       | 1:kmsA+          | different reports             | True    | KEKsDiffer
          EncryptionKEKRotationProgressing            | kmsA   | w1 r1   | =       | 1:kmsA+          | -                             | Unknown | NodesSilent
          EncryptionKEKRotationProgressing            | aes    | w1 r1   | =       | 1:aes+           | -                             | False   |
          KmsHealthReportsProgressing                 | kmsA   | w1 r1   | =       | 1:kmsA+          | different reports             | True    | HealthReportsNotConverged
          KmsHealthReportsProgressing                 | kmsA   | w1 r1   | =       | 1:kmsA+          | report HEALTHY A PT1H         | False   |
          KmsHealthReportsDegraded                    | kmsA   | w1 r1   | =       | 1:kmsA+          | different reports             | False   |
          KMSKeyAtRisk                                | kmsA   | w1 r1   | =       | 1:kmsA+          | report HEALTHY A PT1H         | False   | AsExpected
          KMSKeyAtRisk                                | kmsA   | w1 r1   | =       | 1:kmsA+          | warning report                | True    | KMSReportsRisk
          KMSKeyAtRisk                                | aes    | w1 r1   | =       | 1:aes+           | -                             | False   |
          KMSDecommissionable                         | aes    | w2 r2,1 | =       | 2:aes+ 1:kmsA+   | -                             | False   | StillConfigured
          KMSDecommissionable                         | aes    | w2 r2   | =       | 2:aes+P8D 1:kmsA+ | -                            | True    | NoLongerConfigured
          KMSDecommissionable                         | aes    | w2 r2   | w2 r2,1 | 2:aes+P8D 1:kmsA+ | -                            | False   | StillConfigured
          KMSDecommissionable                         | aes    | rolling | w2 r2,1 | 2:aes+P8D 1:kmsA+ | -                            | False   | StillConfigured
          KMSDecommissionable                         | aes    | rolling | w2 r2   | 2:aes+P8D 1:kmsA+ | -                            | Unknown | NotYetKnown
          KMSDecommissionable                         | aes    | stuck   | w2 r2   | 2:aes+P8D 1:kmsA+ | -                            | Unknown | NotYetKnown
          KMSDecommissionable                         | aes    | unknown | w2 r2   | 2:aes+P8D 1:kmsA+ | -                            | Unknown | NotYetKnown
          KMSDecommissionable                         | aes    | w2 r2   | =       | 2:aes+P8D 1:kmsA+ | unreachable b                | Unknown | NotYetKnown
          KMSDecommissionable                         | aes    | rolling | w1 r1   | 1:aes+            | -                            | False   |
          EncryptionUpgradeable                       | kmsA   | w1 r1   | =       | 1:kmsA+          | -                             | False   | KMSActive
          EncryptionUpgradeable                       | aes    | w1 r1   | =       | 1:aes+           | -                             | True    | AsExpected
          EncryptionUpgradeable                       | kmsA   | rolling | w1 r1   | 1:kmsA+          | -                             | False   | KMSActive
          EncryptionUpgradeable                       | aes    | rolling | w2 r2   | 2:aes+ 1:kmsA+   | -                             | False   | KMSActive
          EncryptionUpgradeable                       | aes    | w1 r1   | w1 r2,1 | 2:kmsA 1:aes+    | -                             | False   | KMSActive
          EncryptionUpgradeable                       | aes    | w2 r2   | =       | 2:aes+ 1:kmsA+   | -                             | True    | AsExpected
          EncryptionUpgradeable                       | aes    | rolling | w1 r1   | 1:aes+           | -                             | Unknown | NotYetKnown
          EncryptionUpgradeable                       | aes    | stuck   | w1 r1   | 1:aes+           | -                             | Unknown | NotYetKnown
          EncryptionUpgradeable                       | aes    | unknown | w1 r1   | 1:aes+           | -                             | Unknown | NotYetKnown
          EncryptionUpgradeable                       | id     | existing | -      | -                | -                             | Unknown | NotYetKnown
          EncryptionUpgradeable                       | aes    | w1 r1   | =       | 1:aes+           | unreachable b                 | Unknown | NotYetKnown
          EncryptionUpgradeable                       | id     | rolling | -       | -                | -                             | True    | AsExpected
          EncryptionWaiting                           | aes    | rolling | -       | -                | -                             | True    | WaitingForRollout
          EncryptionWaiting                           | aes    | w1 r1   | w1 r2,1 | 2:aes 1:aes+     | -                             | True    | WaitingForNewRevision
          EncryptionWaiting                           | gcm    | w1 r1   | =       | 1:aes            | -                             | True    | WaitingForMigration
          EncryptionWaiting                           | kmsA   | -       | -       | -                | -                             | True    | WaitingForPreflight
          EncryptionWaiting                           | gcm    | w3 r4,3,2,1 | =   | 3:aes+ 2:aes+ 1:aes+ 4:id | -                    | True    | WaitingForNextKey
          EncryptionWaiting                           | aes    | -       | -       | 2:aes+ 1:aes+    | -                             | True    | WaitingForMigrationRecord
          EncryptionWaiting                           | kmsA   | w- r1   | =       | 1:kmsA           | report ERROR A PT1H           | True    | WaitingForKMSPlugin
          EncryptionWaiting                           | kmsA   | w2 r2,1 | =       | 2:kmsA! 1:aes+   | -                             | True    | WaitingForKeySecret
          EncryptionWaiting                           | aes    | existing | -      | -                | -                             | True    | ExistingEncryption
          EncryptionWaiting                           | aes    | unknown | w1 r1   | 1:aes+           | -                             | True    | UnknownRevision
          EncryptionWaiting                           | id     | existing | -      | -                | -                             | False   |
          EncryptionWaiting                           | aes    | w1 r1   | =       | 1:aes+           | -                             | False   |
          """)
  void says(
      String type,
      String wanted,
      String runs,
      String written,
      String keys,
      String other,
      String status,
      String reason) {
    Condition said = condition(type, wanted, runs, written, keys, other);
    assertThat(said.status().word()).isEqualTo(status);
    assertThat(said.reason()).isEqualTo(reason == null ? "" : reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2:aes+P8D 1:kmsA+          | w2 r2 | no instance needs KMS:1; backups made before still need it to be restored
          2:kmsA/ 1:aes+             | w1 r1 | no instance needs KMS:2; nothing was written with it
          3:kmsB/ 2:aes+P8D 1:kmsA+  | w2 r2 | no instance needs KMS:3, KMS:1; backups made before still need KMS:1 to be restored
          """)
  void w8AKmsThatMayGoIsAnnouncedWithAWarningAboutBackups(String keys, String runs, String words) {
    assertThat(condition("KMSDecommissionable", "aes", runs, "=", keys, "-").message())
        .isEqualTo(words);
  }

  @Test
  void w9HealthIsRolledUp() {
    assertThat(
            condition("KMSPluginsDegraded", "kmsA", "w1 r1", "=", "1:kmsA+", "report ERROR A PT1H")
                .message())
        .isEqualTo("not healthy: key 1 on a, key 1 on b");
  }

  @Test
  void w15AWishThatWaitsSaysOnWhatAndWhatEndsIt() {
    Condition said = condition("EncryptionWaiting", "gcm", "w1 r1", "=", "1:aes", "-");
    assertThat(said.message())
        .isEqualTo(
            "the next key waits: key 1 is not migrated for [configmaps, secrets]; this ends when all"
                + " resources are rewritten under the newest key");
    assertThat(said.since()).isEqualTo(Notation.NOW);
  }

  private static Condition condition(
      String type, String wanted, String runs, String written, String keys, String other) {
    var notation = new Notation().wanted(wanted).keys(keys).rollout(runs).published(written);
    String[] words = other.split(" ", -1);
    Map<String, String> failures = Map.of();
    switch (words[0]) {
      case "unreachable" -> notation.unreachable(words[1]);
      case "failed" -> failures = Map.of(words[1], "conflict");
      case "preflight" -> notation.preflight(words[1] + " " + words[2]);
      case "run" -> notation.preflight(running(Notation.kms(words[1]).config()));
      case "migration" -> notation.migrations(List.of(failed()));
      case "report" -> notation.reports(reports(words[1], words[2], words[2], words[3], "PT1S"));
      case "different" -> notation.reports(reports("HEALTHY", "A", "B", "PT1H", "PT1S"));
      case "missing" -> notation.references(words[1] + ":missing");
      case "outdated" -> notation.references(words[1] + ":kmsA2").preflight("failed kmsA2");
      case "warning" ->
          notation.reports(
              reports("HEALTHY", "A", "A", "PT1H", "PT1S").stream()
                  .map(one -> one.warning(List.of("the KMS reports that the key is disabled")))
                  .toList());
      case "old" -> notation.reports(reports("HEALTHY", "A", "A", "PT1H", "PT1H"));
      default -> {}
    }
    return Turn.plan(notation.state(), failures).conditions().stream()
        .filter(said -> said.type().equals(type))
        .findFirst()
        .orElseThrow();
  }

  private static PreflightState running(Fingerprint config) {
    var run =
        new PreflightState.Run(
            Optional.of(config),
            PreflightState.Phase.RUNNING,
            Optional.of(Notation.NOW),
            Optional.empty(),
            Optional.empty());
    return new PreflightState(Optional.of(config), Optional.empty(), Optional.of(run));
  }

  private static MigrationStatus failed() {
    return new MigrationStatus(
        Notation.SECRETS,
        MigrationTarget.under(new KeySerial(1), Optional.empty()),
        Notation.WITNESS,
        1,
        new MigrationStatus.State.Failed(Notation.NOW, "etcd is full"));
  }

  private static List<HealthReport> reports(
      String status, String a, String b, String since, String checked) {
    var reports = new ArrayList<HealthReport>();
    Instant from = Notation.NOW.minus(Duration.parse(since));
    for (String node : List.of("a", "b")) {
      reports.add(
          new HealthReport(
              node,
              new KeySerial(1),
              HealthReport.Status.valueOf(status),
              Notation.NOW.minus(Duration.parse(checked)),
              Optional.of(new KekId(node.equals("a") ? a : b)),
              Optional.of(from),
              Optional.of(from),
              ""));
    }
    return reports;
  }
}
