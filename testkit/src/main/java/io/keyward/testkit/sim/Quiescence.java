package io.keyward.testkit.sim;

import io.keyward.core.model.Condition;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.Mode;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The world stops changing: nothing fails, everybody does their work, one operator leads. Then it
/// must settle in what the admin asked for.
final class Quiescence {
  private static final int ROUNDS = 400;
  private static final int CALM = 4;
  private static final long ROUND_SECONDS = 100;

  private final World world;

  Quiescence(World world) {
    this.world = world;
  }

  void settle() {
    Arrays.fill(world.kms.up, true);
    world.operators.forEach(Operator::crash);
    world.kms.oldestValidCredentials =
        world.spec.mode == Mode.KMS && !world.spec.external ? world.kms.oldestValidCredentials : 0;
    world.spec.credentials = Math.max(world.spec.credentials, world.kms.oldestValidCredentials);
    for (Server server : world.servers) {
      server.instances.forEach(instance -> {
        instance.ahead = 0;
        if (instance.machine == null) {
          instance.edited = false;
        } else {
          instance.machine.repair(world);
        }
        instance.setClock(0);
        instance.pluginsDown = false;
      });
    }
    world.servers.forEach(server -> {
      if (server.pods != null) {
        server.pods.repair();
        server.instances.forEach(pod -> pod.failed = false);
      }
    });
    world.servers.forEach(server -> server.refused.clear());
    world.servers.forEach(server -> server.removed.forEach(RemovedInstance::stop));
    world.servers.forEach(this::settle);
    // Requests that were on their way all that time arrive now, when nobody expects them.
    while (!world.underway.isEmpty()) {
      arrives(world.underway.remove());
    }
  }

  /// A request changes its own server, or is refused and changes nothing.
  private void arrives(Operator.Queued late) {
    if (late.apply()) {
      for (Server server : world.servers) {
        if (server.name.equals(late.read().server)) {
          server.invariants.holdNow();
          settle(server);
        }
      }
    }
  }

  private void settle(Server server) {
    int calm = 0;
    int rounds = 0;
    while (calm < CALM) {
      if (++rounds > ROUNDS) {
        throw new Violation(9, server.name + " does not settle: " + status(server));
      }
      if (server.audit != null) {
        // An old one keeps old read keys, and with them the next key waits.
        world.audit(server);
      }
      calm = isRight(server) && !round(server) ? calm + 1 : 0;
      if (calm == 0) {
        round(server);
      }
      server.invariants.holdNow();
    }
  }

  /// Some time in which nothing special happens, so that a run gets anywhere.
  void calm(Server server, int rounds) {
    for (int i = 0; i < rounds; i++) {
      round(server);
    }
  }

  /// Whether anything changed.
  private boolean round(Server server) {
    int before = server.publishedVersion;
    int stamps = server.stamps();
    world.now += ROUND_SECONDS;
    if (server.pods != null) {
      rollOut(server, server.pods);
    } else if (server.managed) {
      rollOut(server);
    } else {
      world.snapshot(server);
    }
    for (Instance instance : server.instances) {
      if (!server.managed && (instance.revision != server.latest() || instance.failed)) {
        world.rollOut(server, instance);
        server.invariants.holdNow();
      }
      instance.ready = server.pods == null || (!instance.isEnding && !instance.failed);
      world.monitor(server, instance);
    }
    world.preflight(server, true);
    for (Resource resource : List.copyOf(server.migrations.keySet())) {
      for (int i = 0; i < Server.OBJECTS; i++) {
        world.migrate(server, resource, server.instances.getFirst(), false);
      }
    }
    turn(server);
    return before != server.publishedVersion || stamps != server.stamps();
  }

  /// The controller replaces all pods that it should, and they become ready.
  private void rollOut(Server server, PodSet pods) {
    turn(server);
    for (int i = 0; i < 6 * pods.replicas + 2; i++) {
      pods.control();
      pods.start(world.now);
      for (Instance pod : server.instances) {
        pod.ready = !pod.isEnding && !pod.failed;
        world.monitor(server, pod);
      }
      server.invariants.holdNow();
    }
    pods.look();
  }

  /// Agents and the operator take turns until the operator sets no more targets.
  private void rollOut(Server server) {
    int before = -1;
    for (int i = 0; before != server.statusVersion && i < 4 * server.instances.size(); i++) {
      before = server.statusVersion;
      for (Instance instance : server.instances) {
        act(server, instance);
        world.monitor(server, instance);
      }
      turn(server);
    }
  }

  /// The agent has its node run what it should, and reports it.
  private void act(Server server, Instance instance) {
    world.act(instance, NodeMachine.ALL_WRITES);
    if (instance.machine != null && instance.machine.start(world)) {
      server.invariants.holdNow();
    }
    instance.ready = true;
    world.act(instance, NodeMachine.ALL_WRITES);
    server.invariants.holdNow();
  }

  private void turn(Server server) {
    Operator leader = world.operators.getFirst();
    leader.observe(server, false);
    while (leader.isBusy()) {
      leader.write();
    }
  }

  private boolean isRight(Server server) {
    return server.isConverged(world.kms) && problem(server).isEmpty();
  }

  private String problem(Server server) {
    Key newest =
        server.secrets.descendingMap().values().stream()
            .filter(secret -> !secret.damaged() && !KeyCycles.isWithdrawn(secret.key()))
            .map(Server.Secret::key)
            .findFirst()
            .orElse(null);
    if (newest == null) {
      return world.spec.mode == Mode.IDENTITY ? "" : "no key";
    }
    if (newest.mode() != world.spec.mode) {
      return "the newest key has another mode";
    }
    if (server.published == null || !server.isSnapshot()) {
      return "the configuration is not rolled out";
    }
    var wanted = world.spec.resources.get(server.index);
    for (Resource resource : Spec.RESOURCES.get(server.index)) {
      Value[] values = server.etcd.getOrDefault(resource, new Value[0]);
      for (Value value : values) {
        if (!value.equals(Value.LEAKED)
            && !isRight(value, wanted.contains(resource) ? newest : null)) {
          return resource + " is stored under " + value;
        }
      }
      if (!wanted.contains(resource) && server.published.stacks().containsKey(resource)) {
        return resource + " has not left the configuration";
      }
    }
    return said(server);
  }

  private boolean isRight(Value value, @Nullable Key newest) {
    Key sealedBy = value.sealedBy();
    if (newest == null || newest.mode() == Mode.IDENTITY) {
      return sealedBy == null;
    }
    return sealedBy != null
        && sealedBy.serial().equals(newest.serial())
        && (newest.mode() != Mode.KMS || isRightKek(value, newest));
  }

  private boolean isRightKek(Value value, Key newest) {
    int remoteKey = Kms.remoteKeyOf(newest.kms().orElseThrow());
    return remoteKey == world.spec.remoteKey && world.kms.kek(remoteKey).equals(value.kek());
  }

  private String said(Server server) {
    String reason =
        server.conditions.stream()
            .filter(condition -> condition.type().equals("Encrypted"))
            .map(Condition::reason)
            .findFirst()
            .orElse("");
    String expected =
        world.spec.mode == Mode.IDENTITY ? "DecryptionCompleted" : "EncryptionCompleted";
    return reason.equals(expected) ? "" : "Encrypted says " + reason;
  }

  private String status(Server server) {
    return problem(server)
        + "; wanted "
        + world.spec.mode
        + "; runs "
        + (server.newestRevision().layout() == null
            ? "nothing"
            : server.newestRevision().layout().label())
        + "; "
        + server.conditions.stream()
            .filter(condition -> condition.status() != Condition.Status.FALSE)
            .map(condition -> condition.type() + " " + condition.message())
            .toList();
  }
}
