package io.keyward.testkit.sim;

import io.keyward.core.model.Activity;
import io.keyward.core.model.Condition;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.PreflightState;
import io.keyward.core.model.Resource;
import io.keyward.core.turn.TurnPlan;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// An operator process. Looks once, then carries the plan out write by write; each write fails if
/// what it was based on has changed. A crash forgets the rest.
final class Operator {
  private final World world;
  private final Deque<Runnable> writes = new ArrayDeque<>();
  private final Map<Integer, Cache> caches = new TreeMap<>();

  /// What comes through informers and may be old. Secrets, pods, the written configuration and the
  /// admin's wish are read live, because there staleness could hurt.
  record Cache(
      Map<String, HealthReport> reports,
      Map<Resource, Server.Migration> migrations,
      PreflightState preflight,
      List<Condition> conditions) {

    static Cache of(Server server) {
      return new Cache(
          new TreeMap<>(server.reports),
          new TreeMap<>(server.migrations),
          server.preflight,
          server.conditions);
    }
  }

  Operator(World world) {
    this.world = world;
  }

  void crash() {
    writes.clear();
    caches.clear();
  }

  boolean isBusy() {
    return !writes.isEmpty();
  }

  void write() {
    Runnable next = writes.poll();
    if (next != null) {
      next.run();
    }
  }

  /// The answer got lost, so the request is sent once more.
  void writeTwice() {
    Runnable next = writes.poll();
    if (next != null) {
      next.run();
      next.run();
    }
  }

  /// The request is stuck in the network and arrives some time, also after a crash of its sender.
  void delay() {
    Runnable next = writes.poll();
    if (next != null) {
      world.underway.add(next);
    }
  }

  void observe(Server server, boolean lag) {
    Cache live = Cache.of(server);
    Cache cache = lag ? caches.getOrDefault(server.index, live) : live;
    caches.put(server.index, cache);
    ObservedState seen = look(server, cache);
    TurnPlan plan = world.brain.plan(seen);
    world.plans++;
    server.plans.onPlan(seen, plan, world.kms);
    if (world.plans % 16 == 0) {
      server.plans.onPlanAgain(seen, plan, world.brain);
    }
    writes.addAll(new Shell(world, server, seen, cache).writes(plan));
  }

  private ObservedState look(Server server, Cache cache) {
    var migrations = new TreeMap<Resource, MigrationStatus>();
    cache.migrations().forEach((resource, known) -> migrations.put(resource, known.status()));
    return new ObservedState(
        world.instant(),
        server.name,
        world.spec.wanted(server.index, world.kms),
        server.stored(),
        server.rollout(world.kms),
        new Activity(
            migrations, cache.preflight(), List.copyOf(cache.reports().values()), Optional.empty()),
        cache.conditions(),
        World.SETTINGS,
        Collections.emptySortedSet(),
        server.revisions());
  }
}
