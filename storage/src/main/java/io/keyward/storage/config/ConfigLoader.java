package io.keyward.storage.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.storage.config.ConfigVerdict.Accepted;
import io.keyward.storage.config.ConfigVerdict.Refused;
import io.keyward.storage.config.ConfigVerdict.Stage;

/// Judges a configuration as kube-apiserver 1.36 does. Total: every text gives a verdict.
///
/// `reload` is `--encryption-provider-config-automatic-reload`, `kmsV1Gate` the feature gate KMSv1.
public record ConfigLoader(boolean reload, boolean kmsV1Gate) {
  /// kube-apiserver without further flags.
  public static ConfigLoader standard() {
    return new ConfigLoader(false, false);
  }

  /// For reading data: whatever any server may have used is welcome.
  public static ConfigLoader lenient() {
    return new ConfigLoader(false, true);
  }

  public ConfigVerdict load(String document) {
    return load(document.getBytes(UTF_8));
  }

  /// The bytes of a file: the encoding is part of the verdict.
  public ConfigVerdict load(byte[] document) {
    var problems = new Problems();
    Raw.Config raw = new ConfigDecoder(problems).decode(document);
    if (!problems.errors().isEmpty()) {
      return new Refused(Stage.DECODE, problems.errors());
    }
    new ConfigValidator(problems, reload).validate(raw);
    if (!problems.errors().isEmpty()) {
      return new Refused(Stage.VALIDATE, problems.errors());
    }
    EncryptionConfig config = new ConfigBuilder(problems, kmsV1Gate).build(raw);
    return problems.errors().isEmpty()
        ? new Accepted(config, new ConfigWarnings(problems).of(config))
        : new Refused(Stage.BUILD, problems.errors());
  }
}
