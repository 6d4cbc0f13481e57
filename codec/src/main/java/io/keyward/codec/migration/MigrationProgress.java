package io.keyward.codec.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.OptionalLong;

/// How far a migration is.
///
/// @param total as far as is known; 0 where nobody counts
/// @param perSecond since the migrator was last started
public record MigrationProgress(long done, long total, double perSecond) {
  public static final MigrationProgress UNKNOWN = new MigrationProgress(0, 0, 0);
  private static final String DONE = "done";
  private static final String TOTAL = "total";
  private static final String RATE = "perSecond";

  /// What is written down and read again says the same words.
  public MigrationProgress {
    perSecond = Math.round(perSecond * 10) / 10.0;
  }

  /// At the present rate.
  public OptionalLong secondsLeft() {
    return perSecond > 0 && total >= done
        ? OptionalLong.of((long) Math.ceil((total - done) / perSecond))
        : OptionalLong.empty();
  }

  /// Which quarter of the way it is in, 0 to 4.
  public int quarter() {
    return total == 0 ? 0 : (int) (4 * done / total);
  }

  static MigrationProgress read(JsonNode data) {
    return new MigrationProgress(
        Math.max(0, data.path(DONE).asLong(0)),
        Math.max(0, data.path(TOTAL).asLong(0)),
        Math.max(0, data.path(RATE).asDouble(0)));
  }

  void write(ObjectNode data) {
    data.put(DONE, Long.toString(done)).put(TOTAL, Long.toString(total));
    data.put(RATE, String.format(Locale.ROOT, "%.1f", perSecond));
  }

  /// For people: in status, events and on the command line the same words.
  public String words() {
    if (total == 0 && done == 0) {
      return "progress unknown";
    }
    String left =
        done >= total || secondsLeft().isEmpty()
            ? ""
            : ", " + secondsLeft().getAsLong() + " s left";
    return done
        + " of "
        + total
        + (perSecond > 0 ? String.format(Locale.ROOT, ", %.0f a second", perSecond) : "")
        + left;
  }
}
