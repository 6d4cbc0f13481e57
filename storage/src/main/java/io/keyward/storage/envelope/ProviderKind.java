package io.keyward.storage.envelope;

import io.keyward.etcd.bytes.ByteView;

/// The providers of kube-apiserver, by what they write in front of a value.
public enum ProviderKind {
  IDENTITY("identity", ""),
  AESCBC("aescbc", "k8s:enc:aescbc:v1:"),
  AESGCM("aesgcm", "k8s:enc:aesgcm:v1:"),
  SECRETBOX("secretbox", "k8s:enc:secretbox:v1:"),
  KMS_V1("kms-v1", "k8s:enc:kms:v1:"),
  KMS_V2("kms-v2", "k8s:enc:kms:v2:"),
  /// Marked as encrypted, by nobody that kube-apiserver 1.36 knows.
  UNKNOWN("unknown", "k8s:enc:");

  private final String word;

  /// Bytes never change, but no annotation says so.
  @SuppressWarnings("ImmutableEnumChecker")
  private final ByteView header;

  ProviderKind(String word, String header) {
    this.word = word;
    this.header = ByteView.utf8(header);
  }

  /// The name in reports.
  public String word() {
    return word;
  }

  /// What every value of this provider begins with; the key's or provider's name follows.
  public ByteView header() {
    return header;
  }
}
