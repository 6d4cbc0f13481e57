package io.keyward.core.model;

import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyRing;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Rollout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// One consistent look at one API server. Time is data here: no decider reads a clock.
///
/// No record, because every decider asks for the same ring of keys and it is built only once.
public final class ObservedState {
  private final Instant at;
  private final String component;
  private final RequestedEncryption wanted;
  private final Stored stored;
  private final Rollout rollout;
  private final Activity activity;
  private final List<Condition> conditions;
  private final Settings settings;
  private final SortedSet<String> unreachable;
  private final Revisions revisions;
  private final KeyRing ring;

  public ObservedState(
      Instant at,
      String component,
      RequestedEncryption wanted,
      Stored stored,
      Rollout rollout,
      Activity activity,
      List<Condition> conditions,
      Settings settings) {
    this(
        at,
        component,
        wanted,
        stored,
        rollout,
        activity,
        conditions,
        settings,
        Collections.emptySortedSet(),
        Revisions.NONE);
  }

  /// The same where Keyward rolls out revisions, and where machines do not respond.
  ///
  /// @param unreachable nodes of which only their last report is known
  public ObservedState(
      Instant at,
      String component,
      RequestedEncryption wanted,
      Stored stored,
      Rollout rollout,
      Activity activity,
      List<Condition> conditions,
      Settings settings,
      SortedSet<String> unreachable,
      Revisions revisions) {
    this.at = at;
    this.component = component;
    this.wanted = wanted;
    this.stored = stored;
    this.rollout = rollout;
    this.activity = activity;
    this.conditions = List.copyOf(conditions);
    this.settings = settings;
    this.unreachable = Collections.unmodifiableSortedSet(new TreeSet<>(unreachable));
    this.revisions = revisions;
    var inUse = new ArrayList<List<Key>>(3);
    running().ifPresent(layout -> inUse.add(layout.keys()));
    stored.published().ifPresent(layout -> inUse.add(layout.keys()));
    // While instances differ and the configuration is lost, a key may be known from here alone.
    revisions.newest().ifPresent(layout -> inUse.add(layout.keys()));
    this.ring = KeyRing.merge(stored.secrets(), inUse);
  }

  public Instant at() {
    return at;
  }

  public RequestedEncryption wanted() {
    return wanted;
  }

  public Stored stored() {
    return stored;
  }

  public Rollout rollout() {
    return rollout;
  }

  public Activity activity() {
    return activity;
  }

  public Settings settings() {
    return settings;
  }

  /// Nodes of which only their last report is known.
  public SortedSet<String> unreachable() {
    return unreachable;
  }

  /// Revisions and the instances on their way to them.
  public Revisions revisions() {
    return revisions;
  }

  /// The same in another state of its rollout.
  public ObservedState with(Rollout other) {
    return new ObservedState(
        at,
        component,
        wanted,
        stored,
        other,
        activity,
        conditions,
        settings,
        unreachable,
        revisions);
  }

  /// The same with other objects stored.
  public ObservedState with(Stored other) {
    return new ObservedState(
        at,
        component,
        wanted,
        other,
        rollout,
        activity,
        conditions,
        settings,
        unreachable,
        revisions);
  }

  /// The same with other activity.
  public ObservedState with(Activity other) {
    return new ObservedState(
        at,
        component,
        wanted,
        stored,
        rollout,
        other,
        conditions,
        settings,
        unreachable,
        revisions);
  }

  /// The API server's name, for example `openshift-kube-apiserver`.
  public String component() {
    return component;
  }

  /// As they were last written, for their times.
  public List<Condition> conditions() {
    return conditions;
  }

  /// Whether encryption is wanted or was ever on. If not, there is nothing to do and to say. Where
  /// key secrets and the configuration were deleted, only the revisions show it, also while an
  /// instance is not ready.
  public boolean isEnabled() {
    return wanted.mode() != Mode.IDENTITY
        || stored.published().isPresent()
        || !stored.secrets().isEmpty()
        || !stored.damaged().isEmpty()
        || (rollout instanceof Rollout.Unknown(var blocker, _)
            && blocker == Blocker.UNKNOWN_REVISION)
        || running().or(revisions::newest).filter(layout -> !layout.keys().isEmpty()).isPresent();
  }

  /// What all instances run; absent while they differ or where there is no configuration.
  public Optional<EncryptionLayout> deployed() {
    return rollout instanceof Rollout.Converged(_, var layout, _, _) ? layout : Optional.empty();
  }

  /// What all instances run, even where some are not ready.
  public Optional<EncryptionLayout> running() {
    return rollout instanceof Rollout.Rolling(_, var running, _) ? running : deployed();
  }

  /// The newest key is for plaintext, some wanted resource is still written encrypted, and the
  /// admin no longer wants plaintext. The key is passed over: finishing its cycle would decrypt
  /// everything against the admin's will.
  public boolean isAbandoned(Key newest) {
    return newest.mode() == Mode.IDENTITY
        && wanted.mode() != Mode.IDENTITY
        && deployed().filter(this::sealsSomething).isPresent();
  }

  private boolean sealsSomething(EncryptionLayout layout) {
    return wanted.resources().stream()
        .flatMap(resource -> layout.stack(resource).writeKey().stream())
        .anyMatch(key -> key.mode() != Mode.IDENTITY);
  }

  public boolean isConverged() {
    return rollout instanceof Rollout.Converged;
  }

  /// What was last written is what all instances run.
  public boolean isSettled() {
    if (!isConverged()) {
      return false;
    }
    var published = stored.published();
    var deployed = deployed();
    if (published.isEmpty() || deployed.isEmpty()) {
      return published.isEmpty() && deployed.isEmpty();
    }
    return published.orElseThrow().isSame(deployed.orElseThrow());
  }

  /// Every key that is known, from wherever; see [KeyRing#merge].
  public KeyRing ring() {
    return ring;
  }

  /// The number that a new key gets: above everything that was ever seen, also above secrets that
  /// cannot be read.
  public KeySerial nextSerial() {
    return Stream.concat(
            ring.keys().stream().map(Key::serial),
            stored.damaged().stream().flatMap(secret -> secret.serial().stream()))
        .max(KeySerial::compareTo)
        .map(KeySerial::next)
        .orElse(KeySerial.FIRST);
  }

  /// The same without keys that were taken back. They never wrote, so whoever runs the one can live
  /// beside whoever runs the other.
  public EncryptionLayout withoutRetracted(EncryptionLayout layout) {
    return layout.mapStacks(entry -> ring.withoutRetracted(entry.getValue()));
  }

  /// Requested resources that run already; all of them where nothing runs, which is the worst case.
  public Collection<Resource> established() {
    var both = new TreeSet<>(wanted.resources());
    deployed().ifPresent(layout -> both.removeIf(resource -> !layout.covers(resource)));
    return both;
  }

  /// Resources whose mark on the newest key cannot be true, since another key writes, or may do so
  /// soon: they were out of encryption meanwhile, and plaintext may be stored.
  public Collection<Resource> voidMarks(Key newest) {
    var untrue = new TreeSet<>(doubtfulMarks(newest));
    for (Resource resource : newest.migrated().resources()) {
      var write = deployed().flatMap(layout -> layout.stack(resource).write());
      if (!write.equals(Optional.of(newest.serial()))) {
        untrue.add(resource);
      }
    }
    return untrue;
  }

  /// Requested resources that are marked on the newest key, and that the written configuration does
  /// not write under it. An instance may run that for a while before anybody looks again, so it
  /// must not be written over as long as the mark stands.
  public SortedSet<Resource> doubtfulMarks(Key newest) {
    var doubtful = new TreeSet<Resource>();
    for (Resource resource : newest.migrated().resources()) {
      if (wanted().resources().contains(resource)
          && stored()
              .published()
              .filter(layout -> !layout.stack(resource).writes(newest.serial()))
              .isPresent()) {
        doubtful.add(resource);
      }
    }
    return doubtful;
  }
}
