package io.keyward.kube.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.EncryptionStatusCodec;
import io.keyward.core.health.HealthDecider;
import io.keyward.core.health.HealthDecision;
import io.keyward.core.health.ReportHistory;
import io.keyward.core.migration.MigrationDecider;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Activity;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.kms.ReferenceData;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.rotation.RotationDecider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// An operator that was started a moment ago sees in the reports what the one before it saw. Each
/// look here is the first one of its operator.
public final class OperatorRestartTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:10Z");
  private static final Resource SECRETS = new Resource("", "secrets");

  private static Key key(Migrated migrated) {
    var kms =
        new KmsKey(
            KmsEndpoint.of(KeySerial.FIRST),
            Optional.empty(),
            ReferenceData.NONE,
            ReferenceData.NONE);
    return new Key(
        KeySerial.FIRST, Mode.KMS, Key.NULL_MATERIAL, true, Optional.of(kms), migrated, "", "");
  }

  /// One look at one node's report by an operator that saw nothing before.
  private static ObservedState look(
      String report, Key key, SortedMap<Resource, MigrationStatus> migrations, Instant now) {
    var stacks = new TreeMap<Resource, KeyStack>();
    stacks.put(
        SECRETS,
        new KeyStack(
            Optional.of(key.serial()), List.of(new KeyStack.Slot(key, key.serial() + "_secrets"))));
    var layout = Optional.of(new EncryptionLayout(stacks));
    var reports = EncryptionStatusCodec.decode("{\"healthReports\":[" + report + "]}").reports();
    return new ObservedState(
        now,
        "kube-apiserver",
        RequestedEncryption.plain(Mode.KMS, List.of(SECRETS)),
        new Stored(List.of(key), List.of(), layout),
        new Rollout.Converged(1, layout, "a@1", new TreeSet<>(List.of("a"))),
        new Activity(
            migrations,
            PreflightState.NONE,
            ReportHistory.EMPTY
                .after(reports, new ReportHistory.Look(now, Duration.ZERO))
                .complete(reports),
            Optional.empty()),
        List.of(),
        Settings.DEFAULT);
  }

  private static MigrationDecision decide(ObservedState seen) {
    return MigrationDecider.decide(
        seen, true, RotationDecider.sight(seen, RotationDecider.decide(seen)));
  }

  private static String report(String status, String checked, String more) {
    return """
    {"nodeName":"a","keyID":"1","status":"%s","lastCheckedTime":"%s","remoteKeyID":"A",
     "statusSince":"2026-01-02T03:00:00Z"%s}
    """
        .formatted(status, checked, more);
  }

  private static final String SINCE = ",\"remoteKeyIDSince\":\"2026-01-02T02:00:00Z\"";

  @Test
  void aMigrationUnderAKekIsGoneOnWith() {
    var begun =
        (MigrationDecision.Start)
            ((MigrationDecision.Work)
                    decide(
                        look(
                            report("Healthy", "2026-01-02T03:04:05Z", SINCE),
                            key(Migrated.NOTHING),
                            new TreeMap<>(),
                            NOW)))
                .steps()
                .getFirst();
    assertThat(begun.target().kek()).contains(new KekId("A"));
    var running = new TreeMap<Resource, MigrationStatus>();
    running.put(
        SECRETS,
        new MigrationStatus(
            SECRETS, begun.target(), begun.witness(), 1, new MigrationStatus.State.Running()));
    ObservedState restarted =
        look(
            report("Healthy", "2026-01-02T03:05:05Z", SINCE),
            key(Migrated.NOTHING),
            running,
            NOW.plusSeconds(60));
    assertThat(decide(restarted))
        .isEqualTo(
            new MigrationDecision.Work(
                List.of(new MigrationDecision.Watch(SECRETS, begun.target()))));
  }

  @Test
  void aPluginThatIsDownStaysDegraded() {
    ObservedState restarted =
        look(
            report("Error", "2026-01-02T03:04:05Z", SINCE),
            key(Migrated.NOTHING),
            new TreeMap<>(),
            NOW);
    assertThat(HealthDecider.decide(restarted)).isInstanceOf(HealthDecision.Degraded.class);
  }

  @Test
  void aKekThatCameAndWentMeanwhileTakesTheRecordBack() {
    Migrated migrated =
        Migrated.NOTHING.with(
            SECRETS,
            Optional.of(new KekId("A")),
            Optional.of(NOW.minusSeconds(7200)),
            NOW.minusSeconds(3600));
    String back = ",\"remoteKeyIDSince\":\"2026-01-02T02:30:00Z\",\"remoteKeyIDBefore\":\"B\"";
    ObservedState restarted =
        look(report("Healthy", "2026-01-02T03:04:05Z", back), key(migrated), new TreeMap<>(), NOW);
    assertThat(decide(restarted))
        .isEqualTo(
            new MigrationDecision.Work(
                List.of(
                    new MigrationDecision.Unmark(
                        SECRETS, KeySerial.FIRST, MigrationDecision.Extent.KEK_ONLY))));
  }
}
