package io.keyward.kms.client;

import io.keyward.kms.client.ProviderReport.Finding;
import io.keyward.kms.spi.KmsException;
import java.util.HashMap;

/// What to do about a failure: what the provider says, or else what helps for its kind.
final class Remedies {
  private Remedies() {}

  static Finding finding(String doing, KmsException failure) {
    var rest = new HashMap<>(failure.details());
    String hint = rest.remove(KmsException.HINT);
    String detail =
        new KmsException(failure.kind(), String.valueOf(failure.getMessage()), rest).describe();
    return new Finding(
        doing + " failed: " + failure.kind(), detail, hint == null ? byKind(failure.kind()) : hint);
  }

  private static String byKind(KmsException.Kind kind) {
    return switch (kind) {
      case UNAVAILABLE -> "check that the KMS runs and can be reached from this machine";
      case TIMEOUT -> "look at the network to the KMS, proxies and firewalls, and at its load";
      case THROTTLED -> "raise the quota for calls in the KMS, or wait";
      case DENIED ->
          "check the credentials, the permission to encrypt and to decrypt with this key, and that"
              + " this machine's clock is right";
      case UNKNOWN_KEK -> "check the key's name, place and version; an alias may point elsewhere";
      case CORRUPT -> "the KMS does not open what it has just made: do not use it";
      case INTERNAL -> "look at the log of the KMS; this may be a defect of the provider";
    };
  }
}
