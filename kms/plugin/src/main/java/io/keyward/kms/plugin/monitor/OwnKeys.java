package io.keyward.kms.plugin.monitor;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// What this process knows about its own keys, by their numbers. Status has no room for it.
///
/// @param warnings of keys that it serves: what the KMS reports before it becomes an outage
/// @param leftOut keys that it cannot serve, with the reason
public record OwnKeys(Map<String, Supplier<List<String>>> warnings, Map<String, String> leftOut) {
  public OwnKeys {
    warnings = Map.copyOf(warnings);
    leftOut = Map.copyOf(leftOut);
  }

  /// Empty for a key that another process serves.
  Optional<List<String>> warningsOf(String key) {
    return Optional.ofNullable(warnings.get(key)).map(Supplier::get);
  }

  /// A key without a plugin has no socket; why it has none says more than that.
  ProbeOutcome explained(String key, ProbeOutcome outcome) {
    String reason = leftOut.get(key);
    return switch (outcome) {
      case ProbeOutcome.Failure _ when reason != null ->
          new ProbeOutcome.Failure("the plugin cannot serve the key: " + reason);
      case ProbeOutcome.Failure failure -> failure;
      case ProbeOutcome.Answer answer -> answer;
    };
  }
}
