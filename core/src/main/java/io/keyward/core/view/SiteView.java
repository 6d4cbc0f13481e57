package io.keyward.core.view;

import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.rollout.Revisions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// One API server as it is now.
///
/// @param wanted the requested mode
/// @param reports on plugins
/// @param reportHolds how long a report counts
/// @param conditions as they are set in the status
public record SiteView(
    String component,
    Instant at,
    String wanted,
    List<KeyView> keys,
    long latestRevision,
    List<Revisions.Node> nodes,
    Optional<Revisions.Deployment> deployment,
    List<HealthReport> reports,
    Duration reportHolds,
    List<Condition> conditions) {
  public SiteView {
    keys = List.copyOf(keys);
    nodes = List.copyOf(nodes);
    reports = List.copyOf(reports);
    conditions = List.copyOf(conditions);
  }

  public static SiteView of(ObservedState state) {
    return new SiteView(
        state.component(),
        state.at(),
        state.wanted().mode().word(),
        keys(state),
        state.revisions().latest(),
        state.revisions().nodes(),
        state.revisions().deployment(),
        state.activity().reports(),
        state.settings().reportHolds(),
        state.conditions());
  }

  /// Serial and mode of the newest key that encrypts new data; empty where none does.
  public String writeKey() {
    return keys.stream()
        .filter(key -> !key.writes().isEmpty())
        .findFirst()
        .map(key -> key.serial() + " (" + key.mode() + ")")
        .orElse("");
  }

  /// The newest first.
  private static List<KeyView> keys(ObservedState state) {
    var all = new TreeMap<KeySerial, Key>();
    // While instances differ, the configuration that they are on their way to.
    EncryptionLayout layout =
        state.deployed().or(() -> state.stored().published()).orElse(EncryptionLayout.EMPTY);
    layout.keys().forEach(key -> all.put(key.serial(), key));
    state.stored().secrets().forEach(key -> all.put(key.serial(), key));
    return all.descendingMap().values().stream().map(key -> view(key, layout)).toList();
  }

  private static KeyView view(Key key, EncryptionLayout layout) {
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
    return new KeyView(
        key.serial(),
        key.mode().word(),
        key.kms().map(PluginView::of),
        writes,
        reads,
        key.migrated().resources());
  }
}
