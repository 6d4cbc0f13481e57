package io.keyward.cli.recover;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.keyward.cli.output.KubeYaml;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.object.ApplyForm;
import io.keyward.storage.object.KubeObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Objects as text that `kubectl apply` takes, or with `asStored` everything that was stored.
record ObjectText(RecoverCommand.Output output, boolean asStored) {
  private static final TypeReference<LinkedHashMap<String, @Nullable Object>> OBJECT =
      new TypeReference<>() {};

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  String of(KubeObject object) {
    return switch (object) {
      case KubeObject.Decoded(var fields, _) -> print(withoutStatus(fields));
      case KubeObject.Json(var text) -> fromJson(text);
      case KubeObject.Raw _ -> throw new IllegalArgumentException("raw bytes are no text");
    };
  }

  /// Servers compute it for their own types. In a custom resource it may be plain data.
  private Map<String, @Nullable Object> withoutStatus(Map<String, @Nullable Object> fields) {
    var kept = new LinkedHashMap<String, @Nullable Object>(fields);
    if (!asStored) {
      kept.remove("status");
    }
    return kept;
  }

  private String fromJson(ByteView stored) {
    String text = stored.utf8().orElse("");
    try {
      return print(JSON.readValue(text, OBJECT));
    } catch (JsonProcessingException e) {
      // Began like JSON and is none: better as it is than not at all.
      return text;
    }
  }

  private String print(Map<String, @Nullable Object> object) {
    Map<String, @Nullable Object> form = asStored ? object : ApplyForm.of(object);
    return switch (output) {
      case yaml -> KubeYaml.of(form);
      case json -> json(form);
    };
  }

  private static String json(Map<String, @Nullable Object> object) {
    try {
      return JSON.writeValueAsString(object) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("values of JSON are always JSON", e);
    }
  }
}
