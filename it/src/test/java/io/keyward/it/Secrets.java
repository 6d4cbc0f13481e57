package io.keyward.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.ApiServer;
import io.keyward.testbed.ControlPlane;
import java.io.IOException;
import java.util.Base64;

/// Secrets through API servers, and what became of them in etcd.
final class Secrets {
  private static final String PATH = "/api/v1/namespaces/default/secrets";

  private Secrets() {}

  static Answer create(ApiServer api, String name, String value) {
    return api.client().post(PATH, json(name, value));
  }

  static Answer replace(ApiServer api, String name, String value) {
    return api.client().put(PATH + "/" + name, json(name, value));
  }

  private static String json(String name, String value) {
    return """
    {"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s"},"data":{"value":"%s"}}
    """
        .formatted(name, encoded(value));
  }

  static Answer read(ApiServer api, String name) {
    return api.get(PATH + "/" + name);
  }

  static String encoded(String value) {
    return Base64.getEncoder().encodeToString(value.getBytes(UTF_8));
  }

  static String key(String name) {
    return "/registry/secrets/default/" + name;
  }

  /// The stored bytes as text, one character each.
  static String stored(ControlPlane plane, String name) {
    try {
      String json = new String(plane.etcdctl("get", key(name), "-w", "json"), UTF_8);
      byte[] value = new ObjectMapper().readTree(json).at("/kvs/0/value").binaryValue();
      return new String(value, ISO_8859_1);
    } catch (IOException e) {
      throw new AssertionError("etcdctl printed no JSON", e);
    }
  }
}
