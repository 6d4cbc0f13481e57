package io.keyward.kms.vault;

/// What Vault answered: the HTTP status and the JSON of the body.
record Answer(int status, Json body) {
  static final int OK = 200;
  static final int NO_CONTENT = 204;
  static final int BAD_REQUEST = 400;
  static final int FORBIDDEN = 403;
  static final int NOT_FOUND = 404;

  boolean isOk() {
    return status == OK || status == NO_CONTENT;
  }

  Json data() {
    return body.object("data");
  }

  /// Vault's own words. They are compared and never shown: they may quote what was sent.
  boolean says(String words) {
    return body.texts("errors").stream().anyMatch(error -> error.contains(words));
  }
}
