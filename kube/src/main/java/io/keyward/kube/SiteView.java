package io.keyward.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Wire;
import io.keyward.core.model.Condition;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Revisions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;

/// One API server as it is now, for people.
///
/// @param wanted the mode that the admin asks for
/// @param conditions as they stand in the status
public record SiteView(
    String component,
    String wanted,
    List<KeyInUse> keys,
    Revisions revisions,
    Collection<MigrationRecord> migrations,
    List<Condition> conditions) {

  /// A key and what it is good for.
  ///
  /// @param writes resources that are written with it
  /// @param reads further resources that may be stored under it
  /// @param created absent where its secret is gone
  public record KeyInUse(
      KeySerial serial,
      String mode,
      List<Resource> writes,
      List<Resource> reads,
      Optional<Instant> created,
      SortedSet<Resource> migrated) {}

  static SiteView of(
      ObservedState state,
      Map<String, ObjectNode> secrets,
      Collection<MigrationRecord> migrations) {
    return new SiteView(
        state.component(),
        state.wanted().mode().word(),
        keys(state, secrets),
        state.revisions(),
        List.copyOf(migrations),
        state.conditions());
  }

  private static List<KeyInUse> keys(ObservedState state, Map<String, ObjectNode> secrets) {
    var all = new TreeMap<KeySerial, Key>();
    // While instances differ, what they are on their way to.
    EncryptionLayout layout =
        state.deployed().or(() -> state.stored().published()).orElse(EncryptionLayout.EMPTY);
    layout.keys().forEach(key -> all.put(key.serial(), key));
    state.stored().secrets().forEach(key -> all.put(key.serial(), key));
    var keys = new ArrayList<KeyInUse>();
    for (Key key : all.descendingMap().values()) {
      var writes = new ArrayList<Resource>();
      var reads = new ArrayList<Resource>();
      for (Map.Entry<Resource, KeyStack> entry : layout.stacks().entrySet()) {
        if (entry.getValue().write().equals(Optional.of(key.serial()))) {
          writes.add(entry.getKey());
        } else if (entry.getValue().reads().stream()
            .anyMatch(slot -> slot.serial().equals(key.serial()))) {
          reads.add(entry.getKey());
        }
      }
      Optional<Instant> created =
          Optional.ofNullable(
                  secrets.get(Wire.keySecretName(state.component(), key.serial().value())))
              .flatMap(
                  secret -> StatusReader.time(secret.at("/metadata/creationTimestamp").asText("")));
      keys.add(
          new KeyInUse(
              key.serial(), key.mode().word(), writes, reads, created, key.migrated().resources()));
    }
    return List.copyOf(keys);
  }
}
