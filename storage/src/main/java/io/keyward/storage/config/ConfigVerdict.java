package io.keyward.storage.config;

import java.util.List;
import java.util.Locale;

/// What kube-apiserver says of a configuration file.
public sealed interface ConfigVerdict {
  record Accepted(EncryptionConfig config, List<ConfigWarning> warnings) implements ConfigVerdict {
    public Accepted {
      warnings = List.copyOf(warnings);
    }
  }

  record Refused(Stage stage, List<ConfigError> errors) implements ConfigVerdict {
    public Refused {
      errors = List.copyOf(errors);
    }
  }

  /// How far kube-apiserver gets with the file.
  enum Stage {
    DECODE,
    VALIDATE,
    BUILD;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
