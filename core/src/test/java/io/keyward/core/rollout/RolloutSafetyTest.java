package io.keyward.core.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.layout.LayoutDecider;
import io.keyward.core.model.Activity;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.rollout.Rollout;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Keys are serials, `+` after one under which all is stored, `/` after one that was taken back. A
/// configuration is `w2 r2,1`, where `w-` writes plaintext. What runs is a configuration that all
/// have, with `~` before it where one of them is not ready; `?` where they differ, and then the
/// newest revision. What was found is what the turn saw, and what is there now is what it made of
/// that.
final class RolloutSafetyTest {
  private static final Resource SECRETS = new Resource("", "secrets");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                    | keys   | runs       | found    | now      | safe
          the first one                             | 1      | -          | -        | w- r1    | yes
          the first one, after a crash              | 1      | -          | w- r1    | w- r1    | yes
          the first one could not be written        | 2 1    | -          | w1 r1    | w1 r1    | no
          a step                                    | 2 1+   | w1 r1      | w1 r1    | w1 r2,1  | yes
          a step, after a crash                     | 2 1+   | w1 r1      | w1 r2,1  | w1 r2,1  | yes
          a step, after a crash, one is not ready   | 2 1+   | ~w1 r1     | w1 r2,1  | w1 r2,1  | yes
          a step, after a crash, while they differ  | 2 1+   | ?w1 r1     | w1 r2,1  | w1 r2,1  | no
          as it runs                                | 2 1+   | w1 r2,1    | w1 r2,1  | w2 r2,1  | yes
          an old key leaves, one is not ready       | 3+ 2 1 | ~w3 r3,2,1 | w3 r3,2  | w3 r3,2  | yes
          nothing is to be done                     | 2+ 1   | w2 r2,1    | w2 r2,1  | w2 r2,1  | yes
          nothing can be done while they differ     | 2 1+   | ?w1 r2,1   | w1 r2,1  | w1 r2,1  | yes
          an old copy, put right                    | 2+ 1   | w2 r2,1    | w1 r1    | w2 r2,1  | yes
          an old copy that could not be put right   | 2+ 1   | w2 r2,1    | w1 r1    | w1 r1    | no
          an old copy while one is not ready        | 2+ 1   | ~w2 r2,1   | w1 r1    | w1 r1    | no
          an old copy while they differ             | 2+ 1   | ?w2 r2,1   | w1 r1    | w1 r1    | no
          plaintext while one is not ready          | 2+ 1   | ~w2 r2,1   | w- r2,1  | w- r2,1  | no
          a key that is needed left, they differ    | 2 1+   | ?w2 r2,1   | w2 r2    | w2 r2    | no
          a key that was taken back left            | 2/ 1+  | ?w1 r2,1   | w1 r1    | w1 r1    | yes
          it left as this turn wrote it             | 2/ 1+  | ?w1 r2,1   | w1 r2,1  | w1 r1    | yes
          it did not leave                          | 2/ 1+  | ?w1 r2,1   | w1 r2,1  | w1 r2,1  | no
          another one left with it                  | 3/ 2 1+ | ?w2 r3,2,1 | w2 r2   | w2 r2    | no
          a key that is needed left, not ready      | 2 1+   | ~w2 r2,1   | w2 r2    | w2 r2    | no
          """)
  void onlyWhatGoesWithWhatRunsBecomesARevision(
      String name, String keys, String runs, String found, String now, String safe) {
    var secrets = new ArrayList<Key>();
    for (String one : keys.split(" ", -1)) {
      Key key = key(Long.parseLong(one.replaceAll("[+/]", "")), one.endsWith("+"));
      secrets.add(one.endsWith("/") ? key.at(KeyStage.RETRACTED) : key);
    }
    Optional<EncryptionLayout> newest = layout(runs.replaceAll("^[~?]", ""));
    var seen =
        new ObservedState(
            Instant.parse("2026-01-15T00:00:00Z"),
            "server",
            RequestedEncryption.plain(Mode.AESCBC, List.of(SECRETS)),
            new Stored(secrets, List.of(), layout(found)),
            switch (runs.charAt(0)) {
              case '~' -> new Rollout.Rolling("a", newest);
              case '?' -> new Rollout.Rolling("a");
              default -> new Rollout.Converged(1, newest, "a", new TreeSet<>(List.of("a")));
            },
            Activity.NONE,
            List.of(),
            Settings.DEFAULT);
    assertThat(
            RolloutSafety.of(seen, LayoutDecider.decide(seen), layout(now), newest).isSafe()
                ? "yes"
                : "no")
        .as(name)
        .isEqualTo(safe);
  }

  static Optional<EncryptionLayout> layout(String text) {
    if (text.equals("-")) {
      return Optional.empty();
    }
    var slots = new ArrayList<KeyStack.Slot>();
    for (String serial : text.substring(4).split(",", -1)) {
      slots.add(new KeyStack.Slot(key(Long.parseLong(serial), false), ""));
    }
    Optional<KeySerial> write =
        text.startsWith("w-")
            ? Optional.empty()
            : Optional.of(new KeySerial(Long.parseLong(text.substring(1, 2))));
    return Optional.of(
        new EncryptionLayout(new TreeMap<>(Map.of(SECRETS, new KeyStack(write, slots)))));
  }

  private static Key key(long serial, boolean migrated) {
    byte[] material = ("0123456789abcde" + serial).getBytes(StandardCharsets.UTF_8);
    return new Key(
        new KeySerial(serial),
        Mode.AESCBC,
        KeyMaterial.copyOf(material),
        true,
        Optional.empty(),
        migrated
            ? Migrated.NOTHING.with(
                SECRETS, Optional.empty(), Instant.parse("2026-01-14T00:00:00Z"))
            : Migrated.NOTHING,
        "",
        "");
  }
}
