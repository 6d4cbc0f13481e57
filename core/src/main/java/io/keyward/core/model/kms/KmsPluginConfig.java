package io.keyward.core.model.kms;

/// The KMS configuration as it is stored, and what it says.
///
/// The text travels untouched from key secret to configuration secret and back, so that a member
/// this release does not understand is never lost.
public record KmsPluginConfig(String document, ProviderSpec spec) {
  @Override
  public String toString() {
    return "PluginConfig[" + spec + "]";
  }
}
