package io.keyward.storage.envelope;

import io.keyward.etcd.bytes.ByteView;

/// What plaintext looks like from its first bytes.
public enum Payload {
  EMPTY("empty", ""),
  PROTOBUF("k8s-protobuf", "k8s\0"),
  CBOR("cbor", "\u00d9\u00d9\u00f7"),
  JSON("json", "{"),
  OTHER("other", "");

  private final String word;

  /// One character for each byte.
  private final String begin;

  Payload(String word, String begin) {
    this.word = word;
    this.begin = begin;
  }

  public String word() {
    return word;
  }

  public static Payload of(ByteView plaintext) {
    if (plaintext.isEmpty()) {
      return EMPTY;
    }
    for (Payload candidate : values()) {
      if (!candidate.begin.isEmpty() && candidate.begins(plaintext)) {
        return candidate;
      }
    }
    return OTHER;
  }

  private boolean begins(ByteView plaintext) {
    boolean same = plaintext.size() >= begin.length();
    for (int i = 0; same && i < begin.length(); i++) {
      same = (plaintext.at(i) & 0xff) == begin.charAt(i);
    }
    return same;
  }

  /// Whether kube-apiserver stores objects so. Anything else came from elsewhere, or is garbage.
  public boolean isObject() {
    return this == PROTOBUF || this == CBOR || this == JSON;
  }
}
