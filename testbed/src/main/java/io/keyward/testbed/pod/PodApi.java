package io.keyward.testbed.pod;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/// What whoever runs pods asks of the API server. A request that fails is a
/// [io.keyward.testbed.process.TestbedException], and is made again with the next look.
public interface PodApi {
  /// Empty where it is not there.
  Optional<JsonNode> get(String path);

  /// One that is there already will do.
  void create(String path, JsonNode body);

  void mergePatch(String path, JsonNode body);

  /// One that is gone already will do.
  void delete(String path);
}
