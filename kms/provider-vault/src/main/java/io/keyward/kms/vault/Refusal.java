package io.keyward.kms.vault;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.util.Map;
import java.util.Optional;

/// What an answer other than "done" means. Pure: the same answer always means the same.
///
/// Vault's own words never reach the message, since they may quote what was sent.
final class Refusal {
  private Refusal() {}

  /// Of an encrypt or decrypt call to `path`.
  static KmsException ofTransit(Answer answer, String path) {
    return switch (answer.status()) {
      case Answer.BAD_REQUEST -> badRequest(answer, path);
      case Answer.FORBIDDEN ->
          of(
              Kind.DENIED,
              "Vault denies the permission",
              answer,
              path,
              "give the policy of this login the capability update on "
                  + path
                  + "; Vault reports the same if the key does not exist");
      case Answer.NOT_FOUND, 405 ->
          of(
              Kind.UNKNOWN_KEK,
              "Vault has no transit engine there",
              answer,
              path,
              "check the settings mount and namespace; 'vault secrets list' shows what is mounted");
      default -> ofServer(answer, path);
    };
  }

  /// Of a login at `path`.
  ///
  /// @param clock what is wrong with this machine's clock, which then is the likely reason
  static KmsException ofLogin(Answer answer, String path, Optional<String> clock) {
    return switch (answer.status()) {
      case Answer.BAD_REQUEST, 401, Answer.FORBIDDEN ->
          of(
              Kind.DENIED,
              "Vault refused the login",
              answer,
              path,
              clock.orElse(
                  "check the role and that its credentials are in the file, not expired and not"
                      + " used up; a token that expired looks the same"
                      + (answer.status() == Answer.FORBIDDEN
                          ? "; Vault also refuses a role for 15 minutes after five failed logins"
                          : "")));
      case Answer.NOT_FOUND, 405 ->
          of(
              Kind.DENIED,
              "Vault has no such auth method there",
              answer,
              path,
              "check the settings auth, authMount and authNamespace; 'vault auth list' shows what"
                  + " is mounted");
      default -> ofServer(answer, path);
    };
  }

  private static KmsException badRequest(Answer answer, String path) {
    if (answer.says("not supported for key type") || answer.says("unsupported key type")) {
      return of(
          Kind.DENIED,
          "the type of the key is not for encryption",
          answer,
          path,
          "make a key of type aes256-gcm96 and name it in the setting key");
    }
    if (answer.says("encryption key not found")) {
      return of(
          Kind.UNKNOWN_KEK,
          "Vault has no such key",
          answer,
          path,
          "check the settings mount and key; a deleted key comes back only from a backup");
    }
    if (answer.says("too old")) {
      return of(
          Kind.UNKNOWN_KEK,
          "Vault does not decrypt with this version of the key any more",
          answer,
          path,
          "lower min_decryption_version of the key");
    }
    if (answer.says("version is too new")) {
      return of(
          Kind.UNKNOWN_KEK,
          "the key in Vault has no such version",
          answer,
          path,
          "an older backup of the key was restored, or this is another Vault");
    }
    if (path.contains("/decrypt/")) {
      return of(
          Kind.CORRUPT,
          "the ciphertext fails Vault's integrity check",
          answer,
          path,
          "the value was changed, or another key of the same name made it");
    }
    return of(
        Kind.INTERNAL,
        "Vault cannot encrypt with this key",
        answer,
        path,
        "look at the key with 'vault read', and at Vault's audit log");
  }

  /// The same for every path.
  static KmsException ofServer(Answer answer, String path) {
    int status = answer.status();
    if (status == 429) {
      return of(
          Kind.THROTTLED,
          "Vault wants fewer calls",
          answer,
          path,
          "raise the rate limit quota of this path in Vault");
    }
    if (status == 503 && answer.says("sealed")) {
      return of(Kind.UNAVAILABLE, "Vault is sealed", answer, path, "unseal it");
    }
    if (status >= 300 && status < 400) {
      return of(
          Kind.UNAVAILABLE,
          "this Vault server points to another one",
          answer,
          path,
          "let the setting address name the active server or a balancer that finds it");
    }
    // 412: a replica that lags; 472 and 473: a standby.
    if (status >= 500 || status == 408 || status == 412 || status == 472 || status == 473) {
      return of(
          Kind.UNAVAILABLE, "Vault cannot answer now", answer, path, "look at Vault's own log");
    }
    return of(
        Kind.INTERNAL,
        "Vault answered in a way it should not",
        answer,
        path,
        "check that the setting address names a Vault or OpenBao server");
  }

  private static KmsException of(
      Kind kind, String message, Answer answer, String path, String hint) {
    return new KmsException(
        kind,
        message,
        Map.of("status", Integer.toString(answer.status()), "path", path, KmsException.HINT, hint));
  }
}
