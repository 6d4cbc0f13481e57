package io.keyward.testkit.sim;

import io.keyward.core.model.Bytes;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KmsKey;
import io.keyward.core.model.Mode;
import io.keyward.core.model.PluginConfig;
import io.keyward.core.model.ProviderSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Loses and damages things, but never the last copy of a key: nobody could help then.
final class Fault {
  private final Server server;

  Fault(Server server) {
    this.server = server;
  }

  void strike(Event event) {
    switch (event.kind()) {
      case LOSE_CONFIG -> loseConfig();
      case VANISH_CONFIG -> vanishConfig();
      default -> strikeKey(event);
    }
  }

  private void loseConfig() {
    EncryptionLayout before = server.published;
    // Both copies at once would also take away what is known of resources that are leaving.
    if (before != null
        && server.runsOneRevision()
        && server.isSnapshot()
        && (server.layoutOf(server.instances.getFirst()) != null || isKnownToBeOn())) {
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

  private void vanishConfig() {
    if (server.published != null && server.revisions.getLast().layout() != null) {
      server.revisions.add(new Server.Revision(null, true, -1));
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
    switch (event.kind()) {
      case LOSE_KEY -> server.secrets.remove(serial);
      case DAMAGE_KEY ->
          server.secrets.put(serial, new Server.Secret(before.key(), true, server.stamp()));
      default ->
          server.secrets.put(
              serial, new Server.Secret(edited(before.key(), event.b()), false, server.stamp()));
    }
    if (isSomethingLost()) {
      server.secrets.put(serial, before);
    }
  }

  private static Key edited(Key key, int b) {
    if (key.mode() != Mode.KMS) {
      byte[] bytes = key.material().reveal();
      bytes[0] ^= 1;
      return new Key(
          key.serial(),
          key.mode(),
          Bytes.copyOf(bytes),
          true,
          key.kms(),
          key.migrated(),
          key.internalReason(),
          key.externalReason());
    }
    KmsKey kms = key.kms().orElseThrow();
    PluginConfig plugin = kms.plugin().orElseThrow();
    var fields = new TreeMap<>(plugin.spec().fields());
    fields.put("vaultKeyPath", "transit/keys/key" + b % Kms.REMOTE_KEYS);
    var other = new PluginConfig("edited", new ProviderSpec("Vault", fields));
    return key.with(
        new KmsKey(kms.endpoint(), Optional.of(other), kms.secrets(), kms.configMaps()));
  }

  /// Data that nobody could read any more, or a key that only a revision nobody runs still holds.
  private boolean isSomethingLost() {
    EncryptionLayout newest = server.revisions.getLast().layout();
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
            && holds(server.revisions.getLast().layout(), key));
  }

  private static boolean holds(@Nullable EncryptionLayout layout, Key key) {
    return layout != null && layout.keys().stream().anyMatch(other -> !other.contradicts(key));
  }
}
