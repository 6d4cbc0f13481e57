package io.keyward.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.key.DataValue;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads JSON, and YAML where it is no JSON. Writes compact JSON with the members in given order.
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final LoadSettings YAML =
      LoadSettings.builder().setCodePointLimit(3_000_000).build();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static String text(DataValue bytes) {
    return new String(bytes.reveal(), StandardCharsets.UTF_8);
  }

  static DataValue bytes(String text) {
    return DataValue.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Go's encoder escapes these, so that the text may stand in HTML.
  static String write(JsonNode node) {
    try {
      return MAPPER
          .writeValueAsString(node)
          .replace("<", "\\u003c")
          .replace(">", "\\u003e")
          .replace("&", "\\u0026");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory can be written", e);
    }
  }

  /// An object; empty where the text is none.
  public static Optional<JsonNode> read(String text) {
    try {
      return Optional.ofNullable(MAPPER.readTree(text)).filter(JsonNode::isObject);
    } catch (JsonProcessingException _) {
      return readYaml(text);
    }
  }

  private static Optional<JsonNode> readYaml(String text) {
    try {
      Object loaded = new Load(YAML).loadFromString(text);
      JsonNode tree = MAPPER.valueToTree(loaded);
      return Optional.of(tree).filter(JsonNode::isObject);
    } catch (YamlEngineException | IllegalArgumentException | StackOverflowError _) {
      // The YAML reader recurses as deep as the text is nested, and has no limit of its own.
      return Optional.empty();
    }
  }
}
