package io.keyward.testkit.sim;

import java.util.Locale;
import java.util.Optional;

/// One thing that happens. The numbers pick a server, an instance and so on, modulo what exists, so
/// that every event means something in every world and a scenario stays valid when it is cut.
public record Event(Kind kind, int a, int b) {
  /// How often each kind is drawn, relative to the others.
  public enum Kind {
    OBSERVE(30),
    WRITE(34),
    SETTLE(4),
    CRASH(2),
    DELAY(2),
    DELIVER(3),
    DUPLICATE(2),
    ADVANCE(8),
    SNAPSHOT(8),
    RESTART(24),
    READY(24),
    REVERT(2),
    UNREADY(2),
    REPLACE_NODE(1),
    STORE(14),
    MIGRATE(20),
    FAIL_MIGRATION(1),
    LOSE_MIGRATION(1),
    PREFLIGHT(6),
    MONITOR(10),
    SET_MODE(3),
    SET_REMOTE_KEY(1),
    SET_IMAGE(1),
    SET_REASON(1),
    DROP_RESOURCE(1),
    RETURN_RESOURCE(1),
    ROTATE_KEK(2),
    ROTATE_BACK(1),
    KMS_DOWN(1),
    KMS_UP(2),
    EXPIRE_CREDENTIALS(1),
    RENEW_CREDENTIALS(2),
    LOSE_KEY(1),
    DAMAGE_KEY(1),
    EDIT_KEY(1),
    LOSE_CONFIG(2),
    VANISH_CONFIG(4),
    RESTORE_CONFIG(3),
    FAIL(1),
    UNKNOWN_REVISION(1),
    KNOWN_REVISION(3),
    REFUSE(2),
    LOSE_ANSWER(2),
    OBSERVE_STALE(5),
    SET_CLOCK(1),
    CRASH_AGENT(6),
    REBOOT(1),
    AUDIT(1),
    SET_EXTERNAL(1),
    PLUGIN_DOWN(1),
    PLUGIN_UP(2),

    // The rules for these are not there yet, so only Scenario.withOpenEvents draws them.
    RESTORE_ETCD(0),
    ENCRYPTED_BEFORE(0),
    REFUSE_OBJECT(0),
    ADMIT_OBJECTS(0);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    int weight() {
      return weight;
    }
  }

  String line() {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + " " + a + " " + b;
  }

  static Optional<Event> parse(String line) {
    String[] words = line.strip().split("\\s+", -1);
    String name = words[0].toUpperCase(Locale.ROOT).replace('-', '_');
    for (Kind kind : Kind.values()) {
      if (words.length == 3 && kind.name().equals(name)) {
        return Optional.of(new Event(kind, Integer.parseInt(words[1]), Integer.parseInt(words[2])));
      }
    }
    return Optional.empty();
  }
}
