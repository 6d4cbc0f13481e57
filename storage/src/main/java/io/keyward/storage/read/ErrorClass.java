package io.keyward.storage.read;

/// Why kube-apiserver cannot read a value. Names are part of the command's output.
public enum ErrorClass {
  NO_MATCHING_PROVIDER("no provider of the configuration wrote it"),
  NO_MATCHING_KEY("the provider has no key of that name"),
  IDENTITY_ENCRYPTED_DATA("encrypted, but the configuration has no rule for this resource"),
  TOO_SHORT("too short to be a sealed value"),
  BAD_BLOCK_SIZE("its length is no multiple of the block size"),
  BAD_PADDING("decrypts to garbage: wrong key or damage"),
  AUTH_FAILED("fails its integrity check: wrong key, damage, or moved from another etcd key"),
  MALFORMED_ENVELOPE("shorter than its length field"),
  MALFORMED_PROTO("not a KMS v2 message"),
  INVALID_ENCRYPTED_OBJECT("a KMS v2 message that breaks the protocol's limits"),
  KMS_DECRYPT_FAILED("the KMS did not unwrap its DEK"),
  BAD_DEK_SIZE("the KMS gave back a DEK of the wrong size");

  private final String words;

  ErrorClass(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }
}
