package io.keyward.core.sidecar;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// The plugin containers of a pod, in the order in which they start.
///
/// @param sockets the directories that they share with the API server
public record Sidecars(List<PluginContainer> containers, SortedSet<String> sockets) {
  public static final Sidecars NONE = new Sidecars(List.of(), Collections.emptySortedSet());

  public Sidecars {
    containers = List.copyOf(containers);
    sockets = Collections.unmodifiableSortedSet(new TreeSet<>(sockets));
  }

  /// Whether a socket is in one of the directories that they share.
  public boolean serves(String socket) {
    int end = socket.lastIndexOf('/');
    return end > 0 && sockets.contains(socket.substring(0, end));
  }

  public boolean isEmpty() {
    return containers.isEmpty();
  }
}
