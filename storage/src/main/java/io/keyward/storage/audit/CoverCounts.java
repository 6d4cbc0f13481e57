package io.keyward.storage.audit;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is known about the values of one resource in one place, by their covers. Rules judge all
/// values under one cover alike, so what they said of the first holds for all.
final class CoverCounts {
  /// Where the values under a cover are counted, and what the rules said of the first one.
  record Verdict(Tally tally, List<Finding> findings) {}

  private @Nullable Verdict[] verdicts = new Verdict[64];

  @Nullable Verdict verdict(int cover) {
    return cover >= 0 && cover < verdicts.length ? verdicts[cover] : null;
  }

  /// Does nothing where there is no cover.
  void setVerdict(int cover, Verdict verdict) {
    if (cover == CoverFinder.NONE) {
      return;
    }
    if (cover >= verdicts.length) {
      verdicts = Arrays.copyOf(verdicts, Math.max(cover + 1, verdicts.length * 2));
    }
    verdicts[cover] = verdict;
  }
}
