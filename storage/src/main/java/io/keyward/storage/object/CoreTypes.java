package io.keyward.storage.object;

import io.keyward.etcd.bytes.Bytes;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The types people come to a backup for, by the field numbers of the Kubernetes API. What the
/// server sets by itself (uid, versions, times, owners) is left out: it would not apply elsewhere.
final class CoreTypes {
  private CoreTypes() {}

  static Optional<KubeObject> decode(String apiVersion, String kind, Bytes message) {
    Message object = Message.of(message);
    Message metadata = Message.of(object.bytes(1));
    if (!apiVersion.equals("v1") || !object.isSound() || !metadata.isSound()) {
      return Optional.empty();
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("apiVersion", apiVersion);
    fields.put("kind", kind);
    fields.put("metadata", metadata(metadata));
    return switch (kind) {
      case "Secret" -> Optional.of(secret(object, fields));
      case "ConfigMap" -> Optional.of(configMap(object, fields));
      default -> Optional.empty();
    };
  }

  private static Map<String, Object> metadata(Message message) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    putText(metadata, "name", message.text(1));
    putText(metadata, "namespace", message.text(3));
    putMap(metadata, "labels", message.map(11, CoreTypes::text));
    putMap(metadata, "annotations", message.map(12, CoreTypes::text));
    return metadata;
  }

  private static KubeObject secret(Message object, Map<String, Object> fields) {
    putText(fields, "type", object.text(3));
    putFlag(fields, "immutable", object.flag(5));
    putMap(fields, "data", object.map(2, CoreTypes::base64));
    return new KubeObject.Decoded(fields);
  }

  private static KubeObject configMap(Message object, Map<String, Object> fields) {
    putFlag(fields, "immutable", object.flag(4));
    putMap(fields, "data", object.map(2, CoreTypes::text));
    putMap(fields, "binaryData", object.map(3, CoreTypes::base64));
    return new KubeObject.Decoded(fields);
  }

  private static String text(Bytes bytes) {
    return bytes.utf8().orElse("");
  }

  private static String base64(Bytes bytes) {
    return Base64.getEncoder().encodeToString(bytes.toArray());
  }

  private static void putText(Map<String, Object> fields, String name, String text) {
    if (!text.isEmpty()) {
      fields.put(name, text);
    }
  }

  private static void putFlag(Map<String, Object> fields, String name, boolean flag) {
    if (flag) {
      fields.put(name, true);
    }
  }

  private static void putMap(Map<String, Object> fields, String name, Map<String, String> map) {
    if (!map.isEmpty()) {
      fields.put(name, map);
    }
  }
}
