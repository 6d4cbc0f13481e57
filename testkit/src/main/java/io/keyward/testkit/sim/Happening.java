package io.keyward.testkit.sim;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.Mode;
import java.util.ArrayList;
import java.util.List;

/// Lets one event happen in a world.
final class Happening {
  private static final long[] STEPS = {5, 20, 60, 150, 400, 3600, 86_400, 691_200};
  private static final Mode[] MODES = {
    Mode.KMS, Mode.AESCBC, Mode.KMS, Mode.AESGCM, Mode.IDENTITY, Mode.KMS,
    Mode.KMS, Mode.AESCBC, Mode.KMS, Mode.SECRETBOX, Mode.IDENTITY, Mode.KMS
  };

  /// From two minutes behind on, the reports of a node are stale.
  private static final long[] CLOCKS = {0, 30, -45, 600, -119, 18_000, -1, -600, -90, -18_000};

  private final World world;

  Happening(World world) {
    this.world = world;
  }

  void happen(Event event) {
    Server server = world.servers.get(event.a() % World.SERVERS);
    int b = event.b();
    switch (event.kind()) {
      case OBSERVE, OBSERVE_STALE, WRITE, CRASH, DELAY, DELIVER, DUPLICATE, REFUSE, LOSE_ANSWER ->
          operate(event, server);
      case SETTLE -> new Quiescence(world).calm(server, 2 + b % 12);
      case ADVANCE -> world.now += STEPS[b % STEPS.length];
      case SNAPSHOT -> world.snapshot(server);
      case RESTART, READY, REVERT, UNREADY, FAIL, REPLACE_NODE, CRASH_AGENT, REBOOT -> {
        if (server.pods == null) {
          roll(event, server);
        } else {
          roll(event, server, server.pods);
        }
      }
      case UNKNOWN_REVISION, KNOWN_REVISION ->
          claim(
              server,
              event,
              b % 3 == 0 ? underWay(server, instance(server, b)) : instance(server, b));
      case STORE -> store(server, b);
      case MIGRATE, FAIL_MIGRATION, LOSE_MIGRATION -> migrate(event, server);
      case PREFLIGHT -> world.preflight(server, b % 3 != 0);
      case MONITOR -> {
        world.act(instance(server, b), NodeMachine.ALL_WRITES);
        world.monitor(server, instance(server, b));
      }
      case SET_CLOCK -> instance(server, b).setClock(CLOCKS[b / 7 % CLOCKS.length]);
      case AUDIT -> world.audit(server);
      case RESTORE_ETCD, ENCRYPTED_BEFORE, REFUSE_OBJECT, ADMIT_OBJECTS ->
          new OpenEvents(world).happen(event, server);
      case PLUGIN_DOWN -> instance(server, b).pluginsDown = true;
      case PLUGIN_UP -> instance(server, b).pluginsDown = false;
      case SET_MODE,
          SET_REMOTE_KEY,
          SET_EXTERNAL,
          SET_IMAGE,
          SET_REASON,
          DROP_RESOURCE,
          RETURN_RESOURCE ->
          edit(event);
      case ROTATE_KEK, ROTATE_BACK, KMS_DOWN, KMS_UP, EXPIRE_CREDENTIALS, RENEW_CREDENTIALS ->
          kms(event);
      case LOSE_KEY, DAMAGE_KEY, EDIT_KEY, LOSE_CONFIG, VANISH_CONFIG, RESTORE_CONFIG ->
          new Fault(server, world.spec.resources.get(server.index)).strike(event);
    }
    // A write of an operator may reach another server than the event names.
    for (Server one : world.servers) {
      one.pass(world.now);
      one.lastConverged = one.oldestOfOneContent().orElse(one.lastConverged);
      if (one.pods != null) {
        one.pods.look();
      }
      one.invariants.holdNow();
      if (world.keepsBackups) {
        one.backups.add(EtcdBackup.of(one));
      }
    }
  }

  private void kms(Event event) {
    int b = event.b();
    switch (event.kind()) {
      case ROTATE_KEK -> world.kms.version[b % Kms.REMOTE_KEYS]++;
      case ROTATE_BACK ->
          world.kms.version[b % Kms.REMOTE_KEYS] =
              Math.max(1, world.kms.version[b % Kms.REMOTE_KEYS] - 1);
      case KMS_DOWN -> world.kms.up[b % Kms.REMOTE_KEYS] = false;
      case KMS_UP -> world.kms.up[b % Kms.REMOTE_KEYS] = true;
      case EXPIRE_CREDENTIALS -> {
        if (world.spec.mode == Mode.KMS && !world.spec.external) {
          world.kms.oldestValidCredentials = world.spec.credentials + 1;
        }
      }
      default -> world.spec.credentials++;
    }
  }

  private void operate(Event event, Server server) {
    int b = event.b();
    // The second operator believes that it leads, now and then.
    Operator operator = world.operators.get(b % 10 == 0 ? 1 : 0);
    switch (event.kind()) {
      case CRASH -> operator.crash();
      case DELAY -> operator.delay();
      case DELIVER -> deliver();
      case DUPLICATE -> operator.writeTwice();
      case REFUSE -> operator.refused();
      case LOSE_ANSWER -> operator.losesAnswer();
      case OBSERVE_STALE -> {
        if (operator.isBusy()) {
          operator.write();
        } else {
          operator.observeStale(server, 1 + b / 10 % 7);
        }
      }
      case OBSERVE -> {
        if (operator.isBusy()) {
          operator.write();
        } else {
          operator.observe(server, b % 4 == 0);
        }
      }
      default -> operator.write();
    }
  }

  private void deliver() {
    Operator.Queued late = world.underway.poll();
    if (late != null) {
      late.apply();
    }
  }

  private static Instance instance(Server server, int b) {
    return server.instances.get(b % server.instances.size());
  }

  private static Instance underWay(Server server, Instance otherwise) {
    for (Instance one : server.instances) {
      if (one.machine != null && one.machine.isUnderWay()) {
        return one;
      }
    }
    return otherwise;
  }

  private void roll(Event event, Server server) {
    Instance instance = instance(server, event.b());
    switch (event.kind()) {
      case RESTART -> {
        boolean others = server.instances.stream().allMatch(i -> i.ready || i == instance);
        if (instance.machine != null) {
          instance.machine.act(world, NodeMachine.ALL_WRITES);
        } else if ((instance.revision != server.latest() || instance.failed)
            && (others || event.b() % 5 == 0)) {
          world.rollOut(server, instance);
        }
      }
      case READY -> {
        if (instance.machine == null || !instance.machine.start(world)) {
          instance.ready = !instance.failed;
        }
      }
      // Most crashes that matter are those of an agent that has something to write.
      case CRASH_AGENT -> world.act(underWay(server, instance), event.b() / 7 % 8);
      case REBOOT -> {
        if (instance.machine != null) {
          instance.machine.reboot(world);
        }
      }
      case UNREADY -> instance.ready = false;
      case FAIL -> instance.fail();
      case REVERT -> {
        if (!server.managed
            && instance.revision > server.lastConverged
            && !server.runsOneRevision()) {
          instance.restart(server.lastConverged, server.revision(server.lastConverged), world.now);
        }
      }
      default -> {
        if (server.managed && event.b() % 3 == 0) {
          server.remove(instance, world.now + STEPS[event.b() / 3 % STEPS.length]);
          server.statusVersion = server.stamp();
        } else {
          server.instances.remove(instance);
        }
        // Where Keyward has rolled nothing out, a new node gets the files that the others have.
        var added =
            server.newInstance(
                server.latest(),
                instance.isForeign ? instance.runs : server.newestRevision(),
                world.now);
        added.isForeign = instance.isForeign;
        server.instances.add(added);
      }
    }
  }

  /// The same where a controller replaces pods of a template.
  private void roll(Event event, Server server, PodSet pods) {
    Instance pod = instance(server, event.b());
    switch (event.kind()) {
      case RESTART -> pods.control();
      case READY -> {
        if (!pods.start(world.now)) {
          pod.ready = !pod.failed && !pod.isEnding;
        }
      }
      case UNREADY -> pod.ready = false;
      case FAIL -> {
        pod.fail();
        pods.giveUp();
      }
      case REVERT -> pods.undo();
      case REPLACE_NODE -> pods.evict(pod);
      default -> pods.giveUp();
    }
  }

  /// The files of a node and the cluster differ, until an administrator resolves it.
  private static void claim(Server server, Event event, Instance instance) {
    if (server.pods != null) {
      if (event.kind() == Event.Kind.UNKNOWN_REVISION) {
        server.pods.edit(event.b());
      } else {
        server.pods.repair();
      }
      return;
    }
    boolean isUnknown = event.kind() == Event.Kind.UNKNOWN_REVISION;
    // The number alone counts where a node has none yet.
    boolean isEdited = isUnknown && event.b() % 2 == 0 && instance.revision > 0;
    if (instance.machine == null) {
      instance.edited = isEdited;
    } else {
      instance.machine.edit(isEdited);
    }
    instance.ahead = isUnknown && !instance.edited ? 100_000 : 0;
  }

  private void store(Server server, int b) {
    List<Resource> all = Spec.RESOURCES.get(server.index);
    List<Instance> writers = server.writers();
    Instance instance = writers.get(b / 7 % writers.size());
    if (instance.ready) {
      world.store(server, instance, all.get(b % all.size()), b % Server.OBJECTS, (b / 11) % 2 == 0);
    }
  }

  private void migrate(Event event, Server server) {
    int b = event.b();
    var resources = new ArrayList<>(server.migrations.keySet());
    if (resources.isEmpty()) {
      return;
    }
    Resource resource = resources.get(b % resources.size());
    switch (event.kind()) {
      case MIGRATE -> world.migrate(server, resource, instance(server, b / 7), b % 2 == 0);
      case LOSE_MIGRATION -> server.migrations.remove(resource);
      default -> world.failMigration(server, resource, "conflict");
    }
  }

  private void edit(Event event) {
    Spec spec = world.spec;
    int b = event.b();
    var resources = spec.resources.get(event.a() % World.SERVERS);
    List<Resource> all = Spec.RESOURCES.get(event.a() % World.SERVERS);
    switch (event.kind()) {
      case SET_MODE -> spec.mode = MODES[b % MODES.length];
      case SET_REMOTE_KEY -> spec.remoteKey = b % Kms.REMOTE_KEYS;
      case SET_EXTERNAL -> spec.external = b % 2 == 0;
      case SET_IMAGE -> spec.image = 1 + b % 9;
      case SET_REASON -> spec.reason = "because-" + b;
      case DROP_RESOURCE -> {
        if (resources.size() > 1) {
          resources.remove(all.get(b % all.size()));
        }
      }
      default -> resources.addAll(all);
    }
    world.servers.forEach(server -> server.invariants.onSpec(spec));
  }
}
