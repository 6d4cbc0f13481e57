package io.keyward.kube.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.KeySecretCodec;
import io.keyward.codec.SecretObject;
import io.keyward.codec.WireNames;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.object.SecretJson;
import io.keyward.core.act.Act;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.prune.PruneDecision;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Conflict;
import io.keyward.kube.component.Component;
import io.keyward.kube.migrate.Migrations;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The key secrets of one API server. A write carries the version that was seen.
public final class KeySecrets {
  private final Api api;
  private final Component component;
  private final InstantSource clock;
  private final Map<String, ObjectNode> secrets;
  private final PublishedConfig published;
  private final Migrations migrations;
  private final String all;

  KeySecrets(
      Api api,
      Component component,
      InstantSource clock,
      Map<String, ObjectNode> secrets,
      PublishedConfig published,
      Migrations migrations) {
    this.api = api;
    this.component = component;
    this.clock = clock;
    this.secrets = secrets;
    this.published = published;
    this.migrations = migrations;
    this.all = component.managed() + "/secrets";
  }

  void apply(Act.OnKeys act) {
    switch (act) {
      case Act.MintKey(var mint) -> mint(mint);
      case Act.PutKey(var key) -> put(key);
      case Act.MarkMigrated(var mark) -> mark(mark);
      case Act.UnmarkMigrated(var unmark) -> change(unmark.serial(), unmark::on);
      case Act.Reencrypt(var requested) -> change(requested.serial(), requested::on);
      case Act.PruneKeys(var delete) -> prune(delete);
    }
  }

  private void mint(KeyDecision.Mint mint) {
    // A former leader must not mint a serial that another leader has used and lost.
    published.requireUnchanged();
    requireUnchanged();
    KeyMaterial material = Key.NULL_MATERIAL;
    if (mint.mode().isLocal()) {
      var random = new byte[32];
      new SecureRandom().nextBytes(random);
      material = KeyMaterial.copyOf(random);
    }
    put(mint.key(material));
  }

  /// The newest key finished its cycle when it was seen. If its secret changed since, for example
  /// because its marks were removed, no other key may follow it.
  ///
  /// @throws Conflict if a key secret was written or deleted since it was observed
  private void requireUnchanged() {
    if (!versions(StoredKeys.read(api, component).secrets()).equals(versions(secrets))) {
      throw new Conflict("a key secret");
    }
  }

  /// A key that leaves the configuration is in its secret alone. Without both, its number would be
  /// used again.
  ///
  /// @throws Conflict if one of these secrets was deleted since it was observed
  void requirePresent(Collection<KeySerial> leaving) {
    for (KeySerial serial : leaving) {
      String name = WireNames.keySecretName(component.name(), serial.value());
      if (secrets.containsKey(name) && api.get(all + "/" + name).isEmpty()) {
        throw new Conflict("key " + serial);
      }
    }
  }

  private static Map<String, String> versions(Map<String, ObjectNode> secrets) {
    var versions = new HashMap<String, String>();
    secrets.forEach((name, secret) -> versions.put(name, ObjectMeta.version(secret)));
    return versions;
  }

  private void put(Key key) {
    SecretObject wanted = KeySecretCodec.encode(component.name(), key);
    ObjectNode before = secrets.get(wanted.name());
    ObjectNode after =
        before == null
            ? create(wanted)
            : api.replace(all + "/" + wanted.name(), SecretJson.over(before, wanted));
    secrets.put(wanted.name(), after);
  }

  /// A key is found by its label, so one without it would be missed and in the way for ever.
  private ObjectNode create(SecretObject key) {
    try {
      return api.create(all, SecretJson.fresh(key, component.api().managedNamespace(), key.name()));
    } catch (Conflict e) {
      api.get(all + "/" + key.name())
          .flatMap(found -> ForeignSecret.key(SecretJson.read(found), component.name()))
          .ifPresent(words -> {
            throw new ClusterFailure(words);
          });
      throw e;
    }
  }

  private void mark(MigrationDecision.Mark mark) {
    migrations.requireProof(mark.resource());
    change(mark.serial(), migrated -> mark.on(migrated, clock.instant()));
  }

  private void change(KeySerial serial, UnaryOperator<Migrated> change) {
    ObjectNode before = secrets.get(WireNames.keySecretName(component.name(), serial.value()));
    if (before == null
        || !(KeySecretCodec.decode(SecretJson.read(before)) instanceof Decoded.Good(Key key))) {
      throw new Conflict("key " + serial);
    }
    put(key.with(change.apply(key.migrated())));
  }

  private void prune(PruneDecision.Delete delete) {
    var names = new ArrayList<>(delete.damaged());
    delete
        .serials()
        .forEach(serial -> names.add(WireNames.keySecretName(component.name(), serial.value())));
    List<String> held = names.stream().flatMap(name -> remove(name).stream()).toList();
    if (!held.isEmpty()) {
      throw new ClusterFailure(String.join("; ", held));
    }
  }

  /// First our finalizer, then the secret; a crash in between is gone on with by the next turn.
  ///
  /// @return why it is still there after an earlier turn did so
  private Optional<String> remove(String name) {
    ObjectNode before = secrets.get(name);
    if (before == null) {
      return Optional.empty();
    }
    SecretObject found = SecretJson.read(before);
    if (ObjectMeta.isDeleted(before) && !found.finalizers().contains(WireNames.FINALIZER)) {
      return ForeignSecret.held(found);
    }
    ObjectNode bare = before.deepCopy();
    ForeignSecret.foreignFinalizers(found)
        .forEach(bare.withObject("/metadata").putArray("finalizers")::add);
    api.delete(all + "/" + name, api.replace(all + "/" + name, bare));
    secrets.remove(name);
    return Optional.empty();
  }
}
