package io.keyward.cli.output;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a command prints for programs. Each kind has a schema in `docs/reference/schemas`.
public final class Document {
  public static final String API_VERSION = "cli.keyward.io/v1alpha1";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TypeReference<LinkedHashMap<String, @Nullable Object>> OBJECT =
      new TypeReference<>() {};

  private Document() {}

  /// A document of this kind, without its data yet.
  public static ObjectNode of(String kind) {
    return JsonNodeFactory.instance.objectNode().put("apiVersion", API_VERSION).put("kind", kind);
  }

  /// A document with plain values: texts, numbers, lists and maps.
  public static ObjectNode of(String kind, Map<String, ?> fields) {
    ObjectNode document = of(kind);
    fields.forEach((name, value) -> document.set(name, JSON.valueToTree(value)));
    return document;
  }

  public static String json(ObjectNode document) {
    return document.toPrettyString() + "\n";
  }

  public static String yaml(ObjectNode document) {
    return KubeYaml.of(fields(document));
  }

  /// The members of an object, as [KubeYaml] takes them.
  public static Map<String, @Nullable Object> fields(ObjectNode object) {
    return JSON.convertValue(object, OBJECT);
  }
}
