package io.keyward.core.model;

/// What the KMS plugin reports as its `key_id`: which version of the remote key wraps new data.
/// Opaque. The status field bounds it to 1 to 1024 characters.
public record KekId(String value) {
  public static final int MAX_LENGTH = 1024;

  public KekId {
    if (value.isEmpty() || value.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("KEK id must have 1 to 1024 characters");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
