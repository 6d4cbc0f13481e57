package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Reencryption;
import io.keyward.core.model.kms.KekId;
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
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// The annotations that say what was migrated under a key.
final class MigratedCodec {
  private MigratedCodec() {}

  static void encode(Migrated migrated, SortedMap<String, String> annotations) {
    migrated
        .at()
        .ifPresent(at ->
            annotations.put(
                WireNames.MIGRATED_TIMESTAMP, at.truncatedTo(ChronoUnit.SECONDS).toString()));
    if (!migrated.resources().isEmpty()) {
      ObjectNode root = Json.object();
      var list = root.putArray("resources");
      migrated
          .resources()
          .forEach(r -> list.addObject().put("Group", r.group()).put("Resource", r.name()));
      annotations.put(WireNames.MIGRATED_RESOURCES, Json.write(root));
    }
    if (!migrated.keks().isEmpty()) {
      ObjectNode ids = Json.object();
      migrated.keks().forEach((resource, kek) -> ids.put(resource.canonical(), kek.value()));
      annotations.put(WireNames.MIGRATED_KEKS, Json.write(ids));
    }
    if (!migrated.kekSince().isEmpty()) {
      ObjectNode times = Json.object();
      migrated.kekSince().forEach((resource, at) -> times.put(resource.canonical(), at.toString()));
      annotations.put(WireNames.MIGRATED_KEKS_SINCE, Json.write(times));
    }
    migrated
        .reencryption()
        .served()
        .ifPresent(request -> annotations.put(WireNames.REENCRYPT_SERVED, request));
    remote(migrated, annotations);
  }

  /// For OpenShift's controllers, which know one remote key id for all resources.
  private static void remote(Migrated migrated, SortedMap<String, String> annotations) {
    var ids = new TreeSet<String>();
    migrated.keks().values().forEach(kek -> ids.add(kek.value()));
    if (ids.size() != 1 || !migrated.keks().keySet().equals(migrated.resources())) {
      return;
    }
    annotations.put(WireNames.TARGET_REMOTE, ids.first());
    annotations.put(WireNames.MIGRATED_REMOTE, ids.first());
    annotations.put(WireNames.CONVERGED_REMOTE, ids.first());
    migrated.kekSince().values().stream()
        .max(Instant::compareTo)
        .ifPresent(at ->
            annotations.put(WireNames.CONVERGED_AT, at.truncatedTo(ChronoUnit.SECONDS).toString()));
  }

  /// What OpenShift's controllers recorded, where Keyward recorded nothing yet.
  private static void takeOver(
      Map<String, String> annotations,
      Set<Resource> resources,
      SortedMap<Resource, KekId> keks,
      SortedMap<Resource, Instant> since) {
    Optional<KekId> id =
        KekId.parse(annotations.getOrDefault(WireNames.MIGRATED_REMOTE, ""))
            .filter(_ -> keks.isEmpty() && !annotations.containsKey(WireNames.REENCRYPT_SERVED));
    Optional<Instant> at =
        time(annotations.getOrDefault(WireNames.CONVERGED_AT, ""))
            .filter(_ ->
                id.map(KekId::value)
                    .equals(Optional.ofNullable(annotations.get(WireNames.CONVERGED_REMOTE))));
    for (Resource resource : resources) {
      id.ifPresent(kek -> keks.put(resource, kek));
      at.ifPresent(time -> since.put(resource, time));
    }
  }

  static Decoded<Migrated> decode(Map<String, String> annotations, String where) {
    Optional<Instant> at = Optional.empty();
    String stamp = annotations.getOrDefault(WireNames.MIGRATED_TIMESTAMP, "");
    if (!stamp.isEmpty()) {
      at = time(stamp);
      if (at.isEmpty()) {
        return Decoded.bad(where, "has an invalid migrated-timestamp");
      }
    }
    var resources = new TreeSet<Resource>();
    String list = annotations.getOrDefault(WireNames.MIGRATED_RESOURCES, "");
    if (!list.isEmpty() && !resources(Json.read(list).orElse(null), resources)) {
      return Decoded.bad(where, "has invalid migrated-resources");
    }
    var keks = new TreeMap<Resource, KekId>();
    if (!members(
        annotations, WireNames.MIGRATED_KEKS, (resource, text) -> kek(resource, text, keks))) {
      return Decoded.bad(where, "has invalid migrated-kms-key-ids");
    }
    var since = new TreeMap<Resource, Instant>();
    if (!members(
        annotations,
        WireNames.MIGRATED_KEKS_SINCE,
        (resource, text) -> time(resource, text, since))) {
      return Decoded.bad(where, "has invalid migrated-kms-key-ids-since");
    }
    takeOver(annotations, resources, keks, since);
    var requests =
        new Reencryption(
            Optional.ofNullable(annotations.get(WireNames.REENCRYPT_REQUESTED)),
            Optional.ofNullable(annotations.get(WireNames.REENCRYPT_SERVED)));
    return Decoded.good(new Migrated(resources, at, keks, since, requests));
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

  /// Reads an annotation that maps resources to texts. False where any part is not understood.
  private static boolean members(
      Map<String, String> annotations, String name, BiPredicate<Resource, String> read) {
    String text = annotations.getOrDefault(name, "");
    if (text.isEmpty()) {
      return true;
    }
    Optional<JsonNode> root = Json.read(text);
    return root.isPresent()
        && root.orElseThrow().properties().stream()
            .allMatch(entry ->
                entry.getValue().isTextual()
                    && isResource(entry.getKey())
                    && read.test(Resource.parse(entry.getKey()), entry.getValue().asText()));
  }

  private static boolean isResource(String canonical) {
    return !canonical.isEmpty() && !canonical.startsWith(".");
  }

  private static boolean kek(Resource resource, String id, SortedMap<Resource, KekId> into) {
    Optional<KekId> read = KekId.parse(id);
    read.ifPresent(kek -> into.put(resource, kek));
    return read.isPresent();
  }

  private static boolean time(Resource resource, String stamp, SortedMap<Resource, Instant> into) {
    Optional<Instant> at = time(stamp);
    at.ifPresent(instant -> into.put(resource, instant));
    return at.isPresent();
  }

  private static Optional<Instant> time(String stamp) {
    try {
      return Optional.of(OffsetDateTime.parse(stamp).toInstant());
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }
}
