package io.keyward.bench.engine;

import io.keyward.core.model.Activity;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import io.keyward.testkit.sim.Brain;
import io.keyward.testkit.sim.Scenario;
import io.keyward.testkit.sim.Simulator;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// One turn over 100 keys and 5 resources, and steps of the simulator.
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 3)
public class EngineBenchmark {
  private static final Instant NOW = Instant.parse("2026-01-15T00:00:00Z");

  /// A settled cluster with a long history.
  @State(Scope.Benchmark)
  public static class Cluster {
    final ObservedState seen = state();

    private static ObservedState state() {
      var resources = new TreeSet<Resource>();
      for (String name : List.of("configmaps", "secrets", "a.example", "b.example", "c.example")) {
        resources.add(Resource.parse(name));
      }
      var keys = new ArrayList<Key>();
      for (int serial = 1; serial <= 100; serial++) {
        var migrated = new Migrated(resources, Optional.of(NOW), new TreeMap<>());
        KeyMaterial material = KeyMaterial.copyOf(ByteBuffer.allocate(32).putInt(serial).array());
        keys.add(
            new Key(
                new KeySerial(serial),
                Mode.AESCBC,
                material,
                true,
                Optional.empty(),
                migrated,
                "rotation-interval-has-passed",
                ""));
      }
      var slots =
          List.of(new KeyStack.Slot(keys.getLast(), ""), new KeyStack.Slot(keys.get(98), ""));
      var stacks = new TreeMap<Resource, KeyStack>();
      resources.forEach(
          resource -> stacks.put(resource, new KeyStack(Optional.of(new KeySerial(100)), slots)));
      var layout = new EncryptionLayout(stacks);
      return new ObservedState(
          NOW,
          "server",
          RequestedEncryption.plain(Mode.AESCBC, resources),
          new Stored(keys, List.of(), Optional.of(layout)),
          new Rollout.Converged(7, Optional.of(layout), "w", new TreeSet<>(List.of("a", "b"))),
          Activity.NONE,
          List.of(),
          Settings.DEFAULT);
    }
  }

  /// Counts simulated steps beside whole runs.
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  @State(Scope.Thread)
  public static class Steps {
    public long steps;
    private long seed = 1;

    long next() {
      return seed++;
    }
  }

  /// Building the state is part of a turn: the ring of keys is merged there.
  @Benchmark
  @BenchmarkMode(org.openjdk.jmh.annotations.Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public TurnPlan turn(Cluster cluster) {
    ObservedState seen = cluster.seen;
    return Turn.plan(
        new ObservedState(
            seen.at(),
            seen.component(),
            seen.wanted(),
            seen.stored(),
            seen.rollout(),
            seen.activity(),
            seen.conditions(),
            seen.settings()));
  }

  @Benchmark
  @BenchmarkMode(org.openjdk.jmh.annotations.Mode.Throughput)
  @OutputTimeUnit(TimeUnit.SECONDS)
  public Simulator.Outcome simulate(Steps steps) {
    Simulator.Outcome outcome = Simulator.run(Scenario.of(steps.next()), Brain.ENGINE);
    steps.steps += outcome.steps();
    return outcome;
  }
}
