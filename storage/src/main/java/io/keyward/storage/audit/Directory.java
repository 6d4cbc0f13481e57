package io.keyward.storage.audit;

import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.resource.EtcdKey;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All keys that differ in their last segment alone: objects of one resource in one namespace. No
/// rule asks for more than that.
final class Directory {
  /// Where values of this directory are counted: with those of their resource, and by namespace.
  record Shelf(CoverCounts pile, Tally namespace) {}

  private final EtcdKey place;
  private final Map<Location, Shelf> shelves = new EnumMap<>(Location.class);

  Directory(EtcdKey place) {
    this.place = place;
  }

  /// Of some key in it; the name is that key's.
  EtcdKey place() {
    return place;
  }

  @Nullable Shelf shelf(Location where) {
    return shelves.get(where);
  }

  void setShelf(Location where, Shelf shelf) {
    shelves.put(where, shelf);
  }
}
