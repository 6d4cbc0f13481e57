package io.keyward.core.view;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.KeySerial;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// A key and what it is used for, without its material.
///
/// @param plugin absent for a local key
/// @param writes resources that are written with it
/// @param reads further resources that may be stored under it
/// @param migrated resources of which all objects are stored under it
public record KeyView(
    KeySerial serial,
    String mode,
    Optional<PluginView> plugin,
    List<Resource> writes,
    List<Resource> reads,
    SortedSet<Resource> migrated) {
  /// Whether no API server needs the KMS behind it any more. Backups may.
  public boolean isDecommissionable() {
    return plugin.isPresent() && writes.isEmpty() && reads.isEmpty();
  }

  public KeyView {
    writes = List.copyOf(writes);
    reads = List.copyOf(reads);
    migrated = Collections.unmodifiableSortedSet(new TreeSet<>(migrated));
  }
}
