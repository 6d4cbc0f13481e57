package io.keyward.testbed.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.process.TestbedException;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// The manifest of a pod as a tree.
final class PodText {
  private PodText() {}

  static JsonNode parse(String text) {
    try {
      Object loaded =
          new Load(LoadSettings.builder().setCodePointLimit(1_000_000).build())
              .loadFromString(text);
      JsonNode pod = new ObjectMapper().valueToTree(loaded);
      if (pod.path("kind").asText("").equals("Pod") && pod.at("/spec/containers").isArray()) {
        return pod;
      }
    } catch (YamlEngineException e) {
      throw new TestbedException("a manifest is no YAML", "correct it", e);
    }
    throw new TestbedException("a manifest is no Pod", "correct it");
  }
}
