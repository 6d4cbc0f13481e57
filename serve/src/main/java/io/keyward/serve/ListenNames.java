package io.keyward.serve;

/// What the settings are called where the user writes them, for messages.
public enum ListenNames {
  FLAGS(
      "--listen",
      "--listen-tls-cert",
      "--listen-tls-key",
      "--listen-token-file",
      "--listen-insecure"),
  FILE("listen", "listenTlsCert", "listenTlsKey", "listenTokenFile", "listenInsecure: true");

  private final String address;
  private final String certificate;
  private final String key;
  private final String token;
  private final String insecure;

  ListenNames(String address, String certificate, String key, String token, String insecure) {
    this.address = address;
    this.certificate = certificate;
    this.key = key;
    this.token = token;
    this.insecure = insecure;
  }

  public String address() {
    return address;
  }

  String certificate() {
    return certificate;
  }

  String key() {
    return key;
  }

  String token() {
    return token;
  }

  String insecure() {
    return insecure;
  }
}
