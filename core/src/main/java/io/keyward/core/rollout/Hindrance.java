package io.keyward.core.rollout;

/// What keeps a node from a revision. The words are the same wherever they are read.
public sealed interface Hindrance {
  String node();

  /// A sentence that begins with the node.
  String words();

  /// What somebody can do about it.
  String remedy();

  boolean hinders(long revision);

  default String sentence() {
    return words() + "; " + remedy();
  }

  /// It tried and could not.
  ///
  /// @param why in the words of its agent; empty where it said nothing
  record Failed(String node, long revision, String why) implements Hindrance {
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
      return "put it right there, or correct the configuration: that node gets the next revision"
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
  record Left(String node, boolean reports) implements Hindrance {
    @Override
    public String words() {
      return "node "
          + node
          + " is no longer a control-plane node"
          + (reports
              ? " but still reports that it runs an API server"
              : "; its agent is asked whether it is still there");
    }

    @Override
    public String remedy() {
      return reports
          ? "stop its API server and its node agent, or give it back its label or its place in the"
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
  record Silent(String node, String since) implements Hindrance {
    @Override
    public String words() {
      return "node " + node + " does not answer (" + since + ")";
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
}
