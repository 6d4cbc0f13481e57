package io.keyward.testkit.sim.node;

import io.keyward.core.rollout.node.ApiServerProcess;
import io.keyward.core.rollout.node.NodeView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// One machine: its disk, the process of its API server, its clock, and what restarts the process.
public final class SimulatedNode<C> {
  private final Machine machine;
  private final NodeDisk<C> disk;
  private ConfigFile<C> loaded;
  private int startedFor;
  private long startedAt;
  private long clockAtStart;
  private long bootedAt;
  private int boots = 1;
  private int starts;
  private boolean isDown;

  public SimulatedNode(Machine machine, ConfigFile<C> provisioned, long now) {
    this.machine = machine;
    this.disk = new NodeDisk<>(machine.isStaticPod(), provisioned);
    this.loaded = provisioned;
    this.startedFor = disk.number();
    this.startedAt = now;
    this.bootedAt = now - 60;
  }

  public NodeDisk<C> disk() {
    return disk;
  }

  /// Whether its API server reports what it has read.
  public boolean reportsDigest() {
    return machine.reportsDigest();
  }

  boolean isStaticPod() {
    return machine.isStaticPod();
  }

  /// What the process has read.
  public ConfigFile<C> loaded() {
    return loaded;
  }

  /// The process reads the files that are there.
  ///
  /// @param clock by how much the clock of the machine is ahead
  public void start(long now, long clock) {
    loaded = disk.config();
    startedFor = disk.number();
    startedAt = now;
    clockAtStart = clock;
    starts++;
    isDown = false;
  }

  /// How often the process was started.
  public int starts() {
    return starts;
  }

  public void reboot(long now, long clock) {
    boots++;
    bootedAt = now - 1;
    start(now, clock);
  }

  /// The process stopped, until the kubelet or the init system starts it again.
  public void stop() {
    isDown = true;
  }

  /// Whether somebody other than the agent starts the API server now.
  public boolean isStartDue() {
    return disk.isStartable() && (isDown || (machine.isStaticPod() && startedFor != disk.number()));
  }

  /// What the API server answers.
  NodeView.Server look(boolean ready, long clock) {
    return isDown
        ? NodeView.Server.UNREACHABLE
        : new NodeView.Server(
            ready,
            Optional.of(process(clock)),
            machine.reportsDigest() && loaded.revision() > 0
                ? Optional.of(loaded.digest())
                : Optional.empty());
  }

  /// The time of the boot is derived from the clock as it is now.
  private ApiServerProcess process(long clock) {
    long start = startedAt + (machine.remembersStart() ? clockAtStart : clock);
    return new ApiServerProcess(
        "boot-" + boots,
        Instant.ofEpochSecond(start),
        Duration.ofSeconds(start - (bootedAt + clock)));
  }
}
