package io.keyward.operator;

import io.keyward.core.health.HealthDecision;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Condition;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.Key;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.PreflightState;
import io.keyward.core.model.Resource;
import io.keyward.core.prune.PruneDecision;
import java.util.List;

/// One look at one API server, and the writes that may follow from it.
///
/// Every write fails with [ChangedMeanwhile] where the object is no longer what was looked at. The
/// next look then decides anew, so a crash or a second operator between two writes does no harm.
public interface Look {
  ObservedState state();

  /// False where an admin told the operator to keep its hands off.
  boolean isManaged();

  /// The rollout as it stands, for [RolloutDecider].
  RolloutView rollout();

  void mint(KeyDecision.Mint mint);

  /// Writes the secret of a key that exists, or existed.
  void put(Key key);

  void publish(EncryptionLayout layout);

  /// Lets the migrations go on that are written down as running.
  void tend();

  /// Lets nothing go on.
  void rest();

  void start(MigrationDecision.Start start);

  void abort(Resource resource);

  void mark(MigrationDecision.Mark mark);

  void unmark(MigrationDecision.Unmark unmark);

  void deployPreflight(Fingerprint config, int attempt);

  void cleanPreflight();

  void conclude(PreflightState.Result result);

  void delete(PruneDecision.Delete delete);

  void forget(List<HealthDecision.Orphan> orphans);

  void carryOut(RolloutDecision decision);

  /// All conditions, or nothing where they stand so already.
  void report(List<Condition> conditions);

  /// Tells people about something that was done.
  void announce(String reason, String message);
}
