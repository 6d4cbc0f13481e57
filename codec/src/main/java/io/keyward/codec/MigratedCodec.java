package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.KekId;
import io.keyward.core.model.Migrated;
import io.keyward.core.model.Resource;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The annotations that say what was migrated under a key.
final class MigratedCodec {
  private MigratedCodec() {}

  static void encode(Migrated migrated, SortedMap<String, String> annotations) {
    migrated
        .at()
        .ifPresent(at ->
            annotations.put(
                Wire.MIGRATED_TIMESTAMP, at.truncatedTo(ChronoUnit.SECONDS).toString()));
    if (!migrated.resources().isEmpty()) {
      ObjectNode root = Json.object();
      var list = root.putArray("resources");
      migrated
          .resources()
          .forEach(r -> list.addObject().put("Group", r.group()).put("Resource", r.name()));
      annotations.put(Wire.MIGRATED_RESOURCES, Json.write(root));
    }
    if (!migrated.keks().isEmpty()) {
      ObjectNode ids = Json.object();
      migrated.keks().forEach((resource, kek) -> ids.put(resource.canonical(), kek.value()));
      annotations.put(Wire.MIGRATED_KEKS, Json.write(ids));
    }
  }

  static Decoded<Migrated> decode(Map<String, String> annotations, String where) {
    Optional<Instant> at = Optional.empty();
    String stamp = annotations.getOrDefault(Wire.MIGRATED_TIMESTAMP, "");
    if (!stamp.isEmpty()) {
      at = time(stamp);
      if (at.isEmpty()) {
        return Decoded.bad(where, "has an invalid migrated-timestamp");
      }
    }
    var resources = new TreeSet<Resource>();
    String list = annotations.getOrDefault(Wire.MIGRATED_RESOURCES, "");
    if (!list.isEmpty() && !resources(Json.read(list).orElse(null), resources)) {
      return Decoded.bad(where, "has invalid migrated-resources");
    }
    return Decoded.good(new Migrated(resources, at, keks(annotations)));
  }

  private static boolean resources(@Nullable JsonNode root, Set<Resource> into) {
    if (root == null || !root.path("resources").isArray()) {
      return false;
    }
    for (JsonNode entry : root.path("resources")) {
      String name = entry.path("Resource").asText("");
      if (name.isEmpty()) {
        return false;
      }
      into.add(new Resource(entry.path("Group").asText(""), name));
    }
    return true;
  }

  /// What cannot be read of these counts as not known, and is then migrated once more.
  private static SortedMap<Resource, KekId> keks(Map<String, String> annotations) {
    var ids = new TreeMap<Resource, KekId>();
    Json.read(annotations.getOrDefault(Wire.MIGRATED_KEKS, "{}"))
        .ifPresent(root ->
            root.properties()
                .forEach(entry -> {
                  String id = entry.getValue().asText("");
                  if (!entry.getKey().isEmpty()
                      && !entry.getKey().startsWith(".")
                      && !id.isEmpty()
                      && id.length() <= KekId.MAX_LENGTH) {
                    ids.put(Resource.parse(entry.getKey()), new KekId(id));
                  }
                }));
    return ids;
  }

  private static Optional<Instant> time(String stamp) {
    try {
      return Optional.of(OffsetDateTime.parse(stamp).toInstant());
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }
}
