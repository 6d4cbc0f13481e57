package io.keyward.core.layout;

import io.keyward.core.model.Blocker;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import java.util.Optional;
import java.util.SortedSet;

/// The next configuration, at most one step from the one that all instances run.
public sealed interface LayoutDecision {
  record Idle() implements LayoutDecision {}

  /// What runs is what is wanted, as far as it is known.
  record InSync() implements LayoutDecision {}

  record Wait(Blocker blocker, String on) implements LayoutDecision {}

  /// Before a key may write, its secret says so: from then on it is never taken back.
  ///
  /// @param key as its secret is to be
  record Commit(Key key) implements LayoutDecision {}

  /// A variant that writes a configuration.
  sealed interface Publish extends LayoutDecision {
    EncryptionLayout layout();
  }

  /// Every instance learns to read before any instance writes.
  record AddReadKeys(EncryptionLayout layout) implements Publish {}

  /// Every instance can read it, so now all may write with it.
  record PromoteWriteKey(EncryptionLayout layout, KeySerial serial) implements Publish {}

  /// Nothing stored depends on these keys any more.
  record DropReadKeys(EncryptionLayout layout, SortedSet<KeySerial> dropped) implements Publish {}

  /// Without a key that was taken back. Safe on top of anything: nothing was written with it.
  record Retract(EncryptionLayout layout, SortedSet<KeySerial> retracted) implements Publish {}

  /// The same providers; plugins get another configuration or other credentials.
  record RefreshPlugins(EncryptionLayout layout) implements Publish {}

  /// No instance has a configuration although data is encrypted. Writes start encrypted at once.
  record Rebuild(EncryptionLayout layout) implements Publish {}

  /// The written configuration is gone or strayed from what runs.
  record Republish(EncryptionLayout layout) implements Publish {}

  default Optional<EncryptionLayout> next() {
    return this instanceof Publish publish ? Optional.of(publish.layout()) : Optional.empty();
  }
}
