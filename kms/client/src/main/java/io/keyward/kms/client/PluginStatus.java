package io.keyward.kms.client;

/// What a plugin says of itself. Nothing is checked here: a wrong answer is worth showing.
public record PluginStatus(String version, String healthz, String keyId) {
  public boolean isHealthy() {
    return healthz.equals("ok");
  }
}
