package io.keyward.core.rollout;

import io.keyward.core.model.Blocker;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.core.model.rollout.Revisions;
import java.util.Optional;

/// What keeps a node from a revision. The words are the same wherever they are read.
public sealed interface RolloutBlocker {
  String node();

  /// A sentence that begins with the node.
  String words();

  /// What somebody can do about it.
  String remedy();

  boolean hinders(long revision);

  /// What keeps an instance from a revision.
  static Optional<RolloutBlocker> of(Revisions.Node instance) {
    return instance
        .silence()
        .<RolloutBlocker>map(since -> new Silent(instance.name(), since))
        .or(() ->
            instance.failed() > instance.current()
                ? Optional.of(new Failed(instance.name(), instance.failed(), instance.failure()))
                : Optional.empty());
  }

  static RolloutBlocker of(RemovedNode node) {
    return new Left(node.node(), node.reports());
  }

  default String sentence() {
    return words() + "; " + remedy();
  }

  /// It tried and could not.
  ///
  /// @param why in the words of its agent; empty where it said nothing
  record Failed(String node, long revision, String why) implements RolloutBlocker {
    @Override
    public String words() {
      return "node "
          + node
          + " cannot run revision "
          + revision
          + (why.isEmpty() ? "" : ": " + OneLine.of(why));
    }

    @Override
    public String remedy() {
      return "fix it there, or correct the configuration: that node gets the next revision"
          + " first";
    }

    /// A newer revision is the correction of an older one that failed.
    @Override
    public boolean hinders(long newest) {
      return newest == revision;
    }
  }

  /// It is no node of this API server any more, and may run one all the same, with a configuration
  /// that nobody brings up to date.
  ///
  /// @param reports whether its agent was asked and said that it is there
  record Left(String node, boolean reports) implements RolloutBlocker {
    @Override
    public String words() {
      return "node "
          + node
          + " is no longer a control-plane node"
          + (reports
              ? " but still reports that it runs an API server"
              : "; the operator checks whether its agent still reports");
    }

    @Override
    public String remedy() {
      return reports
          ? "stop its API server and its node agent, or restore its label or its entry in the"
              + " configuration"
          : "the node is forgotten if there is no answer";
    }

    @Override
    public boolean hinders(long revision) {
      return true;
    }
  }

  /// Its machine does not answer, so what its agent said last may be true no more.
  ///
  /// @param since in the words of Kubernetes
  record Silent(String node, String since) implements RolloutBlocker {
    @Override
    public String words() {
      return "node " + node + " does not respond (" + since + ")";
    }

    @Override
    public String remedy() {
      return "start it, or delete the Node if it is gone for good";
    }

    @Override
    public boolean hinders(long revision) {
      return true;
    }
  }

  /// Its API server runs a configuration that the cluster does not know. Anything that is published
  /// may take away the only copy of a key.
  sealed interface Unknown extends RolloutBlocker {
    /// How users call it: `node`, `pod` or `Deployment`.
    String kind();

    Blocker blocker();

    @Override
    default boolean hinders(long revision) {
      return true;
    }
  }

  /// Its API server encrypts already, and not with a revision.
  ///
  /// @param what for example `aescbc for secrets in /etc/kubernetes/enc.yaml`
  record Existing(String kind, String node, String what) implements Unknown {
    @Override
    public Blocker blocker() {
      return Blocker.EXISTING_ENCRYPTION;
    }

    @Override
    public String words() {
      return kind
          + " "
          + node
          + " has an encryption configuration that Keyward did not create: "
          + OneLine.of(what);
    }

    @Override
    public String remedy() {
      return "Keyward does not support adopting an existing encryption configuration yet, so it"
          + " changes nothing: re-encrypt the data with identity as the first provider and leave"
          + " only identity in the configuration, or withdraw the request for encryption";
    }
  }

  /// It has a revision whose content is not in the cluster.
  ///
  /// @param isNumberKnown whether the cluster has another content under this number
  record UnknownRevision(String kind, String node, long revision, boolean isNumberKnown)
      implements Unknown {
    @Override
    public Blocker blocker() {
      return Blocker.UNKNOWN_REVISION;
    }

    @Override
    public String words() {
      return kind
          + " "
          + node
          + (isNumberKnown
              ? " has a configuration that differs from revision " + revision + " of the cluster"
              : " runs revision " + revision + ", which the cluster does not know");
    }

    @Override
    public String remedy() {
      return "it may hold the only copy of a key, so nothing is published: "
          + (isNumberKnown
              ? "if the file was edited, restore it from the Secret of that revision; if etcd was"
                  + " restored from a backup, keep a copy of the file and restore a later backup"
              : "if etcd was restored from a backup, create the Secret of that revision again from"
                  + " the configuration file of that node, or restore a later backup");
    }
  }
}
