package io.keyward.kms.spi;

/// A DEK under a KEK: what the KMS made of it, and the version of the KEK that can open it.
public record Wrapped(KekId kek, Bytes ciphertext, Annotations annotations) {
  /// KMS v2 wants less than 1 KiB.
  public static final int MAX_CIPHERTEXT = 1023;

  public Wrapped {
    if (ciphertext.size() == 0 || ciphertext.size() > MAX_CIPHERTEXT) {
      throw new IllegalArgumentException(
          "ciphertext must have 1 to " + MAX_CIPHERTEXT + " bytes: " + ciphertext.size());
    }
  }
}
