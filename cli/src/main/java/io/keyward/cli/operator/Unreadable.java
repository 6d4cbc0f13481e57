package io.keyward.cli.operator;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.operator.ClusterReader.Unread;
import java.io.PrintWriter;
import java.util.List;

/// API servers that could not be read, for people.
final class Unreadable {
  private Unreadable() {}

  static void print(List<Unread> all, PrintWriter err) {
    for (Unread one : all) {
      var failure =
          new CommandFailure(
              one.apiServer() + ": " + one.failure().getMessage(), ClusterCall.INSTALL);
      err.println(failure.explanation());
    }
  }
}
