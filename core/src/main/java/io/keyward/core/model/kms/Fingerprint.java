package io.keyward.core.model.kms;

/// Stands for a whole KMS configuration, credentials included. Equal means a preflight still holds.
/// Eight base64url characters, because the status field allows no more.
public record Fingerprint(String value) {
  public Fingerprint {
    if (value.length() != 8) {
      throw new IllegalArgumentException("fingerprint must have 8 characters: " + value.length());
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
