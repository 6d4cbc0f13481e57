package io.keyward.core.layout;

import io.keyward.core.layout.LayoutDecision.AddReadKeys;
import io.keyward.core.layout.LayoutDecision.Commit;
import io.keyward.core.layout.LayoutDecision.DropReadKeys;
import io.keyward.core.layout.LayoutDecision.Idle;
import io.keyward.core.layout.LayoutDecision.InSync;
import io.keyward.core.layout.LayoutDecision.PromoteWriteKey;
import io.keyward.core.layout.LayoutDecision.Publish;
import io.keyward.core.layout.LayoutDecision.Rebuild;
import io.keyward.core.layout.LayoutDecision.RefreshPlugins;
import io.keyward.core.layout.LayoutDecision.Republish;
import io.keyward.core.layout.LayoutDecision.Retract;
import io.keyward.core.layout.LayoutDecision.Wait;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyRing;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.rollout.Rollout;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Decides the next configuration: first all read, then all write, then what is old goes. Each step
/// stands on a configuration that every instance runs, so neighbours in time can read each other.
public final class LayoutDecider {
  private LayoutDecider() {}

  public static LayoutDecision decide(ObservedState seen) {
    if (!seen.isEnabled()) {
      return new Idle();
    }
    if (seen.rollout() instanceof Rollout.Unknown(var blocker, var problem)) {
      return new Wait(blocker, problem);
    }
    Optional<Key> uncommitted = uncommitted(seen);
    if (uncommitted.isPresent()) {
      return commit(uncommitted.orElseThrow());
    }
    return afterRestoring(seen, retract(seen).orElseGet(() -> advance(seen)));
  }

  /// A configuration may hold the only copy of a key whose secret was lost. The key decision writes
  /// that secret in the same turn, but the two writes fail apart: without secret and configuration,
  /// the serial would be used again.
  private static LayoutDecision afterRestoring(ObservedState seen, LayoutDecision decision) {
    if (!(decision instanceof Publish publish)) {
      return decision;
    }
    Set<KeySerial> kept =
        publish.layout().keys().stream().map(Key::serial).collect(Collectors.toSet());
    return seen.ring().lost().stream()
        .filter(key -> !kept.contains(key.serial()))
        .findFirst()
        .<LayoutDecision>map(key -> new Wait(Blocker.KEY, "key " + key.serial()))
        .orElse(decision);
  }

  /// Somebody else may have let a key write.
  private static Optional<Key> uncommitted(ObservedState seen) {
    return seen.stored()
        .published()
        .flatMap(layout -> uncommitted(layout, seen.ring()))
        .or(() -> seen.running().flatMap(layout -> uncommitted(layout, seen.ring())));
  }

  private static Optional<Key> uncommitted(EncryptionLayout layout, KeyRing ring) {
    for (KeyStack stack : layout.stacks().values()) {
      Optional<Key> writer = stack.write().flatMap(ring::find);
      if (writer.filter(key -> key.stage() != KeyStage.WRITE).isPresent()) {
        return writer;
      }
    }
    return Optional.empty();
  }

  private static LayoutDecision commit(Key key) {
    return new Commit(key.at(KeyStage.WRITE));
  }

  private static Optional<LayoutDecision> retract(ObservedState seen) {
    return trusted(seen)
        .map(layout -> {
          EncryptionLayout rest = Draft.of(layout, seen.ring()).layout();
          return new Retract(rest, layout.keysNotIn(rest));
        })
        .filter(retract -> !retract.retracted().isEmpty())
        .map(LayoutDecision.class::cast);
  }

  /// What a small change is made to. The published configuration may be an old copy that somebody
  /// put back, or be gone. While instances differ, only the newest revision can go on to all of
  /// them; a step that no revision has yet is taken again later.
  private static Optional<EncryptionLayout> trusted(ObservedState seen) {
    return seen.stored()
        .published()
        .filter(published -> goesWithWhatRuns(published, seen))
        .or(seen::running)
        .or(() -> seen.revisions().newest());
  }

  private static boolean goesWithWhatRuns(EncryptionLayout published, ObservedState seen) {
    Optional<EncryptionLayout> newest = seen.revisions().newest();
    return newest.isEmpty()
        || newest.filter(published::hasSameProviders).isPresent()
        || newest.map(seen::withoutRetracted).filter(published::hasSameProviders).isPresent()
        || seen.running()
            .filter(runs -> Draft.of(published, seen.ring()).isSafeAfter(runs, seen))
            .isPresent();
  }

  private static LayoutDecision advance(ObservedState seen) {
    return switch (seen.rollout()) {
      case Rollout.Rolling(var waitingFor, _, _) -> whileRolling(seen, waitingFor);
      case Rollout.Stuck(var problem) -> whileRolling(seen, problem);
      case Rollout.Unknown(var blocker, var problem) -> new Wait(blocker, problem);
      case Rollout.Converged _ -> onSolidGround(seen, seen.ring());
    };
  }

  /// The same providers with other credentials are safe on top of anything, and may be just what
  /// the rollout needs to go on.
  private static LayoutDecision whileRolling(ObservedState seen, String waitingFor) {
    return trusted(seen)
        .map(layout -> Draft.of(layout, seen.ring()).layout())
        .filter(layout -> !isPublished(seen, layout))
        .<LayoutDecision>map(layout ->
            seen.stored().published().filter(layout::hasSameProviders).isPresent()
                ? new RefreshPlugins(layout)
                : new Republish(layout))
        .orElseGet(() -> new Wait(Blocker.ROLLOUT, waitingFor));
  }

  private static LayoutDecision onSolidGround(ObservedState seen, KeyRing ring) {
    Optional<EncryptionLayout> underway = underway(seen, ring);
    if (underway.isPresent()) {
      return whileUnderway(seen, Draft.of(underway.orElseThrow(), ring).layout());
    }
    Optional<Key> newestKey = ring.newest();
    if (newestKey.isEmpty()) {
      // Where the only key was taken back, a configuration runs that has none.
      return seen.deployed()
          .map(deployed -> orRepublish(seen, ring, deployed, new Idle()))
          .orElseGet(Idle::new);
    }
    Key newest = newestKey.orElseThrow();
    LayoutDecision step =
        seen.deployed()
            .map(deployed ->
                orRepublish(seen, ring, deployed, advance(seen, ring, newest, deployed)))
            .orElseGet(() -> fromNothing(seen, ring, newest));
    var doubtful = seen.doubtfulMarks(newest);
    return switch (step) {
      case Publish publish when isPublished(seen, publish.layout()) ->
          new Wait(Blocker.PUBLISHED, publish.layout().label());
      case Publish _ when !doubtful.isEmpty() -> untrue(newest, doubtful);
      case Publish _, Commit _, Idle _, InSync _, Wait _ -> step;
    };
  }

  /// Others wait until what runs is also written, so nothing to do must not keep it from being
  /// written. And an instance may still take up what was written and is no longer wanted: a step
  /// that could not live beside it goes by way of what runs.
  private static LayoutDecision orRepublish(
      ObservedState seen, KeyRing ring, EncryptionLayout deployed, LayoutDecision step) {
    EncryptionLayout current = Draft.of(deployed, ring).layout();
    boolean first =
        switch (step) {
          case Wait _, Idle _ -> true;
          case Publish publish ->
              seen.stored().published().filter(p -> !publish.layout().livesBeside(p)).isPresent();
          case Commit _, InSync _ -> false;
        };
    return first && !isPublished(seen, current) ? new Republish(current) : step;
  }

  /// A step that was written and does not run yet. Some instance may have taken it up already, so
  /// it is finished; a wish that came after it waits for its turn.
  private static Optional<EncryptionLayout> underway(ObservedState seen, KeyRing ring) {
    return seen.deployed()
        .flatMap(deployed ->
            seen.stored()
                .published()
                .filter(published -> !published.hasSameProviders(deployed))
                .filter(published -> Draft.of(published, ring).isSafeAfter(deployed, seen)));
  }

  private static LayoutDecision whileUnderway(ObservedState seen, EncryptionLayout refreshed) {
    return isPublished(seen, refreshed)
        ? new Wait(Blocker.PUBLISHED, refreshed.label())
        : new RefreshPlugins(refreshed);
  }

  private static boolean isPublished(ObservedState seen, EncryptionLayout layout) {
    return seen.stored().published().filter(layout::isSame).isPresent();
  }

  /// First enablement, or the configuration vanished under encrypted data.
  private static LayoutDecision fromNothing(ObservedState seen, KeyRing ring, Key newest) {
    var published = seen.stored().published().filter(EncryptionLayout::hasWriteKeys);
    boolean wasOn =
        published.isPresent()
            || ring.keys().stream().anyMatch(LayoutDecider::hasSealed)
            || !seen.activity().migrations().isEmpty();
    Draft draft = published.map(p -> Draft.of(p, ring)).orElseGet(() -> Draft.empty(ring));
    draft =
        draft.withReadKeys(seen, published.isPresent() ? seen.wanted().resources() : known(seen));
    if (!wasOn) {
      return new AddReadKeys(draft.layout());
    }
    if (!seen.voidMarks(newest).isEmpty()) {
      return new Wait(Blocker.MARKS, "key " + newest.serial());
    }
    if (newest.stage() != KeyStage.WRITE) {
      return commit(newest);
    }
    return new Rebuild(draft.writingSomething(seen, newest.serial(), published).layout());
  }

  /// Without any configuration, marks and migrations still tell of a resource that left the list
  /// while its data was encrypted. It is decrypted before it goes.
  private static Set<Resource> known(ObservedState seen) {
    var resources = new TreeSet<>(seen.wanted().resources());
    seen.ring().keys().forEach(key -> resources.addAll(key.migrated().resources()));
    resources.addAll(seen.activity().migrations().keySet());
    return resources;
  }

  /// A mark may have been taken back meanwhile; the time of the last one stays.
  private static boolean hasSealed(Key key) {
    return !key.migrated().resources().isEmpty() || key.migrated().at().isPresent();
  }

  private static LayoutDecision advance(
      ObservedState seen, KeyRing ring, Key newest, EncryptionLayout deployed) {
    Draft current = Draft.of(deployed, ring);
    Draft readable = current.withReadKeys(seen);
    if (!readable.layout().hasSameProviders(deployed)) {
      return new AddReadKeys(readable.layout());
    }
    if (!newest.backed()) {
      return new Wait(Blocker.KEY, "key " + newest.serial());
    }
    if (seen.isAbandoned(newest)) {
      return new Wait(Blocker.NEXT_KEY, "key " + newest.serial() + " is no longer wanted");
    }
    Draft written = readable.writing(seen, newest.serial());
    if (!written.layout().hasSameProviders(deployed)) {
      return promote(seen, written, newest);
    }
    Draft dropped = written.withoutOldKeys(seen, newest);
    if (!dropped.layout().hasSameProviders(deployed)) {
      return new DropReadKeys(dropped.layout(), deployed.keysNotIn(dropped.layout()));
    }
    if (!dropped.layout().isSame(deployed)) {
      return new RefreshPlugins(dropped.layout());
    }
    return isPublished(seen, deployed) ? new InSync() : new Republish(dropped.layout());
  }

  private static LayoutDecision promote(ObservedState seen, Draft written, Key newest) {
    var untrue = new TreeSet<>(seen.voidMarks(newest));
    untrue.retainAll(seen.wanted().resources());
    if (!untrue.isEmpty()) {
      return untrue(newest, untrue);
    }
    return unwell(seen, newest)
        .<LayoutDecision>map(
            node -> new Wait(Blocker.KMS, "key " + newest.serial() + " on " + node))
        .orElseGet(() ->
            newest.stage() == KeyStage.WRITE
                ? new PromoteWriteKey(written.layout(), newest.serial())
                : commit(newest));
  }

  private static LayoutDecision untrue(Key newest, SortedSet<Resource> marks) {
    return new Wait(Blocker.MARKS, "key " + newest.serial() + " for " + marks);
  }

  /// Promoting a key whose plugin does not work would stop all writes.
  private static Optional<String> unwell(ObservedState seen, Key newest) {
    return newest.mode() != Mode.KMS
        ? Optional.empty()
        : seen.activity().reports().stream()
            .filter(report -> report.serial().equals(newest.serial()))
            .filter(report -> report.isConfirmedBad(seen.at(), seen.settings()))
            .map(HealthReport::node)
            .findFirst();
  }
}
