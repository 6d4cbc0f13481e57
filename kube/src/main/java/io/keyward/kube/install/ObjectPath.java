package io.keyward.kube.install;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.codec.object.ObjectMeta;
import java.util.Locale;

/// Where the API has an object, and how `kubectl` names it.
public final class ObjectPath {
  private ObjectPath() {}

  public static String of(JsonNode object) {
    return collection(object) + "/" + ObjectMeta.name(object);
  }

  /// Of all objects of its kind, in its namespace.
  static String collection(JsonNode object) {
    String namespace = ObjectMeta.namespace(object);
    String version = ObjectMeta.apiVersion(object);
    return (version.equals("v1") ? "/api/v1" : "/apis/" + version)
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + plural(object);
  }

  /// For example `deployment.apps/keyward-operator`.
  static String name(JsonNode object) {
    String version = ObjectMeta.apiVersion(object);
    String group = version.contains("/") ? "." + version.substring(0, version.indexOf('/')) : "";
    return ObjectMeta.kind(object).toLowerCase(Locale.ROOT) + group + "/" + ObjectMeta.name(object);
  }

  private static String plural(JsonNode object) {
    String one = ObjectMeta.kind(object).toLowerCase(Locale.ROOT);
    return one.endsWith("y") ? one.substring(0, one.length() - 1) + "ies" : one + "s";
  }
}
