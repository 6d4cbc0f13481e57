package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.keyward.kube.client.Api;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Objects that are written as YAML in the resources of this package, with `${names}` to fill in.
final class Templates {
  private Templates() {}

  /// The objects of a file.
  ///
  /// @param values of all names in it
  static List<ObjectNode> read(String file, Map<String, String> values) {
    String text = text(file);
    for (var value : values.entrySet()) {
      text = text.replace("${" + value.getKey() + "}", value.getValue());
    }
    if (text.contains("${")) {
      throw new IllegalStateException(file + " has a name without a value");
    }
    return Arrays.stream(text.split("(?m)^---$"))
        .map(one -> Serialization.unmarshal(one, Object.class))
        .map(Api.JSON::<ObjectNode>valueToTree)
        .toList();
  }

  private static String text(String file) {
    try (InputStream in = Templates.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the distribution lacks " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
