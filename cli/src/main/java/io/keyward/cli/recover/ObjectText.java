package io.keyward.cli.recover;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.storage.object.KubeObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/// Objects as text that `kubectl apply` takes.
final class ObjectText {
  private static final ObjectMapper JSON = new ObjectMapper();

  /// Set by the server that stored the object; another server refuses or ignores them.
  private static final List<String> SERVERS_OWN =
      List.of(
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "managedFields",
          "selfLink",
          "ownerReferences");

  private ObjectText() {}

  static byte[] bytes(KubeObject object, RecoverCommand.Output output) {
    return of(object, output).getBytes(UTF_8);
  }

  static String of(KubeObject object, RecoverCommand.Output output) {
    return switch (object) {
      case KubeObject.Decoded(var fields) -> print(fields, output);
      case KubeObject.Json(var text) -> fromJson(text.utf8().orElse("{}"), output);
      case KubeObject.Raw _ -> throw new IllegalArgumentException("raw bytes are no text");
    };
  }

  private static String fromJson(String text, RecoverCommand.Output output) {
    try {
      Map<?, ?> object = JSON.readValue(text, LinkedHashMap.class);
      if (object.get("metadata") instanceof Map<?, ?> metadata) {
        SERVERS_OWN.forEach(metadata::remove);
      }
      return print(object, output);
    } catch (JsonProcessingException e) {
      // Began like JSON and is none: better as it is than not at all.
      return text;
    }
  }

  private static String print(Map<?, ?> object, RecoverCommand.Output output) {
    return switch (output) {
      case yaml -> yaml(object);
      case json -> json(object);
    };
  }

  private static String yaml(Map<?, ?> object) {
    var settings = DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
    return new Dump(settings).dumpToString(object);
  }

  private static String json(Map<?, ?> object) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(object) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of texts are always JSON", e);
    }
  }
}
