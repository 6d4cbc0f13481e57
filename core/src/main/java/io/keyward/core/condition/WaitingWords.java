package io.keyward.core.condition;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Blocker;
import io.keyward.core.narrator.Narrator;
import io.keyward.core.prune.PruneDecision;
import java.util.Optional;

/// Says what everything waits for. The configuration's own wait explains the others, so it is named
/// first.
final class WaitingWords {
  private static final String TYPE = "EncryptionWaiting";

  private WaitingWords() {}

  static Words of(Decisions decisions) {
    return layout(decisions.layout())
        .or(() -> key(decisions.key()))
        .or(() -> migration(decisions.migration()))
        .or(() -> prune(decisions.prune()))
        .orElseGet(() -> Words.no(TYPE));
  }

  private static Optional<Words> layout(LayoutDecision decision) {
    return decision instanceof LayoutDecision.Wait(var blocker, var on)
        ? Optional.of(words("the configuration", blocker, on))
        : Optional.empty();
  }

  private static Optional<Words> key(KeyDecision decision) {
    return decision instanceof KeyDecision.Wait(var blocker, var on)
        ? Optional.of(words("the next key", blocker, on))
        : Optional.empty();
  }

  private static Optional<Words> migration(MigrationDecision decision) {
    return decision instanceof MigrationDecision.Wait(var blocker, var on)
        ? Optional.of(words("the migration", blocker, on))
        : Optional.empty();
  }

  private static Optional<Words> prune(PruneDecision decision) {
    return decision instanceof PruneDecision.Wait(var blocker, var on)
        ? Optional.of(words("removing old keys", blocker, on))
        : Optional.empty();
  }

  private static Words words(String who, Blocker blocker, String on) {
    return Words.yes(TYPE, blocker.reason(), Narrator.waits(who, blocker, on));
  }
}
