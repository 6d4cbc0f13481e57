package io.keyward.kube.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.keyward.codec.object.Labels;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Objects as watches last showed them. They may be stale, so nothing is written because of them.
public final class WatchedObjects implements Reads {
  private final List<Watched> all;

  /// A part of a collection that is watched.
  ///
  /// @param collection its path in the API
  /// @param name the only object of it that is watched; empty means all that have the labels
  /// @param objects what the watch last showed
  public record Watched(
      String collection,
      String name,
      Labels labels,
      Supplier<List<GenericKubernetesResource>> objects) {
    /// Whether an object that is not here is not there.
    private boolean covers(String other) {
      return name.isEmpty() ? labels.equals(Labels.ANY) : name.equals(other);
    }

    private boolean covers(Labels wanted) {
      return name.isEmpty() && wanted.values().entrySet().containsAll(labels.values().entrySet());
    }

    private Stream<ObjectNode> stream(Predicate<GenericKubernetesResource> which) {
      // A copy of its own for each look, which may change it.
      return objects.get().stream().filter(which).map(Api.JSON::<ObjectNode>valueToTree);
    }
  }

  public WatchedObjects(List<Watched> all) {
    this.all = List.copyOf(all);
  }

  @Override
  public Optional<ObjectNode> get(String path) {
    String collection = path.substring(0, path.lastIndexOf('/'));
    String name = path.substring(path.lastIndexOf('/') + 1);
    boolean covered = false;
    for (Watched one : all) {
      if (one.collection.equals(collection)) {
        Optional<ObjectNode> found =
            one.stream(object -> object.getMetadata().getName().equals(name)).findFirst();
        if (found.isPresent()) {
          return found;
        }
        covered |= one.covers(name);
      }
    }
    if (!covered) {
      throw new NotWatched(path);
    }
    return Optional.empty();
  }

  @Override
  public List<ObjectNode> list(String path, Labels labels) {
    return all.stream()
        .filter(one -> one.collection.equals(path) && one.covers(labels))
        .findFirst()
        .orElseThrow(() -> new NotWatched(path))
        .stream(_ -> true)
        .filter(labels::match)
        .toList();
  }
}
