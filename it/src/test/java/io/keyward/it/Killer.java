package io.keyward.it;

import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.NodePlugin;
import io.keyward.testbed.Traffic;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Kills one part of a managed cluster after the other with SIGKILL, at moments that a seed
/// decides. Every part has its turn before any has a second one.
final class Killer implements AutoCloseable {
  private static final Duration RECOVERY = Duration.ofMinutes(2);
  private static final int MOST_PAUSE_MILLIS = 8_000;

  enum Victim {
    OPERATOR,
    AGENT,
    API_SERVER,
    ETCD,
    PLUGIN
  }

  private final ManagedCluster cluster;
  private final NodePlugin plugin;
  private final Traffic traffic;
  private final Random random;
  private final List<Victim> killed = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean ended;
  private volatile @Nullable RuntimeException failure;

  Killer(ManagedCluster cluster, NodePlugin plugin, Traffic traffic, long seed, int rounds) {
    this.cluster = cluster;
    this.plugin = plugin;
    this.traffic = traffic;
    this.random = new Random(seed);
    this.thread = Thread.ofVirtual().start(() -> attempt(rounds));
  }

  private void attempt(int rounds) {
    try {
      kill(rounds);
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void kill(int rounds) {
    List<Victim> next = new ArrayList<>();
    while (killed.size() < rounds && !ended) {
      if (next.isEmpty()) {
        Collections.addAll(next, Victim.values());
        Collections.shuffle(next, random);
      }
      try {
        Thread.sleep(random.nextInt(MOST_PAUSE_MILLIS));
      } catch (InterruptedException _) {
        return;
      }
      Victim victim = next.removeFirst();
      strike(victim);
      killed.add(victim);
    }
  }

  private void strike(Victim victim) {
    int node = random.nextInt(ManagedCluster.NODES);
    if (victim == Victim.ETCD) {
      traffic.forgive(true);
    }
    // Two at once is another story: a rollout takes one away already.
    if (victim == Victim.API_SERVER) {
      recovered();
    }
    ServerProcess process =
        switch (victim) {
          case OPERATOR -> cluster.operator();
          case AGENT -> cluster.agent(node);
          case API_SERVER -> cluster.apiServer(node);
          case ETCD -> cluster.etcd().process();
          case PLUGIN -> plugin.process(cluster.nodes().get(node));
        };
    process.kill();
    if (victim == Victim.ETCD) {
      Waiting.until(() -> cluster.etcd().isReady(), RECOVERY);
      recovered();
      traffic.forgive(false);
    }
  }

  private void recovered() {
    Waiting.until(
        () -> ended || IntStream.range(0, ManagedCluster.NODES).allMatch(cluster.gate()::isReady),
        RECOVERY);
  }

  boolean isDone() {
    return !thread.isAlive();
  }

  /// @throws IllegalStateException if it could not go on
  List<Victim> killed() {
    RuntimeException why = failure;
    if (why != null) {
      throw new IllegalStateException("could kill no more after " + killed, why);
    }
    return killed;
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
