package io.keyward.core.sidecar;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// A container of plugins beside an API server.
///
/// @param command empty where the image has its own
/// @param ready a command that succeeds once the sockets accept connections; empty where the image
///   has none
/// @param monitors whether it watches all plugins of the pod
/// @param directories of the node that it reads, for example with the module of an HSM
public record PluginContainer(
    String name,
    String image,
    List<String> command,
    List<String> arguments,
    List<String> ready,
    boolean monitors,
    SortedSet<String> directories) {
  public PluginContainer {
    command = List.copyOf(command);
    arguments = List.copyOf(arguments);
    ready = List.copyOf(ready);
    directories = Collections.unmodifiableSortedSet(new TreeSet<>(directories));
  }
}
