package io.keyward.testbed;

import java.nio.file.Path;

/// The encryption configurations that a life with one KMS goes through, in order.
public final class EncryptionConfigYaml {
  private EncryptionConfigYaml() {}

  /// Nothing is encrypted.
  public static String identity() {
    return config("      - identity: {}");
  }

  /// Every API server can read what the KMS provider writes, and none writes so yet.
  public static String reads(String provider, Path socket) {
    return config("      - identity: {}\n" + kms(provider, socket));
  }

  /// Everything new is written by the KMS provider; what is in plaintext can still be read.
  public static String writes(String provider, Path socket) {
    return config(kms(provider, socket) + "      - identity: {}");
  }

  private static String config(String providers) {
    return """
    apiVersion: apiserver.config.k8s.io/v1
    kind: EncryptionConfiguration
    resources:
      - resources: [secrets]
        providers:
    """
        + providers.indent(2);
  }

  private static String kms(String provider, Path socket) {
    return """
          - kms:
              apiVersion: v2
              name: %s
              endpoint: unix://%s
              timeout: 3s
    """
        .formatted(provider, socket)
        .indent(0);
  }
}
