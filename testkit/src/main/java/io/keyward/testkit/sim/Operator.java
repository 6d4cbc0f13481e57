package io.keyward.testkit.sim;

import io.keyward.core.health.ReportHistory;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.turn.TurnPlan;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// An operator process. Looks once, then carries the plan out write by write; each write is refused
/// if what it was based on has changed. A crash forgets the rest.
final class Operator {
  private final World world;
  private final Deque<Queued> writes = new ArrayDeque<>();
  private final Map<Integer, OperatorReading> readings = new TreeMap<>();
  private final Map<Integer, ReportHistory> histories = new TreeMap<>();

  /// The last plan for each API server.
  private final Map<Integer, Planned> planned = new TreeMap<>();

  /// A plan is made once for one state; [PlanInvariants#onPlanAgain] checks that this is allowed.
  private record Planned(ObservedState seen, TurnPlan plan) {
    /// Name, settings and unreachable nodes never change in the simulated world.
    boolean isFor(ObservedState other) {
      return seen.at().equals(other.at())
          && seen.wanted().equals(other.wanted())
          && seen.stored().equals(other.stored())
          && seen.rollout().equals(other.rollout())
          && seen.revisions().equals(other.revisions())
          && seen.activity().equals(other.activity())
          && seen.conditions().equals(other.conditions());
    }
  }

  /// A write, and the step of the plan that it belongs to: the first one that fails ends the step.
  record Queued(long step, Write write, OperatorReading read) {
    boolean apply() {
      return write.apply(read);
    }

    /// As it is sent now: later writes of the same turn do not change it.
    Queued sent() {
      return new Queued(step, write, OperatorReading.copyOf(read));
    }
  }

  Operator(World world) {
    this.world = world;
  }

  void crash() {
    writes.clear();
    readings.clear();
    histories.clear();
    world.servers.forEach(server -> server.keks.forget(this));
    planned.clear();
  }

  boolean isBusy() {
    return !writes.isEmpty();
  }

  void write() {
    Queued next = writes.poll();
    if (next != null && !next.apply()) {
      endStep(next);
    }
  }

  /// The answer got lost, so the request is sent once more. The second one counts.
  void writeTwice() {
    Queued next = writes.poll();
    if (next != null) {
      Queued again = next.sent();
      next.apply();
      if (!again.apply()) {
        endStep(next);
      }
    }
  }

  /// The server refuses the request, or is too busy for it.
  void refused() {
    Queued next = writes.poll();
    if (next != null) {
      endStep(next);
    }
  }

  /// The request is carried out, and nobody learns of it.
  void losesAnswer() {
    Queued next = writes.poll();
    if (next != null) {
      next.apply();
      endStep(next);
    }
  }

  /// The request is stuck in the network and arrives some time, also after a crash of its sender.
  void delay() {
    Queued next = writes.poll();
    if (next != null) {
      world.underway.add(next.sent());
      endStep(next);
    }
  }

  private void endStep(Queued failed) {
    writes.removeIf(one -> one.step() == failed.step());
  }

  /// Reports, migrations, preflights and conditions come through informers and may be old.
  void observe(Server server, boolean lag) {
    server.pass(world.now);
    OperatorReading before = readings.get(server.index);
    plan(
        server,
        lag && before != null
            ? OperatorReading.lagging(server, world.kms, before)
            : OperatorReading.of(server, world.kms),
        true);
  }

  /// What is read live at other times is old as well; see [OperatorReading#stale].
  void observeStale(Server server, int which) {
    OperatorReading before = readings.get(server.index);
    if (before == null) {
      observe(server, false);
    } else {
      plan(server, OperatorReading.stale(server, world.kms, before, which), false);
    }
  }

  private void plan(Server server, OperatorReading read, boolean live) {
    readings.put(server.index, OperatorReading.copyOf(read));
    ObservedState seen = look(server, read);
    Planned before = planned.get(server.index);
    TurnPlan plan = before != null && before.isFor(seen) ? before.plan() : world.brain.plan(seen);
    planned.put(server.index, new Planned(seen, plan));
    world.plans++;
    server.plans.onPlan(seen, plan, this, live ? world.kms : null);
    if (world.plans % 16 == 0) {
      server.plans.onPlanAgain(seen, plan, world.brain);
    }
    writes.addAll(new Shell(world, server, seen).writes(plan, read));
  }

  private List<HealthReport> reports(Server server, OperatorReading read) {
    ReportHistory history =
        histories
            .getOrDefault(server.index, ReportHistory.EMPTY)
            .after(
                read.reports.values(),
                new ReportHistory.Look(world.instant(), Duration.ofSeconds(world.now)));
    histories.put(server.index, history);
    server.keks.seenBy(this, read.reports.values());
    return history.complete(read.reports.values());
  }

  private ObservedState look(Server server, OperatorReading read) {
    return new ObservedState(
        world.instant(),
        server.name,
        world.spec.wanted(server.index, world.kms),
        read.stored(world.spec, world.kms),
        read.status.rollout(),
        read.activity(reports(server, read)),
        read.conditions,
        World.SETTINGS,
        Collections.emptySortedSet(),
        read.status.revisions(read.published));
  }
}
