package io.keyward.testkit.sim;

import io.keyward.core.act.Act;
import io.keyward.core.act.Acts;
import io.keyward.core.act.Step;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.turn.TurnPlan;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Carries one plan out: turns it into writes, each of which is refused if its object is no longer
/// what was read.
final class Shell {
  private final World world;
  private final Server server;
  private final ObservedState seen;
  private final WorkShell work;
  private final RevisionShell revisions;

  Shell(World world, Server server, ObservedState seen) {
    this.world = world;
    this.server = server;
    this.seen = seen;
    this.work = new WorkShell(world, server);
    this.revisions = new RevisionShell(world, server);
  }

  List<Operator.Queued> writes(TurnPlan plan, OperatorReading read) {
    var queued = new ArrayList<Operator.Queued>();
    for (Step step : Acts.of(seen, plan)) {
      world.steps++;
      for (Act act : step.acts()) {
        for (Write write : writes(act)) {
          queued.add(new Operator.Queued(world.steps, write, read));
        }
      }
    }
    return queued;
  }

  private List<Write> writes(Act act) {
    return switch (act) {
      case Act.OnKeys one -> keys(one);
      case Act.PublishLayout(var layout) -> List.of(read -> publish(layout, read));
      case Act.OnMigrations one -> work.migration(one);
      case Act.OnPreflight one -> List.of(work.preflight(one));
      case Act.OnRevisions one -> revisions.writes(one);
      case Act.DropReports(var orphans) ->
          orphans.stream().<Write>map(orphan -> read -> work.drop(orphan, read)).toList();
      case Act.SetConditions(var conditions) ->
          List.of(_ -> {
            server.conditions = conditions;
            return true;
          });
      case Act.Announce _, Act.Warn _ -> List.of();
    };
  }

  private boolean isRefused(Precondition precondition, int now, int known) {
    return now != known && world.brain.heeds(precondition.name());
  }

  private List<Write> keys(Act.OnKeys act) {
    return switch (act) {
      case Act.MintKey(var mint) -> List.of(read -> mint(mint, read));
      case Act.PutKey(var key) -> List.of(read -> put(key, read));
      case Act.MarkMigrated(var mark) -> List.of(read -> mark(mark, read));
      case Act.UnmarkMigrated(var unmark) ->
          List.of(read -> change(unmark.serial(), unmark::on, read));
      case Act.Reencrypt(var requested) ->
          List.of(read -> change(requested.serial(), requested::on, read));
      case Act.PruneKeys(var delete) -> prune(delete);
    };
  }

  /// A former leader must not mint a serial that another leader has used and lost, nor follow a key
  /// that finished its cycle then and not any more.
  private boolean mint(KeyDecision.Mint mint, OperatorReading read) {
    boolean isOther = !versions(server.secrets).equals(versions(read.secrets));
    if (isRefused(Precondition.MINT_CONFIG, server.publishedVersion, read.publishedVersion)
        || isRefused(Precondition.MINT_STATUS, server.statusVersion, read.statusVersion)
        || (isOther && world.brain.heeds(Precondition.MINT_KEYS.name()))) {
      return false;
    }
    KeyMaterial material =
        mint.mode().isLocal() ? KeyMaterial.copyOf(material(++world.materials)) : Key.NULL_MATERIAL;
    return put(mint.key(material), read);
  }

  private static List<Integer> versions(Map<KeySerial, Server.Secret> secrets) {
    return secrets.values().stream().map(Server.Secret::version).toList();
  }

  /// Begins with a word that must never be read anywhere.
  private static byte[] material(long number) {
    return ByteBuffer.allocate(32)
        .put(PlanInvariants.SECRET.getBytes(StandardCharsets.UTF_8))
        .putLong(number)
        .array();
  }

  private boolean put(Key key, OperatorReading read) {
    Server.Secret before = read.secrets.get(key.serial());
    Precondition precondition = before == null ? Precondition.KEY_IS_NEW : Precondition.KEY_VERSION;
    int known = before == null ? 0 : before.version();
    if (isRefused(precondition, server.version(key.serial()), known)) {
      return false;
    }
    server.invariants.onKey(server.secrets.get(key.serial()), key, seen.wanted());
    var stored = new Server.Secret(StoredForm.of(server.name, key), false, server.stamp());
    server.secrets.put(key.serial(), stored);
    read.secrets.put(key.serial(), stored);
    return true;
  }

  private boolean mark(MigrationDecision.Mark mark, OperatorReading read) {
    boolean isMarked =
        isProven(mark.resource(), read)
            && change(mark.serial(), before -> mark.on(before, world.instant()), read);
    if (isMarked) {
      server.invariants.onMark(mark.resource(), mark.serial());
    }
    return isMarked;
  }

  private boolean isProven(Resource resource, OperatorReading read) {
    Server.Migration proof = read.migrations.get(resource);
    return proof != null
        && !isRefused(Precondition.MARK_PROOF, server.version(resource), proof.version());
  }

  /// Based on what was read: a write that should have been refused loses what others wrote.
  private boolean change(KeySerial serial, UnaryOperator<Migrated> change, OperatorReading read) {
    Server.Secret secret = read.secrets.get(serial);
    return secret != null
        && !secret.damaged()
        && put(secret.key().with(change.apply(secret.key().migrated())), read);
  }

  private boolean publish(EncryptionLayout layout, OperatorReading read) {
    if (isRefused(Precondition.CONFIG_VERSION, server.publishedVersion, read.publishedVersion)
        || isRefused(Precondition.PUBLISH_STATUS, server.statusVersion, read.statusVersion)
        || (dropsALostKey(layout, read) && world.brain.heeds(Precondition.PUBLISH_KEYS.name()))) {
      return false;
    }
    server.invariants.onPublish(layout);
    server.publish(layout);
    server.invariants.onPublished(layout);
    read.published = server.published;
    read.publishedVersion = server.publishedVersion;
    return true;
  }

  private boolean dropsALostKey(EncryptionLayout layout, OperatorReading read) {
    EncryptionLayout before = read.published;
    return before != null
        && before.keysNotIn(layout).stream()
            .anyMatch(
                serial -> read.secrets.containsKey(serial) && !server.secrets.containsKey(serial));
  }

  private List<Write> prune(PruneDecision.Delete delete) {
    var writes = new ArrayList<Write>();
    delete.serials().forEach(serial -> writes.add(read -> delete(serial, read)));
    for (String name : delete.damaged()) {
      var serial = new KeySerial(Long.parseLong(name.substring(name.lastIndexOf('-') + 1)));
      writes.add(read -> delete(serial, read));
    }
    return writes;
  }

  private boolean delete(KeySerial serial, OperatorReading read) {
    Server.Secret before = read.secrets.get(serial);
    if (before == null || server.version(serial) == 0) {
      return true;
    }
    if (isRefused(Precondition.PRUNE_VERSION, server.version(serial), before.version())) {
      return false;
    }
    server.invariants.onPrune(serial);
    server.secrets.remove(serial);
    read.secrets.remove(serial);
    return true;
  }
}
