package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.codec.Times;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The nodes of an API server, and what Kubernetes says of those that do not answer.
///
/// @param silent by name, since when; never a reason to take one for gone
public record ControlPlaneNodes(SortedSet<String> names, SortedMap<String, String> silent) {
  public ControlPlaneNodes {
    names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
    silent = Collections.unmodifiableSortedMap(new TreeMap<>(silent));
  }

  /// Those that somebody configured. Kubernetes need not know them.
  public static ControlPlaneNodes named(SortedSet<String> names) {
    return new ControlPlaneNodes(names, new TreeMap<>());
  }

  /// A node without a kubelet has no such condition, and nothing is known against it.
  public static ControlPlaneNodes of(List<? extends JsonNode> nodes) {
    var names = new TreeSet<String>();
    var silent = new TreeMap<String, String>();
    for (JsonNode node : nodes) {
      String name = ObjectMeta.name(node);
      names.add(name);
      silence(node).ifPresent(words -> silent.put(name, words));
    }
    return new ControlPlaneNodes(names, silent);
  }

  private static Optional<String> silence(JsonNode node) {
    for (JsonNode one : node.at("/status/conditions")) {
      if (one.path("type").asText("").equals("Ready")
          && !one.path("status").asText("").equals("True")) {
        return Optional.of(
            Times.parse(one.path("lastTransitionTime").asText(""))
                .map(since -> "NotReady since " + since)
                .orElse("NotReady"));
      }
    }
    return Optional.empty();
  }
}
