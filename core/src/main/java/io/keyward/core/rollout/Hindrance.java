package io.keyward.core.rollout;

/// What keeps a node from a revision. The words are the same wherever they are read.
public sealed interface Hindrance {
  String node();

  /// A sentence that begins with the node.
  String words();

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
  }
}
