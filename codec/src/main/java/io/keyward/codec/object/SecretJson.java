package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.SecretObject;
import io.keyward.codec.WireNames;
import io.keyward.core.model.key.DataValue;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Secrets as the API has them, to and from what the codecs know.
public final class SecretJson {
  /// Annotations that a key secret loses when they no longer hold.
  private static final List<String> OURS =
      List.of(
          WireNames.MIGRATED_TIMESTAMP,
          WireNames.MIGRATED_RESOURCES,
          WireNames.MIGRATED_KEKS,
          WireNames.MIGRATED_KEKS_SINCE,
          WireNames.TARGET_REMOTE,
          WireNames.MIGRATED_REMOTE,
          WireNames.CONVERGED_REMOTE,
          WireNames.CONVERGED_AT);

  private SecretJson() {}

  public static SecretObject read(JsonNode secret) {
    var data = new TreeMap<String, DataValue>();
    for (var entry : secret.path("data").properties()) {
      data.put(
          entry.getKey(),
          DataValue.copyOf(Base64.getDecoder().decode(entry.getValue().asText(""))));
    }
    var finalizers = new ArrayList<String>();
    secret.at("/metadata/finalizers").forEach(one -> finalizers.add(one.asText()));
    return new SecretObject(
        ObjectMeta.namespace(secret),
        ObjectMeta.name(secret),
        texts(secret.at("/metadata/labels")),
        texts(secret.at("/metadata/annotations")),
        finalizers,
        data);
  }

  /// The data of a Secret as files, by name.
  public static SortedMap<String, byte[]> files(JsonNode secret) {
    var files = new TreeMap<String, byte[]>();
    read(secret).data().forEach((name, value) -> files.put(name, value.reveal()));
    return files;
  }

  private static SortedMap<String, String> texts(JsonNode node) {
    var texts = new TreeMap<String, String>();
    node.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }

  public static ObjectNode fresh(SecretObject secret, String namespace, String name) {
    ObjectNode json = ObjectMeta.fresh("v1", "Secret", name);
    json.put("type", SecretObject.TYPE);
    ObjectNode metadata = json.withObject("/metadata").put("namespace", namespace);
    secret.finalizers().forEach(metadata.putArray("finalizers")::add);
    return over(json, secret);
  }

  /// The observed object with our labels, annotations and data; what others added stays.
  public static ObjectNode over(ObjectNode observed, SecretObject secret) {
    ObjectNode json = observed.deepCopy();
    ObjectNode metadata = json.withObject("/metadata");
    ObjectNode labels = metadata.withObject("/labels");
    secret.labels().forEach(labels::put);
    ObjectNode annotations = metadata.withObject("/annotations");
    OURS.forEach(annotations::remove);
    secret.annotations().forEach(annotations::put);
    ObjectNode data = json.putObject("data");
    secret
        .data()
        .forEach((key, value) -> data.put(key, Base64.getEncoder().encodeToString(value.reveal())));
    return json;
  }
}
