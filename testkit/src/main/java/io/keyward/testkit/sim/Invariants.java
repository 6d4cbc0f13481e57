package io.keyward.testkit.sim;

import io.keyward.core.model.AuditProof;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.kms.KmsKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The statements of the design for one API server that show in what is stored and what instances
/// run: 1, 2, 3, 4, 5, 7, 13 and 15. Those about plans are in [PlanInvariants].
final class Invariants {
  private final Server server;
  private final KeyCycles cycles;
  private final PlaintextWindows plaintext;
  private final TriedConfigs tried;

  /// Pairs of revisions that were compared.
  private final IdentityHashMap<Server.Revision, IdentityHashMap<Server.Revision, Boolean>>
      compatible = new IdentityHashMap<>();

  /// The revision of each instance when that was last looked at.
  private final List<Server.Revision> running = new ArrayList<>();

  /// Configurations, each with the version of etcd that it was seen to read.
  private final IdentityHashMap<EncryptionLayout, Integer> readable = new IdentityHashMap<>();

  Invariants(Server server) {
    this.server = server;
    this.cycles = new KeyCycles(server);
    this.plaintext = new PlaintextWindows(server);
    this.tried = new TriedConfigs(server);
  }

  /// Statements 1, 2 and 5, which must hold in every moment.
  void holdNow() {
    List<Instance> writers = server.writers();
    boolean isMoved = move(writers);
    for (Instance writer : writers) {
      if (isMoved) {
        var readers = compatible.computeIfAbsent(writer.runs, _ -> new IdentityHashMap<>());
        for (Instance reader : writers) {
          if (readers.put(reader.runs, true) == null) {
            canRead(writer, reader);
          }
        }
      }
      readsEverything(writer.runs.layout(), "revision ", writer.revision);
    }
    if (!server.isPutBack) {
      readsEverything(server.published, "the written configuration ", 0);
    }
    plaintext.holdsNow(isMoved);
  }

  /// Whether the instances run other revisions than when this was last asked.
  private boolean move(List<Instance> writers) {
    int count = writers.size();
    boolean isMoved = running.size() != count;
    for (int i = 0; i < count && !isMoved; i++) {
      isMoved = isAnother(running.get(i), writers.get(i).runs);
    }
    if (isMoved) {
      running.clear();
      writers.forEach(instance -> running.add(instance.runs));
    }
    return isMoved;
  }

  @SuppressWarnings("ReferenceEquality") // Every revision is one object.
  private static boolean isAnother(Server.Revision one, Server.Revision other) {
    return one != other;
  }

  private void canRead(Instance writer, Instance reader) {
    EncryptionLayout writes = writer.runs.layout();
    if (writes == null || reader.runs.vanished()) {
      return;
    }
    EncryptionLayout reads = reader.runs.layout();
    for (Resource resource : writes.stacks().keySet()) {
      ProviderEntries.Entry entry = ProviderEntries.writer(writes, resource);
      if (entry != null && !ProviderEntries.reads(reads, resource, entry)) {
        throw new Violation(
            1,
            server.name
                + ": revision "
                + writer.revision
                + " writes "
                + resource
                + " with key "
                + entry.serial()
                + ", which revision "
                + reader.revision
                + " cannot read");
      }
    }
  }

  private void readsEverything(@Nullable EncryptionLayout layout, String who, int number) {
    if (layout == null || Objects.equals(readable.get(layout), server.etcdVersion)) {
      return;
    }
    readable.put(layout, server.etcdVersion);
    for (Map.Entry<Resource, Value[]> stored : server.etcd.entrySet()) {
      for (Value value : stored.getValue()) {
        if (!value.isReadableWith(layout, stored.getKey())) {
          throw new Violation(
              2,
              server.name
                  + ": "
                  + who
                  + number
                  + " "
                  + layout.label()
                  + " cannot read "
                  + stored.getKey()
                  + " stored under "
                  + (value.sealedBy() == null ? "-" : value.sealedBy().label()));
        }
      }
    }
  }

  /// An operator writes a key secret.
  ///
  /// @param before what is replaced; absent where it is new
  /// @param wanted what the operator was asked for when it decided
  void onKey(Server.@Nullable Secret before, Key key, RequestedEncryption wanted) {
    cycles.onKey(before, key, wanted);
    tried.onKey(key);
  }

  /// Whether a configuration ever had this key.
  boolean wasPublished(KeySerial serial) {
    return cycles.wasPublished(serial);
  }

  /// Somebody else writes a key secret. Nobody can be blamed for what follows from it.
  void onEdited(Key key) {
    tried.onEdited(key);
  }

  void onPassed(KmsKey key) {
    tried.onPassed(key);
  }

  void onSpec(Spec spec) {
    plaintext.onSpec(spec);
  }

  /// An operator writes a configuration.
  void onPublish(EncryptionLayout layout) {
    plaintext.onPublish(layout);
    cycles.onPublish(layout);
    tried.onPublish(layout);
  }

  /// Whether plaintext was asked for since the resource was last published encrypted.
  boolean mayBePlain(Resource resource) {
    return plaintext.mayBePlain(resource);
  }

  /// An operator has written a configuration.
  void onPublished(EncryptionLayout layout) {
    plaintext.onPublished(layout, server.publishedVersion);
  }

  /// An operator sends a node to a revision. One that is down may get it beside another.
  void onTarget(Instance node) {
    for (Instance other : server.instances) {
      if (other != node && other.target > other.revision && node.asNode().ready()) {
        throw new Violation(4, server.name + ": " + node.node + " is sent beside " + other.node);
      }
    }
  }

  /// An operator writes the template of a Deployment.
  void onDeploy(PodSet pods, int revision) {
    if (revision < PodSet.revision(pods.template())) {
      throw new Violation(4, server.name + ": the Deployment is sent back to " + revision);
    }
  }

  /// An operator completes a revision, or makes it available.
  void onRevision(int number) {
    if (number <= server.latest()) {
      throw new Violation(15, server.name + ": revision " + number + " is written over");
    }
  }

  /// All of a resource is recorded as stored under a key. Where an instance or the published
  /// configuration writes otherwise, the record is taken back by the next turn.
  void onMark(Resource resource, KeySerial serial) {
    boolean isObvious =
        server.instances.stream()
            .anyMatch(one -> !writesWith(server.layoutOf(one), resource, serial));
    if (isObvious || !writesWith(server.published, resource, serial)) {
      return;
    }
    for (Value value : server.etcd.getOrDefault(resource, new Value[0])) {
      Key key = value.sealedBy();
      boolean isUnder =
          key == null
              ? ProviderEntries.writer(server.published, resource) == null
              : key.serial().equals(serial);
      if (!isUnder && !value.equals(Value.LEAKED)) {
        throw new Violation(
            13, server.name + ": " + resource + " is recorded under key " + serial + " and is not");
      }
    }
  }

  /// Also a key for plaintext.
  private static boolean writesWith(
      @Nullable EncryptionLayout layout, Resource resource, KeySerial serial) {
    KeyStack stack = layout == null ? null : layout.stacks().get(resource);
    return stack != null && stack.write().filter(serial::equals).isPresent();
  }

  void onPrune(KeySerial serial) {
    for (Value[] values : server.etcd.values()) {
      for (Value value : values) {
        Key key = value.sealedBy();
        if (key != null && key.serial().equals(serial)) {
          throw new Violation(2, server.name + ": key " + serial + " pruned while in use");
        }
      }
    }
    AuditProof audit = server.audit;
    if (audit != null && (!isProof(audit) || audit.stillUsed().contains(serial))) {
      throw new Violation(2, server.name + ": key " + serial + " pruned without proof");
    }
  }

  /// Whether it was made after the last mark.
  private boolean isProof(AuditProof audit) {
    return server.secrets.values().stream()
        .filter(secret -> !secret.damaged())
        .flatMap(secret -> secret.key().migrated().at().stream())
        .max(Instant::compareTo)
        .filter(audit.at()::isAfter)
        .isPresent();
  }
}
