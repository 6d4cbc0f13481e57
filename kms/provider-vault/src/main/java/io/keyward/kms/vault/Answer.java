package io.keyward.kms.vault;

/// What Vault answered.
///
/// @param body the JSON of it
/// @param date Vault's time, as it wrote it
record Answer(int status, VaultJson body, String date) {
  static final int OK = 200;
  static final int NO_CONTENT = 204;
  static final int BAD_REQUEST = 400;
  static final int FORBIDDEN = 403;
  static final int NOT_FOUND = 404;

  Answer(int status, VaultJson body) {
    this(status, body, "");
  }

  boolean isOk() {
    return status == OK || status == NO_CONTENT;
  }

  VaultJson data() {
    return body.object("data");
  }

  /// Vault's own words. They are compared and never shown: they may quote what was sent.
  boolean says(String words) {
    return body.texts("errors").stream().anyMatch(error -> error.contains(words));
  }
}
