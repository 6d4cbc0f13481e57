package io.keyward.testkit.sim;

import io.keyward.core.model.ObservedState;
import io.keyward.core.turn.TurnPlan;
import io.keyward.testkit.sim.node.AgentMistakes;
import io.keyward.testkit.sim.node.AgentRules;
import org.jspecify.annotations.Nullable;

/// Engines with a known mistake, at least one for each statement of the design, and adapters that
/// ignore one precondition of their writes. A simulator that does not find them, by the statement
/// they break, is worth nothing.
public enum Mutant implements Brain {
  /// A KMS provider whose key secret is lost leaves the configuration.
  W2_LOST_SECRET_LOSES_PROVIDER(2, LayoutMistakes::lostSecretLosesProvider),
  /// A configuration that vanished is rebuilt with identity as the writer.
  W6_PLAINTEXT_ON_REBUILD(5, LayoutMistakes::plaintextOnRebuild),
  /// A resource taken off the list leaves the configuration at once.
  W7_RESOURCE_DROPPED_AT_ONCE(2, LayoutMistakes::resourceDroppedAtOnce),
  /// A new key writes at once, without the stage in which all learn to read it.
  NO_READ_ONLY_STAGE(1, LayoutMistakes::noReadOnlyStage),
  /// The oldest key in use is pruned together with those that are not.
  PRUNES_ONE_TOO_MANY(2, KeyMistakes::prunesOneTooMany),
  /// A key is pruned although the last audit is older than the last migration.
  PRUNES_WITHOUT_PROOF(2, KeyMistakes::prunesWithoutProof),
  /// A new key does not wait until the one before it is migrated.
  MINTS_A_SECOND_KEY(3, KeyMistakes::mintsASecondKey),
  /// The serial of a key whose secret is lost is given again.
  MINTS_OVER_A_LOST_SECRET(3, KeyMistakes::mintsOverALostSecret),
  /// A key that instances can read leaves again before its cycle is finished.
  DROPS_A_KEY_ON_ITS_WAY(3, KeyMistakes::dropsAKeyOnItsWay),
  /// A key that may have written is recorded as withdrawn.
  WITHDRAWS_WHAT_WROTE(3, KeyMistakes::withdrawsWhatWrote),
  /// A key that is no longer asked for is taken back although it may have written.
  TAKES_BACK_WHAT_WROTE(4, KeyMistakes::takesBackWhatWrote),
  /// A configuration is written on top of one that has not arrived everywhere.
  ACTS_WHILE_INSTANCES_DIFFER(4, RolloutMistakes::actsWhileInstancesDiffer),
  /// One node speaks for all when it comes to the KEK.
  BELIEVES_ONE_NODE(4, KekMistakes::believesOneNode),
  /// A KEK counts while an API server may still write under the one before.
  DOES_NOT_LET_A_KEK_SETTLE(4, KekMistakes::doesNotLetAKekSettle),
  /// The time of a node whose clock is behind counts as if it were right.
  BELIEVES_A_CLOCK_THAT_IS_BEHIND(4, KekMistakes::believesAClockThatIsBehind),
  /// A change of the KEK that the operator saw counts from when a node says that it was.
  FORGETS_A_CHANGE_OF_THE_KEK(4, KekMistakes::forgetsAChangeThatItSaw),
  /// A KEK that the KMS rotated is answered with a new key.
  ROTATION_MINTS_A_KEY(6, KeyMistakes::rotationMintsAKey),
  /// A KMS configuration reaches the cluster untried.
  SKIPS_THE_PREFLIGHT(7, KeyMistakes::skipsThePreflight),
  /// New credentials reach the cluster untried.
  TRIES_NO_CREDENTIALS(7, KeyMistakes::triesNoCredentials),
  /// Nobody is told what is waited for.
  WAITS_IN_SILENCE(8, LayoutMistakes::waitsInSilence),
  /// Every turn, a wait begins again.
  FORGETS_SINCE_WHEN(8, LayoutMistakes::forgetsSinceWhen),
  /// A wait names no end.
  DOES_NOT_SAY_WHAT_ENDS_IT(8, LayoutMistakes::doesNotSayWhatEndsIt),
  /// A wait names no object.
  DOES_NOT_SAY_ON_WHAT(8, LayoutMistakes::doesNotSayOnWhat),
  /// A migration is never written down, so it begins again and again.
  NEVER_RECORDS_A_MIGRATION(9, LayoutMistakes::neverRecordsAMigration),
  /// A migration is written down while it runs.
  RECORDS_TOO_EARLY(13, LayoutMistakes::recordsTooEarly),
  /// A condition shows what is wrong with a credential by showing it.
  TELLS_A_CREDENTIAL(10, LayoutMistakes::tellsACredential),

  /// A configuration that is incompatible with the running one becomes a revision.
  ROLLS_OUT_WHAT_DOES_NOT_FIT(5, RolloutMistakes::rollsOutWhatDoesNotFit),
  /// The next node does not wait for the one before it.
  ROLLS_TWO_NODES_AT_ONCE(4, RolloutMistakes::rollsTwoNodesAtOnce),
  /// A ready node gets the next revision while another one is down.
  MOVES_ON_FROM_AN_UNREADY_NODE(4, RolloutMistakes::movesOnFromAnUnreadyNode),
  /// A node goes back to an older revision.
  SENDS_A_NODE_BACK(4, RolloutMistakes::sendsANodeBack),
  /// A node that is down does not get the correction.
  WAITS_FOR_A_DOWNED_NODE(9, RolloutMistakes::waitsForADownedNode),
  /// What is written never becomes a revision.
  NEVER_MAKES_A_REVISION(9, RolloutMistakes::neverMakesARevision),
  /// A revision gets the number of another one.
  REUSES_A_REVISION_NUMBER(15, RolloutMistakes::reusesARevisionNumber),
  /// A revision gets a number that a crash left behind.
  IGNORES_TAKEN_NUMBERS(9, RolloutMistakes::ignoresTakenNumbers),
  /// A removed node that still runs is dropped at once.
  DROPS_REMOVED_NODES_AT_ONCE(1, RolloutMistakes::dropsRemovedNodesAtOnce),
  /// A removed node that is gone stays in the status.
  NEVER_DROPS_A_REMOVED_NODE(9, RolloutMistakes::neverDropsARemovedNode),
  /// A Deployment gets the next revision while its pods are replaced.
  DEPLOYS_WHILE_PODS_ARE_REPLACED(4, DeploymentMistakes::deploysWhilePodsAreReplaced),
  /// A Deployment gets the revision before the newest one.
  DEPLOYS_AN_OLDER_REVISION(4, DeploymentMistakes::deploysAnOlderRevision),
  /// A Deployment never gets a revision.
  NEVER_DEPLOYS(9, DeploymentMistakes::neverDeploys),
  /// A node that runs a revision which the cluster does not know is taken for one on its way.
  ACTS_OVER_AN_UNKNOWN_REVISION(12, RolloutMistakes::actsOverAnUnknownRevision),

  /// An agent restarts the API server and has not written the file.
  AGENT_WRITES_NO_FILE(15, AgentMistakes.WRITES_NO_FILE),
  /// An agent writes the number of a revision before its file, and crashes between the two.
  AGENT_WRITES_THE_NUMBER_FIRST(15, AgentMistakes.WRITES_THE_NUMBER_FIRST),
  /// An agent reports a revision before the process runs it.
  AGENT_REPORTS_TOO_EARLY(15, AgentMistakes::reportsTooEarly),
  /// An agent takes the process from before the write for the new one.
  AGENT_TRUSTS_THE_OLD_PROCESS(15, AgentMistakes::takesTheOldProcessForTheNewOne),
  /// An agent starts the API server with a file that somebody edited.
  AGENT_IGNORES_THE_FILE_DIGEST(15, AgentMistakes::ignoresTheDigestOfTheFile),
  /// An agent does not compare the digest that the API server reports with the file.
  AGENT_IGNORES_THE_LOADED_DIGEST(15, AgentMistakes.IGNORES_THE_LOADED_DIGEST),
  /// An agent replaces a configuration that was not created by Keyward.
  AGENT_WRITES_OVER_EXISTING(12, AgentMistakes::writesOverAnExistingConfiguration),
  /// An agent does not restart an API server that runs the files from before.
  AGENT_NEVER_RESTARTS(9, AgentMistakes::neverRestarts),
  /// An agent never reports a revision that runs.
  AGENT_NEVER_ARRIVES(9, AgentMistakes::neverArrives),

  /// A key secret replaces another one with its name.
  IGNORES_KEY_IS_NEW(0, Precondition.KEY_IS_NEW),
  /// A key secret is written over what somebody else wrote.
  IGNORES_KEY_VERSION(0, Precondition.KEY_VERSION),
  /// A former leader makes a key.
  IGNORES_MINT_CONFIG(3, Precondition.MINT_CONFIG),
  /// A key is made although the newest one lost its marks since.
  IGNORES_MINT_KEYS(3, Precondition.MINT_KEYS),
  /// A key is made by an operator that saw no rollout, and all secrets are gone.
  IGNORES_MINT_STATUS(3, Precondition.MINT_STATUS),
  /// A mark is written although its proof is gone.
  IGNORES_MARK_PROOF(0, Precondition.MARK_PROOF),
  /// A former leader deletes a key secret that somebody changed.
  IGNORES_PRUNE_VERSION(0, Precondition.PRUNE_VERSION),
  /// A configuration is written over what somebody else wrote.
  IGNORES_CONFIG_VERSION(5, Precondition.CONFIG_VERSION),
  /// A configuration is written on top of a rollout that was not seen.
  IGNORES_PUBLISH_STATUS(3, Precondition.PUBLISH_STATUS),
  /// A configuration drops the last copy of a key.
  IGNORES_PUBLISH_KEYS(3, Precondition.PUBLISH_KEYS),
  /// A migration is started in place of another one.
  IGNORES_MIGRATION_VERSION(0, Precondition.MIGRATION_VERSION),
  /// The result of a preflight is written over that of another one.
  IGNORES_PREFLIGHT_VERSION(0, Precondition.PREFLIGHT_VERSION),
  /// A report is removed that its node has written again.
  IGNORES_REPORT_VERSION(0, Precondition.REPORT_VERSION),
  /// A complete revision is written over.
  IGNORES_REVISION_IS_NEW(15, Precondition.REVISION_IS_NEW),
  /// A revision is announced whose configuration was written over.
  IGNORES_REVISION_CONFIG(5, Precondition.REVISION_CONFIG),
  /// Two operators write the parts of one revision.
  IGNORES_REVISION_OWNER(0, Precondition.REVISION_OWNER),
  /// A plugin that works on one node is good enough.
  IGNORES_ALL_NODES_ANSWER(7, Precondition.ALL_NODES_ANSWER),
  /// The template of a Deployment is written over what somebody else wrote.
  IGNORES_DEPLOYMENT_VERSION(4, Precondition.DEPLOYMENT_VERSION),
  /// Targets are set that were decided before others were.
  IGNORES_STATUS_VERSION(4, Precondition.STATUS_VERSION);

  private final int statement;

  // A function without state, which its type does not show.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Brain brain;

  // The same.
  @SuppressWarnings("ImmutableEnumChecker")
  private final AgentRules agent;

  private final @Nullable Precondition ignored;

  Mutant(int statement, Brain brain) {
    this(statement, brain, AgentRules.ENGINE, null);
  }

  Mutant(int statement, AgentRules agent) {
    this(statement, Brain.ENGINE, agent, null);
  }

  Mutant(int statement, Precondition ignored) {
    this(statement, Brain.ENGINE, AgentRules.ENGINE, ignored);
  }

  Mutant(int statement, Brain brain, AgentRules agent, @Nullable Precondition ignored) {
    this.statement = statement;
    this.brain = brain;
    this.agent = agent;
    this.ignored = ignored;
  }

  /// The number of the statement that this mistake breaks. Zero where no life has shown yet that it
  /// breaks any: other preconditions, or the next turn, make up for it.
  public int statement() {
    return statement;
  }

  @Override
  public TurnPlan plan(ObservedState seen) {
    return brain.plan(seen);
  }

  @Override
  public AgentRules agent() {
    return agent;
  }

  @Override
  public boolean heeds(String precondition) {
    return ignored == null || !ignored.name().equals(precondition);
  }
}
