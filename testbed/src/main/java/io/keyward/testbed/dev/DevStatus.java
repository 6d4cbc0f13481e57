package io.keyward.testbed.dev;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// How a dev cluster is at one moment.
public record DevStatus(Health health, Path directory, List<ServerStatus> servers) {
  /// The whole cluster in one word.
  public enum Health {
    /// There is none.
    NONE,
    /// Its first start goes on, or was interrupted.
    UNFINISHED,
    /// Every server runs and says that it is ready.
    UP,
    /// Every server runs, and some do not say that they are ready.
    NOT_READY,
    /// Some servers run and some do not.
    HALF_DEAD,
    /// None runs, but its data is still there: stopped with `--keep`, or the machine was restarted.
    STOPPED
  }

  public enum Condition {
    READY,
    NOT_READY,
    PAUSED,
    DEAD
  }

  public record ServerStatus(String name, Condition condition, long pid, URI endpoint, Path log) {}

  static Health healthOf(List<Condition> conditions) {
    long dead = conditions.stream().filter(Condition.DEAD::equals).count();
    if (dead == conditions.size()) {
      return Health.STOPPED;
    }
    if (dead > 0) {
      return Health.HALF_DEAD;
    }
    return conditions.stream().allMatch(Condition.READY::equals) ? Health.UP : Health.NOT_READY;
  }
}
