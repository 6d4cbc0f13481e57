package io.keyward.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
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
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.kms.ReferenceData;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The life of one cluster, turn by turn, with everything carried out at once.
final class SequencesTest {
  private static final String TABLE =
      """
      # what happens              | configurations of secrets, one after the other
      type aescbc                 | identity aescbc:1 > aescbc:1 identity
      type identity               | aescbc:1 identity aesgcm:2 > identity aescbc:1 aesgcm:2
      type aescbc                 | identity aescbc:3 aescbc:1 aesgcm:2 > aescbc:3 aescbc:1 identity aesgcm:2 > aescbc:3 identity aesgcm:2
      seven days pass             | aescbc:3 aescbc:4 identity aesgcm:2 > aescbc:4 aescbc:3 identity aesgcm:2 > aescbc:4 aescbc:3 identity
      the secret of key 4 is lost | -
      type aesgcm                 | aescbc:4 aesgcm:5 aescbc:3 identity > aesgcm:5 aescbc:4 aescbc:3 identity > aesgcm:5 aescbc:4 identity
      type KMS, remote key A      | aesgcm:5 kms:6_secrets aescbc:4 identity > kms:6_secrets aesgcm:5 aescbc:4 identity > kms:6_secrets aesgcm:5 identity
      remote key B                | kms:6_secrets kms:7_secrets aesgcm:5 identity > kms:7_secrets kms:6_secrets aesgcm:5 identity > kms:7_secrets kms:6_secrets identity
      the secret of key 7 is lost | -
      type identity               | kms:7_secrets kms:6_secrets identity aesgcm:8 > identity kms:7_secrets kms:6_secrets aesgcm:8 > identity kms:7_secrets aesgcm:8
      seven days pass             | identity aesgcm:8
      """;
  private static final Resource SECRETS = Resource.parse("secrets");

  private Instant now = Instant.parse("2026-01-15T00:00:00Z");
  private Mode mode = Mode.IDENTITY;
  private String remoteKey = "A";
  private final TreeMap<KeySerial, Key> secrets = new TreeMap<>();
  private Optional<EncryptionLayout> layout = Optional.empty();
  private final TreeMap<Resource, MigrationStatus> migrations = new TreeMap<>();

  @Test
  void everyChangeTakesItsSteps() {
    var played = new ArrayList<String>();
    for (String row : TABLE.lines().skip(1).toList()) {
      String what = row.substring(0, row.indexOf('|')).strip();
      happen(what);
      played.add(what + " | " + String.join(" > ", settle()));
    }
    var expected =
        TABLE
            .lines()
            .skip(1)
            .map(row ->
                row.substring(0, row.indexOf('|')).strip()
                    + " | "
                    + row.substring(row.indexOf('|') + 1).strip().replaceAll("^-$", ""))
            .toList();
    assertThat(played).isEqualTo(expected);
  }

  @Test
  void theTableInTheDocsIsTheTableOfTheTest() throws IOException {
    assertThat(Files.readString(Path.of("../docs/controllers/sequences.md")))
        .contains("```text\n" + TABLE + "```");
  }

  private void happen(String what) {
    if (what.startsWith("type ")) {
      mode = Mode.parse(what.split("[ ,]", -1)[1]).orElseThrow();
    } else if (what.startsWith("the secret of key ")) {
      secrets.remove(new KeySerial(Long.parseLong(what.split(" ", -1)[4])));
    } else if (what.startsWith("seven days")) {
      now = now.plus(Duration.ofDays(7)).plusSeconds(1);
    }
    if (what.contains("remote key")) {
      remoteKey = what.substring(what.length() - 1);
    }
  }

  /// Turns until nothing changes any more; the configurations that were written meanwhile.
  private List<String> settle() {
    var written = new ArrayList<String>();
    for (int turn = 0; turn < 50; turn++) {
      TurnPlan plan = Turn.plan(look());
      key(plan.key());
      if (plan.migration() instanceof MigrationDecision.Work(var steps)) {
        steps.forEach(this::migrate);
      }
      if (plan.layout() instanceof LayoutDecision.Commit(var key)) {
        secrets.put(key.serial(), key);
      }
      plan.layout()
          .next()
          .ifPresent(next -> {
            layout = Optional.of(bare(next));
            String shape = ConfigSecretCodecTest.shape(ConfigSecretCodec.encode("c", next));
            if (written.isEmpty() || !written.getLast().equals(shape)) {
              written.add(shape);
            }
          });
    }
    return written;
  }

  private ObservedState look() {
    Optional<RequestedEncryption.Kms> kms =
        mode == Mode.KMS ? Optional.of(kms()) : Optional.empty();
    var passed =
        kms.map(k ->
            new PreflightState.Result(true, k.config(), Optional.empty(), Optional.of(now), 1, ""));
    return new ObservedState(
        now,
        "c",
        new RequestedEncryption(mode, kms, "", Optional.empty(), new TreeSet<>(List.of(SECRETS))),
        new Stored(List.copyOf(secrets.values()), List.of(), layout),
        new Rollout.Converged(1, layout, "w", new TreeSet<>(List.of("a"))),
        new Activity(
            migrations,
            new PreflightState(Optional.empty(), passed, Optional.empty()),
            List.of(),
            Optional.empty()),
        List.of(),
        Settings.DEFAULT);
  }

  private static KmsPluginConfig plugin(String remoteKey) {
    String kms = KeySecretCodecTest.KMS.replace("my-key", remoteKey);
    return ((Decoded.Good<KmsPluginConfig>) PluginConfigCodec.fromSpec(kms)).value();
  }

  private RequestedEncryption.Kms kms() {
    return new RequestedEncryption.Kms(
        plugin(remoteKey),
        ReferenceData.NONE,
        ReferenceData.NONE,
        new Fingerprint("remote-" + remoteKey));
  }

  private void key(KeyDecision decision) {
    switch (decision) {
      case KeyDecision.Mint mint -> {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) mint.serial().value();
        KeyMaterial material =
            mint.mode().isLocal() ? KeyMaterial.copyOf(bytes) : Key.NULL_MATERIAL;
        secrets.put(mint.serial(), mint.key(material));
      }
      case KeyDecision.Restore(var keys) ->
          keys.forEach(key -> secrets.put(key.serial(), key.asBacked()));
      case KeyDecision.Refresh(var keys) -> keys.forEach(key -> secrets.put(key.serial(), key));
      case KeyDecision.Retract(var key) -> secrets.put(key.serial(), key);
      case KeyDecision.Idle _, KeyDecision.Keep _, KeyDecision.Wait _, KeyDecision.Refuse _ -> {}
    }
  }

  private void migrate(MigrationDecision.Step step) {
    switch (step) {
      case MigrationDecision.Start start ->
          migrations.put(
              start.resource(),
              new MigrationStatus(
                  start.resource(),
                  start.target(),
                  start.witness(),
                  1,
                  new MigrationStatus.State.Succeeded(now)));
      case MigrationDecision.Mark mark ->
          secrets.computeIfPresent(
              mark.serial(), (_, key) -> key.with(mark.on(key.migrated(), now)));
      case MigrationDecision.Unmark unmark ->
          secrets.computeIfPresent(
              unmark.serial(), (_, key) -> key.with(unmark.on(key.migrated())));
      case MigrationDecision.Reencrypt requested ->
          secrets.computeIfPresent(
              requested.serial(), (_, key) -> key.with(requested.on(key.migrated())));
      case MigrationDecision.Abort abort -> migrations.remove(abort.resource());
      case MigrationDecision.Watch _, MigrationDecision.RetryLater _ -> {}
    }
  }

  private static EncryptionLayout bare(EncryptionLayout next) {
    return ((Decoded.Good<Optional<EncryptionLayout>>)
            ConfigSecretCodec.decode(ConfigSecretCodec.encode("c", next)))
        .value()
        .orElseThrow();
  }
}
