package io.keyward.core.model.key;

import java.util.Optional;

/// How a key protects data, with the word that key secrets and the API use.
public enum Mode {
  IDENTITY("identity"),
  AESCBC("aescbc"),
  AESGCM("aesgcm"),
  SECRETBOX("secretbox"),
  KMS("KMS");

  private final String word;

  Mode(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /// The bytes that seal data are ours to make and to replace after some days.
  public boolean isLocal() {
    return switch (this) {
      case AESCBC, AESGCM, SECRETBOX -> true;
      case IDENTITY, KMS -> false;
    };
  }

  /// As in a key secret's annotation. Case counts: `kms` is not a mode.
  public static Optional<Mode> parse(String word) {
    for (Mode mode : values()) {
      if (mode.word.equals(word)) {
        return Optional.of(mode);
      }
    }
    return Optional.empty();
  }
}
