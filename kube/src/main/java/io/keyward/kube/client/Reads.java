package io.keyward.kube.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.Labels;
import java.util.List;
import java.util.Optional;

/// Where the objects of a look come from: live from the API server, or from caches that watches
/// feed.
public interface Reads {
  /// The object at this path of the API; empty where there is none.
  Optional<ObjectNode> get(String path);

  /// The objects of a collection that have these labels.
  List<ObjectNode> list(String path, Labels labels);
}
