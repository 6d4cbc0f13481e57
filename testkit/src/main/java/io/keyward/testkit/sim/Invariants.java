package io.keyward.testkit.sim;

import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.Mode;
import io.keyward.core.model.Resource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The statements of the design for one API server, as far as what happens can break them: 1, 2, 3,
/// 5 and 7. Those about plans are in [PlanInvariants].
final class Invariants {
  private final Server server;
  private final Set<Long> compatible = new HashSet<>();
  private final Set<Resource> wasEncrypted = new HashSet<>();
  private final Set<Resource> asksForPlain = new HashSet<>();
  private final Set<Resource> mayBePlain = new HashSet<>();
  private final Set<Fingerprint> passed = new HashSet<>();
  private KeySerial highest = new KeySerial(0);

  Invariants(Server server) {
    this.server = server;
  }

  /// Statements 1 and 2, which must hold in every moment.
  void holdNow() {
    var revisions = new TreeSet<Integer>();
    for (Instance instance : server.instances) {
      revisions.add(instance.revision);
    }
    for (int writer : revisions) {
      for (int reader : revisions) {
        if (compatible.add(((long) writer << 32) | reader)) {
          canRead(writer, reader);
        }
      }
      readsEverything(server.revisions.get(writer).layout(), "revision " + writer);
    }
    if (!server.isPutBack) {
      readsEverything(server.published, "the written configuration");
    }
  }

  private void canRead(int writer, int reader) {
    EncryptionLayout writes = server.revisions.get(writer).layout();
    EncryptionLayout reads = server.revisions.get(reader).layout();
    if (writes == null || server.revisions.get(reader).vanished()) {
      return;
    }
    writes
        .stacks()
        .forEach((resource, stack) -> {
          KeyStack.Slot slot = stack.write().flatMap(stack::slot).orElse(null);
          if (slot != null && slot.key().mode() != Mode.IDENTITY) {
            KeyStack other = reads == null ? KeyStack.EMPTY : reads.stack(resource);
            if (!new Value(slot.key(), slot.providerName(), null).isReadableWith(other)) {
              throw new Violation(
                  1,
                  server.name
                      + ": revision "
                      + writer
                      + " writes "
                      + resource
                      + " with "
                      + slot.key().label()
                      + ", which revision "
                      + reader
                      + " cannot read");
            }
          }
        });
  }

  private void readsEverything(@Nullable EncryptionLayout layout, String who) {
    if (layout == null) {
      return;
    }
    for (Map.Entry<Resource, Value[]> stored : server.etcd.entrySet()) {
      for (Value value : stored.getValue()) {
        if (!value.isReadableWith(layout.stack(stored.getKey()))) {
          throw new Violation(
              2,
              server.name
                  + ": "
                  + who
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

  void onCreate(Key key, @Nullable Fingerprint config) {
    if (key.serial().compareTo(highest) <= 0) {
      throw new Violation(3, server.name + ": serial " + key.serial() + " was used before");
    }
    onConfig(key, config);
  }

  void onConfig(Key key, @Nullable Fingerprint config) {
    if (key.mode() == Mode.KMS && (config == null || !passed.contains(config))) {
      throw new Violation(7, server.name + ": " + key.label() + " was never tried out");
    }
  }

  void onPassed(Fingerprint config) {
    passed.add(config);
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
  }

  void onSpec(Spec spec) {
    asksForPlain.clear();
    for (Resource resource : Spec.RESOURCES.get(server.index)) {
      if (spec.mode == Mode.IDENTITY || !spec.resources.get(server.index).contains(resource)) {
        asksForPlain.add(resource);
      }
    }
    mayBePlain.addAll(asksForPlain);
  }

  void onPublish(EncryptionLayout layout) {
    layout
        .stacks()
        .forEach((resource, stack) -> {
          Key write = stack.writeKey().orElse(null);
          if (write != null && write.mode() != Mode.IDENTITY) {
            wasEncrypted.add(resource);
            if (!asksForPlain.contains(resource)) {
              mayBePlain.remove(resource);
            }
          } else if (wasEncrypted.contains(resource) && !mayBePlain.contains(resource)) {
            throw new Violation(
                5, server.name + ": " + resource + " would be written in plaintext");
          }
        });
    for (Key key : layout.keys()) {
      highest = highest.compareTo(key.serial()) < 0 ? key.serial() : highest;
    }
  }
}
