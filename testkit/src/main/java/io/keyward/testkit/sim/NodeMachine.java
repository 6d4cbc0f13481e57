package io.keyward.testkit.sim;

import io.keyward.testkit.sim.node.AgentRules;
import io.keyward.testkit.sim.node.ConfigFile;
import io.keyward.testkit.sim.node.Machine;
import io.keyward.testkit.sim.node.SimulatedAgent;
import io.keyward.testkit.sim.node.SimulatedNode;

/// The machine of one instance, with its agent: everything that happens to files and processes of a
/// managed API server happens here, and the checks see it.
final class NodeMachine {
  /// Two starts within the blur of clocks would be one process to an agent.
  private static final int STEP_SECONDS = 2;

  /// More than an agent ever makes in one step.
  static final int ALL_WRITES = 100;

  private final Server server;
  private final Instance instance;
  private final SimulatedNode<Server.Revision> node;
  private final SimulatedAgent<Server.Revision> agent;
  private int starts;

  NodeMachine(Server server, Instance instance, Machine machine, AgentRules rules, long now) {
    this.server = server;
    this.instance = instance;
    this.node = new SimulatedNode<>(machine, file(instance.revision, instance.runs), now);
    this.agent = new SimulatedAgent<>(node, rules);
  }

  /// No file where there is no configuration.
  private static ConfigFile<Server.Revision> file(int number, Server.Revision revision) {
    boolean isFile = number > 0 || revision.layout() != null;
    return new ConfigFile<>(number, isFile ? revision.digest() : "", revision);
  }

  int installed() {
    return node.disk().number();
  }

  String digest() {
    return node.disk().config().digest();
  }

  void stop() {
    node.stop();
  }

  /// The agent takes one step, and crashes after so many writes.
  void act(World world, int writes) {
    boolean serves = server.isServing(instance, world.kms);
    if (instance.ahead != 0) {
      // Its files are of a later revision than any that the operator can set.
      SimulatedAgent.Report before = instance.reported();
      report(new SimulatedAgent.Report(before.current(), serves, before.failure()));
      return;
    }
    world.now += STEP_SECONDS;
    int target = instance.target;
    agent
        .step(
            new SimulatedAgent.Step<>(
                target,
                file(target, server.revision(target)),
                instance.reported(),
                serves,
                world.now,
                instance.clockIsAhead,
                writes),
            new NodeRules(server, instance))
        .ifPresent(report -> {
          new NodeRules(server, instance).onReport(report, node);
          report(report);
        });
    followDisk();
    followProcess(world);
  }

  /// Reports are in the same object as targets: a write that was decided before is refused.
  private void report(SimulatedAgent.Report report) {
    if (!report.equals(instance.reported())) {
      server.statusVersion = server.stamp();
    }
    instance.report(report);
  }

  /// The kubelet or the init system starts the API server, if it is due.
  boolean start(World world) {
    if (node.isStartDue()) {
      world.now += STEP_SECONDS;
      node.start(world.now, instance.clockIsAhead);
      followProcess(world);
      return true;
    }
    return false;
  }

  /// Somebody restarts the API server.
  void restart(World world) {
    node.stop();
    start(world);
  }

  void reboot(World world) {
    world.now += STEP_SECONDS;
    agent.crash();
    node.reboot(world.now, instance.clockIsAhead);
    followProcess(world);
  }

  /// Somebody edits the configuration file, or restores it.
  void edit(boolean isEdited) {
    if (isEdited) {
      node.disk().edit();
    } else {
      int number = node.disk().config().revision();
      node.disk().restore(file(number, server.revision(number)));
    }
    followDisk();
  }

  /// Somebody restores the file and, where the agent cannot, restarts what runs another one.
  void repair(World world) {
    edit(false);
    if (node.loaded().revision() == installed() && !node.loaded().digest().equals(digest())) {
      restart(world);
    }
  }

  boolean isUnderWay() {
    return instance.target > installed();
  }

  private void followDisk() {
    instance.edited = node.disk().isEdited();
  }

  private void followProcess(World world) {
    if (starts != node.starts()) {
      starts = node.starts();
      ConfigFile<Server.Revision> loaded = node.loaded();
      instance.revision = loaded.revision();
      instance.runs = loaded.content();
      instance.isForeign = node.disk().isForeign();
      instance.restart(world.now);
    }
  }
}
