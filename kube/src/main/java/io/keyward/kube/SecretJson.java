package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.SecretObject;
import io.keyward.core.model.Bytes;
import java.util.ArrayList;
import java.util.Base64;
import java.util.SortedMap;
import java.util.TreeMap;

/// Secrets as the API has them, to and from what the codecs know.
final class SecretJson {
  private SecretJson() {}

  static SecretObject read(JsonNode secret) {
    var data = new TreeMap<String, Bytes>();
    for (var entry : secret.path("data").properties()) {
      data.put(
          entry.getKey(), Bytes.copyOf(Base64.getDecoder().decode(entry.getValue().asText(""))));
    }
    var finalizers = new ArrayList<String>();
    secret.at("/metadata/finalizers").forEach(one -> finalizers.add(one.asText()));
    return new SecretObject(
        secret.at("/metadata/namespace").asText(),
        secret.at("/metadata/name").asText(),
        texts(secret.at("/metadata/labels")),
        texts(secret.at("/metadata/annotations")),
        finalizers,
        data);
  }

  private static SortedMap<String, String> texts(JsonNode node) {
    var texts = new TreeMap<String, String>();
    node.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }

  static ObjectNode fresh(SecretObject secret, String namespace, String name) {
    ObjectNode json = Api.JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Secret");
    json.put("type", SecretObject.TYPE);
    ObjectNode metadata = json.putObject("metadata");
    metadata.put("namespace", namespace).put("name", name);
    secret.finalizers().forEach(metadata.putArray("finalizers")::add);
    return over(json, secret);
  }

  /// The observed object with our labels, annotations and data; what others added stays.
  static ObjectNode over(ObjectNode observed, SecretObject secret) {
    ObjectNode json = observed.deepCopy();
    ObjectNode metadata = json.withObject("/metadata");
    ObjectNode labels = metadata.withObject("/labels");
    secret.labels().forEach(labels::put);
    ObjectNode annotations = metadata.withObject("/annotations");
    Annotations.OURS.forEach(annotations::remove);
    secret.annotations().forEach(annotations::put);
    ObjectNode data = json.putObject("data");
    secret
        .data()
        .forEach((key, value) -> data.put(key, Base64.getEncoder().encodeToString(value.reveal())));
    return json;
  }
}
