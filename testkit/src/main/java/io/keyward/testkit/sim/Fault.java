package io.keyward.testkit.sim;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Loses and damages things, but never the last copy of a key: nobody could help then.
final class Fault {
  private final Server server;
  private final Set<Resource> wanted;

  /// @param wanted the resources that the admin wants encrypted
  Fault(Server server, Set<Resource> wanted) {
    this.server = server;
    this.wanted = wanted;
  }

  void strike(Event event) {
    switch (event.kind()) {
      case LOSE_CONFIG -> loseConfig();
      case VANISH_CONFIG -> vanishConfig();
      case RESTORE_CONFIG -> restoreConfig(event.b());
      default -> strikeKey(event);
    }
  }

  private void loseConfig() {
    EncryptionLayout before = server.published;
    // Both copies at once would also take away what is known of resources that are leaving.
    if (before != null
        && server.runsOneRevision()
        && server.isSnapshot()
        && (server.layoutOf(server.instances.getFirst()) != null
            || (isKnownToBeOn() && areLeavingOnesKnown()))) {
      server.publish(null);
      if (isSomethingLost()) {
        server.publish(before);
      }
    }
  }

  /// Before the first migration has begun, the two configurations are all that shows it.
  private boolean isKnownToBeOn() {
    return !server.migrations.isEmpty()
        || server.secrets.values().stream()
            .anyMatch(secret -> !secret.damaged() && secret.key().migrated().at().isPresent());
  }

  /// Of a resource that left the list, nothing may be left but marks, migrations and the
  /// configuration. The last of them is like the last copy of a key.
  private boolean areLeavingOnesKnown() {
    var known = new TreeSet<>(wanted);
    known.addAll(server.migrations.keySet());
    server.secrets.values().stream()
        .filter(secret -> !secret.damaged())
        .forEach(secret -> known.addAll(secret.key().migrated().resources()));
    return server.etcd.entrySet().stream()
        .filter(
            stored -> Arrays.stream(stored.getValue()).anyMatch(value -> value.sealedBy() != null))
        .allMatch(stored -> known.contains(stored.getKey()));
  }

  /// Somebody puts an old copy of the configuration back. A platform would roll it out.
  private void restoreConfig(int b) {
    EncryptionLayout old =
        List.copyOf(server.revisions.values()).get(b % server.revisions.size()).layout();
    EncryptionLayout before = server.published;
    if (server.managed && old != null && before != null && server.isSnapshot()) {
      server.putBack(old);
      if (isSomethingLost()) {
        server.publish(before);
      }
    }
  }

  private void vanishConfig() {
    if (!server.managed && server.published != null && server.newestRevision().layout() != null) {
      server.revisions.put(server.latest() + 1, new Server.Revision(null, true, -1));
    }
  }

  private void strikeKey(Event event) {
    List<KeySerial> serials = new ArrayList<>(server.secrets.keySet());
    if (serials.isEmpty()) {
      return;
    }
    KeySerial serial = serials.get(event.b() % serials.size());
    Server.Secret before = server.secrets.get(serial);
    if (before == null || before.damaged()) {
      return;
    }
    if (event.kind() == Event.Kind.LOSE_KEY && before.key().stage() == KeyStage.RETRACTED) {
      // Its secret may be all that is left of its serial, which would be given again. Nothing was
      // ever stored under it, so that harms nobody; but it is not what is looked for here.
      return;
    }
    switch (event.kind()) {
      case LOSE_KEY -> server.secrets.remove(serial);
      case DAMAGE_KEY ->
          server.secrets.put(serial, new Server.Secret(before.key(), true, server.stamp()));
      default -> {
        Key edited = edited(before.key(), event.b());
        // A key of mode identity with key bytes is one that cannot be read.
        boolean damaged = !StoredForm.isReadable(server.name, edited);
        if (!damaged) {
          server.invariants.onEdited(edited);
        }
        server.secrets.put(
            serial, new Server.Secret(damaged ? before.key() : edited, damaged, server.stamp()));
      }
    }
    boolean isForgotten =
        event.kind() == Event.Kind.LOSE_KEY
            && server.invariants.wasPublished(serial)
            && !hasCopy(before.key());
    if (isForgotten || isSomethingLost()) {
      server.secrets.put(serial, before);
    }
  }

  private static Key edited(Key key, int b) {
    if (key.mode() != Mode.KMS) {
      return new Key(
          key.serial(),
          key.mode(),
          // Others begin with a word.
          KeyMaterial.copyOf(ByteBuffer.allocate(32).putInt(b).array()),
          true,
          key.kms(),
          key.migrated(),
          key.internalReason(),
          key.externalReason(),
          key.stage());
    }
    KmsKey kms = key.kms().orElseThrow();
    KmsPluginConfig plugin = kms.plugin().orElseThrow();
    var fields = new TreeMap<>(plugin.spec().fields());
    int remoteKey = b % Kms.REMOTE_KEYS;
    if (Kms.isExternal(kms)) {
      fields.put(Kms.ENDPOINT, Kms.endpoint(remoteKey));
    } else {
      fields.put("vaultKeyPath", "transit/keys/key" + remoteKey);
    }
    var other = Kms.plugin(plugin.spec().type(), fields);
    return key.with(
        new KmsKey(kms.endpoint(), Optional.of(other), kms.secrets(), kms.configMaps()));
  }

  /// Data that nobody could read any more, or a key that only a revision nobody runs still holds.
  private boolean isSomethingLost() {
    EncryptionLayout newest = server.newestRevision().layout();
    if (newest != null && !newest.keys().stream().allMatch(this::hasCopy)) {
      return true;
    }
    for (var stored : server.etcd.entrySet()) {
      for (Value value : stored.getValue()) {
        Key key = value.sealedBy();
        if (key != null && !hasCopy(key)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean hasCopy(Key key) {
    Server.Secret secret = server.secrets.get(key.serial());
    if (secret != null && !secret.damaged() && !secret.key().contradicts(key)) {
      return true;
    }
    return holds(server.published, key)
        || (server.runsOneRevision()
            && server.instances.getFirst().revision == server.latest()
            && holds(server.newestRevision().layout(), key));
  }

  private static boolean holds(@Nullable EncryptionLayout layout, Key key) {
    return layout != null && layout.keys().stream().anyMatch(other -> !other.contradicts(key));
  }
}
