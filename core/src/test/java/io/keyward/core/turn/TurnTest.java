package io.keyward.core.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.model.Activity;
import io.keyward.core.model.AuditProof;
import io.keyward.core.model.Condition;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.PreflightState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TurnTest {
  private static final List<String> KINDS = List.of("id", "aes", "gcm", "kmsA", "kmsB", "kmsA2");
  private static final List<String> MARKS =
      List.of("", "+", "?", "!", "~", "*", "+P8D", "#", "^", "%", "=");
  private static final List<String> WISHES =
      List.of("id", "aes", "gcm", "kmsA", "kmsB", "kmsA2", "bad", "none");
  private static final List<String> LISTS =
      List.of("secrets", "configmaps,secrets", "routes.route.openshift.io", "-");
  private static final List<String> MOVING = List.of("rolling", "stuck");

  @Test
  void neverThrowsAndDecidesTwiceTheSameOnAnyState() {
    for (long seed = 0; seed < 2_500; seed++) {
      ObservedState seen = any(new SplittableRandom(seed));
      TurnPlan plan = Turn.plan(seen);
      assertThat(Turn.plan(seen)).as("seed %d", seed).isEqualTo(plan);
    }
  }

  /// One step from what runs: who writes next is read by all now, and who writes now is read next.
  @Test
  void everyStepCanBeReadByItsNeighbours() {
    for (long seed = 0; seed < 2_500; seed++) {
      ObservedState seen = any(new SplittableRandom(seed));
      if (seen.deployed().isPresent()
          && Turn.plan(seen).layout() instanceof LayoutDecision.Publish next) {
        var now = seen.deployed().orElseThrow();
        for (var resource : now.stacks().keySet()) {
          var before = now.stack(resource);
          var after = next.layout().stack(resource);
          assertThat(writes(before).allMatch(after::reads)).as("seed %d", seed).isTrue();
          assertThat(writes(after).allMatch(before::reads)).as("seed %d", seed).isTrue();
        }
      }
    }
  }

  /// Plaintext is read by everybody.
  private static Stream<KeySerial> writes(KeyStack stack) {
    return stack.writeKey().stream().filter(key -> key.mode() != Mode.IDENTITY).map(Key::serial);
  }

  @Test
  void w15WhateverWaitsSaysOnWhatSinceWhenAndWhatEndsIt() {
    var seen = new Notation().wanted("gcm").keys("3:aes").rollout("w3 r3").published("=").state();
    Condition waiting = condition(Turn.plan(seen), "EncryptionWaiting");
    assertThat(waiting.reason()).isEqualTo("WaitingForMigration");
    assertThat(waiting.message())
        .contains("key 3 is not migrated for [configmaps, secrets]")
        .contains("this ends when");
    assertThat(waiting.since()).isEqualTo(Notation.NOW);
  }

  private static Condition condition(TurnPlan plan, String type) {
    return plan.conditions().stream()
        .filter(condition -> condition.type().equals(type))
        .findFirst()
        .orElseThrow();
  }

  private static ObservedState any(SplittableRandom random) {
    var words = new ArrayList<String>();
    int count = random.nextInt(5);
    for (int serial = count; serial >= 1; serial--) {
      words.add(serial + ":" + pick(KINDS, random) + pick(MARKS, random));
    }
    var notation =
        new Notation()
            .wanted(
                pick(WISHES, random), random.nextInt(8) == 0 ? "because" : "", pick(LISTS, random))
            .keys(words.isEmpty() ? "-" : String.join(" ", words));
    notation.rollout(random.nextInt(6) == 0 ? pick(MOVING, random) : layout(count, random));
    notation.published(random.nextInt(3) == 0 ? layout(count, random) : "=");
    return notation.activity(activity(random)).state();
  }

  private static Activity activity(SplittableRandom random) {
    var migrations = new TreeMap<Resource, MigrationStatus>();
    for (String name : List.of("secrets", "configmaps", "routes.route.openshift.io")) {
      if (random.nextInt(3) == 0) {
        migrations.put(Resource.parse(name), migration(Resource.parse(name), random));
      }
    }
    var reports = new ArrayList<HealthReport>();
    for (String node : List.of("a", "b", "gone")) {
      if (random.nextBoolean()) {
        reports.add(report(node, random));
      }
    }
    Optional<AuditProof> audit =
        random.nextInt(6) == 0
            ? Optional.of(new AuditProof(time(random), Set.of(new KeySerial(random.nextInt(4)))))
            : Optional.empty();
    return new Activity(migrations, preflight(random), reports, audit);
  }

  private static MigrationStatus migration(Resource resource, SplittableRandom random) {
    return new MigrationStatus(
        resource,
        new MigrationTarget(pick(List.of("identity", "1", "2", "x", ""), random), kek(random)),
        pick(List.of(Notation.WITNESS, "", "others"), random),
        random.nextInt(5) == 0 ? Integer.MAX_VALUE : random.nextInt(5),
        switch (random.nextInt(3)) {
          case 0 -> new MigrationStatus.State.Running();
          case 1 -> new MigrationStatus.State.Succeeded(time(random));
          default -> new MigrationStatus.State.Failed(time(random), "");
        });
  }

  private static HealthReport report(String node, SplittableRandom random) {
    var statuses = HealthReport.Status.values();
    return new HealthReport(
        node,
        new KeySerial(random.nextInt(5)),
        statuses[random.nextInt(statuses.length)],
        time(random),
        kek(random),
        maybe(random),
        maybe(random),
        kek(random),
        "");
  }

  private static PreflightState preflight(SplittableRandom random) {
    var phases = PreflightState.Phase.values();
    Optional<Fingerprint> config =
        random.nextBoolean()
            ? Optional.of(Notation.kms(pick(List.of("kmsA", "kmsB", "kmsA2"), random)).config())
            : Optional.empty();
    return new PreflightState(
        config,
        config.map(print ->
            new PreflightState.Result(
                random.nextBoolean(), print, kek(random), maybe(random), random.nextInt(9), "")),
        random.nextBoolean()
            ? Optional.of(
                new PreflightState.Run(
                    config,
                    phases[random.nextInt(phases.length)],
                    maybe(random),
                    Optional.empty(),
                    Optional.empty()))
            : Optional.empty());
  }

  private static Optional<KekId> kek(SplittableRandom random) {
    return random.nextBoolean()
        ? Optional.of(new KekId(pick(List.of("A", "B"), random)))
        : Optional.empty();
  }

  private static Optional<Instant> maybe(SplittableRandom random) {
    return random.nextBoolean() ? Optional.of(time(random)) : Optional.empty();
  }

  /// Also in the future, as a clock that was wrong leaves it.
  private static Instant time(SplittableRandom random) {
    return pick(
        List.of(
            Notation.NOW,
            Notation.NOW.minusSeconds(300),
            Notation.NOW.minusSeconds(900_000),
            Notation.NOW.plusSeconds(86_400)),
        random);
  }

  private static String layout(int count, SplittableRandom random) {
    if (count == 0 || random.nextInt(5) == 0) {
      return "-";
    }
    var reads = new ArrayList<String>();
    for (int serial = count; serial >= 1; serial--) {
      if (random.nextInt(3) != 0 || (serial == 1 && reads.isEmpty())) {
        reads.add(Integer.toString(serial));
      }
    }
    String write = random.nextInt(3) == 0 ? "-" : pick(reads, random);
    return (random.nextInt(4) == 0 ? "secrets:" : "")
        + "w"
        + write
        + " r"
        + String.join(",", reads);
  }

  private static <T> T pick(List<T> from, SplittableRandom random) {
    return from.get(random.nextInt(from.size()));
  }
}
