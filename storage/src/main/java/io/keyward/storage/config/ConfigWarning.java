package io.keyward.storage.config;

/// Legal, and unwise.
public record ConfigWarning(Kind kind, String field, int line) {
  public enum Kind {
    IDENTITY_FIRST(
        "new data is written in plaintext",
        "put a sealing provider first unless you are turning encryption off"),
    IDENTITY_LEFT(
        "plaintext is still accepted on read",
        "once `keyward audit` finds no plaintext, remove the identity provider"),
    KMS_V1(
        "KMS v1 is deprecated, and its values do not name their KEK",
        "move to a provider with apiVersion: v2"),
    AESCBC(
        "AES-CBC has no integrity: damaged or forged values may decrypt",
        "prefer kms v2 or secretbox"),
    AESGCM(
        "AES-GCM with a fixed key must be rotated before 200,000 writes",
        "prefer kms v2, or rotate the key by a schedule"),
    KEY_REUSED(
        "the same key bytes appear more than once",
        "generate a key of its own for each name and provider"),
    ZERO_KEY(
        "the key is all zeros: a marker for \"encryption is off\", it protects nothing",
        "keep it only behind identity, where it is never used"),
    RESOURCE_TWICE(
        "an earlier entry names the same resource: the providers here only read",
        "put all providers of one resource into one entry");

    private final String words;
    private final String remedy;

    Kind(String words, String remedy) {
      this.words = words;
      this.remedy = remedy;
    }

    public String words() {
      return words;
    }

    public String remedy() {
      return remedy;
    }
  }
}
