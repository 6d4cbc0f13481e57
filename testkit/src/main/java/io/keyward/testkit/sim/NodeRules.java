package io.keyward.testkit.sim;

import io.keyward.testkit.sim.node.ConfigFile;
import io.keyward.testkit.sim.node.SimulatedAgent;
import io.keyward.testkit.sim.node.SimulatedNode;

/// The statements that a node agent must keep: 11, 12 and 15. Compared with the files and the
/// process, not with what the agent knows of them.
final class NodeRules implements SimulatedAgent.Witness<Server.Revision> {
  private final Server server;
  private final Instance instance;

  NodeRules(Server server, Instance instance) {
    this.server = server;
    this.instance = instance;
  }

  /// The only copy of a key may be there.
  @Override
  public void onWrite(ConfigFile<Server.Revision> replaced) {
    throw new Violation(
        replaced.revision() == 0 ? 11 : 12,
        instance.node + ": the agent writes over a file that it did not write");
  }

  @Override
  public void onRestart(ConfigFile<Server.Revision> file) {
    if (file.revision() > 0 && !isContentOf(file.revision(), file)) {
      throw new Violation(
          15, instance.node + ": the agent starts the API server with a file that is no revision");
    }
  }

  /// Another revision with the same content will do: no instance can tell them apart.
  void onReport(SimulatedAgent.Report report, SimulatedNode<Server.Revision> node) {
    ConfigFile<Server.Revision> runs = node.loaded();
    boolean isHere = report.current() == node.disk().number() && !node.disk().isEdited();
    if (report.ready()
        && report.current() > 0
        && isHere
        && node.reportsDigest()
        && !isContentOf((int) report.current(), runs)) {
      throw new Violation(
          15,
          instance.node
              + ": the agent reports an API server as ready that runs "
              + runs.digest()
              + " in place of revision "
              + report.current());
    }
    if (report.current() > instance.reported().current()
        && !isContentOf((int) report.current(), runs)) {
      throw new Violation(
          15,
          instance.node
              + ": the agent reports revision "
              + report.current()
              + ", but the process runs "
              + runs.digest());
    }
  }

  private boolean isContentOf(int number, ConfigFile<Server.Revision> file) {
    Server.Revision revision = server.revisions.get(number);
    return revision == null || revision.digest().equals(file.digest());
  }
}
