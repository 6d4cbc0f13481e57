package io.keyward.testkit.sim;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Events for which the rules are not there yet: etcd is restored from a backup, a cluster was
/// encrypted before Keyward was installed, admission refuses single objects.
final class OpenEvents {
  /// Of no configuration that an operator writes.
  private static final int FOREIGN = -2;

  private final World world;

  OpenEvents(World world) {
    this.world = world;
  }

  void happen(Event event, Server server) {
    List<Resource> resources = Spec.RESOURCES.get(server.index);
    Resource resource = resources.get(event.b() % resources.size());
    switch (event.kind()) {
      case RESTORE_ETCD -> restore(server, event.b());
      case ENCRYPTED_BEFORE -> encrypt(server);
      case REFUSE_OBJECT ->
          server.refused.add(new Server.Refused(resource, event.b() / 2 % Server.OBJECTS));
      default -> server.refused.clear();
    }
  }

  /// Few steps back or many. Cutting a scenario must not turn one backup into another one.
  private static void restore(Server server, int b) {
    int last = server.backups.size() - 1;
    if (last >= 0) {
      server.backups.get(Math.max(0, last - (1 << b % 8))).restore(server);
    }
  }

  /// Only where Keyward has written nothing yet.
  private void encrypt(Server server) {
    if (server.published != null || !server.secrets.isEmpty() || server.latest() > 0) {
      return;
    }
    byte[] material = new byte[32];
    Arrays.fill(material, (byte) ++world.materials);
    Key key =
        Key.unbacked(KeySerial.FIRST, Mode.AESCBC, KeyMaterial.copyOf(material), Optional.empty());
    var stack = new KeyStack(Optional.of(key.serial()), List.of(new KeyStack.Slot(key, "")));
    var stacks = new TreeMap<Resource, KeyStack>();
    for (Resource resource : Spec.RESOURCES.get(server.index)) {
      stacks.put(resource, stack);
      Arrays.setAll(
          server.etcd.getOrDefault(resource, new Value[0]), _ -> new Value(key, "", null));
    }
    var files = new Server.Revision(new EncryptionLayout(stacks), false, FOREIGN);
    for (Instance instance : server.instances) {
      instance.restart(0, files, world.now);
      instance.isForeign = true;
      instance.ready = true;
      server.provision(instance, world.now);
    }
    server.etcdVersion++;
  }
}
