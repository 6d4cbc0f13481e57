package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What every object of the API has.
public final class ObjectMeta {
  private ObjectMeta() {}

  private static JsonNode meta(JsonNode object) {
    return object.path("metadata");
  }

  public static String kind(JsonNode object) {
    return object.path("kind").asText("");
  }

  public static String apiVersion(JsonNode object) {
    return object.path("apiVersion").asText("");
  }

  public static String name(JsonNode object) {
    return meta(object).path("name").asText("");
  }

  public static String namespace(JsonNode object) {
    return meta(object).path("namespace").asText("");
  }

  public static String uid(JsonNode object) {
    return meta(object).path("uid").asText("");
  }

  /// Makes a write conditional.
  public static String version(JsonNode object) {
    return meta(object).path("resourceVersion").asText("");
  }

  /// Changes with the specification alone; of objects without one, with every write.
  public static String generation(JsonNode object) {
    return meta(object).has("generation")
        ? meta(object).path("generation").asText()
        : version(object);
  }

  /// Empty where it has none.
  public static String annotation(JsonNode object, String name) {
    return meta(object).path("annotations").path(name).asText("");
  }

  public static boolean hasFinalizers(JsonNode object) {
    return !meta(object).path("finalizers").isEmpty();
  }

  public static ObjectNode withoutFinalizers(ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    copy.withObject("/metadata").putArray("finalizers");
    return copy;
  }

  public static boolean isDeleted(JsonNode object) {
    return meta(object).has("deletionTimestamp");
  }

  public static Optional<Instant> created(JsonNode object) {
    return Times.parse(meta(object).path("creationTimestamp").asText(""));
  }

  /// The object that owns it first.
  public static String ownerUid(JsonNode object) {
    return meta(object).path("ownerReferences").path(0).path("uid").asText("");
  }

  /// The members of `data`, of a Secret or a ConfigMap.
  public static JsonNode data(JsonNode object) {
    return object.path("data");
  }

  /// One of them; empty where it has none.
  public static String data(JsonNode object, String key) {
    return data(object).path(key).asText("");
  }

  /// The items of a list.
  public static List<ObjectNode> items(JsonNode list) {
    var items = new ArrayList<ObjectNode>();
    list.path("items").forEach(item -> items.add((ObjectNode) item));
    return items;
  }

  /// Where a list that was cut goes on; empty at its end.
  public static String next(JsonNode list) {
    return meta(list).path("continue").asText("");
  }

  /// How many items follow, as far as the server knows.
  public static long rest(JsonNode list) {
    return meta(list).path("remainingItemCount").asLong(0);
  }

  /// An object with a name and nothing else yet.
  public static ObjectNode fresh(String apiVersion, String kind, String name) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", apiVersion).put("kind", kind);
    object.putObject("metadata").put("name", name);
    return object;
  }

  /// A patch that changes nothing, of exactly this object in this version. The API server stores
  /// the object again if its encryption is stale.
  public static ObjectNode unchanged(JsonNode seen) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", uid(seen)).put("resourceVersion", version(seen));
    return patch;
  }

  /// The body of a deletion of exactly this object, in the version that was seen.
  public static ObjectNode deletion(JsonNode seen) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    ObjectNode conditions = options.putObject("preconditions");
    conditions.put("uid", uid(seen));
    if (!version(seen).isEmpty()) {
      conditions.put("resourceVersion", version(seen));
    }
    return options;
  }
}
