package io.keyward.storage.audit;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What is known about the values of one resource in one place, by their covers. Rules judge all
/// values under one cover alike, so where the first one gave no finding, none will.
final class Pile {
  private @Nullable Tally[] quiet = new Tally[64];

  /// Where the values under a cover are counted, if they give no findings. Null: not known to be
  /// so.
  @Nullable Tally quiet(int cover) {
    return cover >= 0 && cover < quiet.length ? quiet[cover] : null;
  }

  /// Does nothing where there is no cover.
  void setQuiet(int cover, Tally tally) {
    if (cover == Covers.NONE) {
      return;
    }
    if (cover >= quiet.length) {
      quiet = Arrays.copyOf(quiet, Math.max(cover + 1, quiet.length * 2));
    }
    quiet[cover] = tally;
  }
}
