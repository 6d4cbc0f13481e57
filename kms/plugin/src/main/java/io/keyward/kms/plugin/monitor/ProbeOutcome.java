package io.keyward.kms.plugin.monitor;

import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.spi.KekId;
import java.nio.charset.StandardCharsets;

/// How a plugin responded to Status.
public sealed interface ProbeOutcome {
  /// It sent a response, good or bad.
  record Answer(PluginStatus status) implements ProbeOutcome {}

  /// It sent none.
  ///
  /// @param words the same for the same failure, so that a reader can tell what changed
  record Failure(String words) implements ProbeOutcome {}

  /// Whether an API server can use the plugin.
  default boolean isHealthy() {
    return switch (this) {
      case Failure _ -> false;
      case Answer(var status) -> {
        int size = status.keyId().getBytes(StandardCharsets.UTF_8).length;
        yield status.isHealthy()
            && (status.version().equals("v2") || status.version().equals("v2beta1"))
            && size > 0
            && size <= KekId.MAX_BYTES;
      }
    };
  }
}
