package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.kms.ReferencedObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// Reads the data of objects to which a KMS configuration refers.
public final class ReferenceCodec {
  private ReferenceCodec() {}

  /// The value of a data key; empty where there is none, or where it is empty.
  public static Optional<DataValue> value(
      JsonNode object, ReferencedObject.Kind kind, String dataKey) {
    byte[] bytes =
        switch (kind) {
          case SECRET -> Base64.getDecoder().decode(object.path("data").path(dataKey).asText(""));
          case CONFIG_MAP ->
              object.path("data").has(dataKey)
                  ? object.path("data").path(dataKey).asText("").getBytes(StandardCharsets.UTF_8)
                  : Base64.getDecoder().decode(object.path("binaryData").path(dataKey).asText(""));
        };
    return bytes.length == 0 ? Optional.empty() : Optional.of(DataValue.copyOf(bytes));
  }
}
