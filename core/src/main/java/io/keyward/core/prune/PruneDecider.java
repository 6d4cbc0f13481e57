package io.keyward.core.prune;

import io.keyward.core.model.AuditProof;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.key.DamagedSecret;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyRing;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.prune.PruneDecision.Delete;
import io.keyward.core.prune.PruneDecision.Nothing;
import io.keyward.core.prune.PruneDecision.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Decides which key secrets are deleted: only below every key in use, and not the newest of those.
public final class PruneDecider {
  private record Candidate(KeySerial serial, Optional<String> damagedName) {}

  private PruneDecider() {}

  public static PruneDecision decide(ObservedState seen) {
    if (!seen.isEnabled()) {
      return new Nothing();
    }
    if (seen.rollout() instanceof Rollout.Unknown(var blocker, var problem)) {
      return new Wait(blocker, problem);
    }
    // Without a configuration that runs, the secrets may be the only copy.
    if (!seen.isSettled() || seen.deployed().isEmpty()) {
      return new Wait(Blocker.PUBLISHED, "no configuration that all instances run");
    }
    KeyRing ring = seen.ring();
    // A resource whose mark is missing gets one later, and this turn may be the one that sets it.
    Instant migrated =
        ring.newest()
            .filter(key -> key.isMigratedFor(seen.wanted().resources()))
            .flatMap(key -> key.migrated().at())
            .orElse(Instant.MAX);
    Optional<AuditProof> audit = seen.activity().audit();
    // What an older one found in use may have been migrated since: it must not hide the wait below.
    Optional<AuditProof> proof = audit.filter(one -> one.at().isAfter(migrated));
    List<Candidate> surplus = surplus(seen, used(seen, ring, proof));
    if (surplus.isEmpty()) {
      return new Nothing();
    }
    if (audit.isPresent() && proof.isEmpty()) {
      return new Wait(Blocker.AUDIT, "the last audit is older than the last migration");
    }
    return delete(surplus);
  }

  private static SortedSet<KeySerial> used(
      ObservedState seen, KeyRing ring, Optional<AuditProof> proof) {
    var used = new TreeSet<KeySerial>();
    seen.deployed().map(EncryptionLayout::keys).ifPresent(keys -> addAll(used, keys));
    addAll(used, ring.mayProtect(seen.wanted().resources()));
    proof.ifPresent(audit -> used.addAll(audit.stillUsed()));
    return used;
  }

  private static void addAll(SortedSet<KeySerial> used, Iterable<Key> keys) {
    keys.forEach(key -> used.add(key.serial()));
  }

  private static List<Candidate> surplus(ObservedState seen, SortedSet<KeySerial> used) {
    var unused = new ArrayList<Candidate>();
    for (Key key : seen.stored().secrets()) {
      unused.add(new Candidate(key.serial(), Optional.empty()));
    }
    for (DamagedSecret secret : seen.stored().damaged()) {
      KeySerial serial = secret.serial().orElse(new KeySerial(0));
      unused.add(new Candidate(serial, Optional.of(secret.name())));
    }
    unused.removeIf(candidate -> used.contains(candidate.serial()));
    unused.sort(Comparator.comparing(Candidate::serial).reversed());
    return unused.stream()
        .skip(seen.settings().keepUnusedKeys())
        .filter(candidate -> !used.isEmpty() && candidate.serial().compareTo(used.first()) < 0)
        .toList();
  }

  private static PruneDecision delete(List<Candidate> surplus) {
    var serials = new TreeSet<KeySerial>();
    var damaged = new ArrayList<String>();
    for (Candidate candidate : surplus) {
      candidate.damagedName().ifPresentOrElse(damaged::add, () -> serials.add(candidate.serial()));
    }
    return new Delete(serials, List.copyOf(damaged));
  }
}
