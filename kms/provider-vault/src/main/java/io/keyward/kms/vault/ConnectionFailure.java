package io.keyward.kms.vault;

import io.keyward.kms.remote.NetworkFailure.Reason;
import io.keyward.kms.spi.KmsException;
import java.io.IOException;
import java.util.Map;

/// What it means that there was no answer, and which setting helps.
final class ConnectionFailure {
  /// What helps against a time-out.
  static final String SLOW = "check the network to Vault, firewalls and proxies, and Vault's load";

  private ConnectionFailure() {}

  /// Without the cause: its text may quote an address with what is none of the reader's business.
  static KmsException of(IOException e, String host) {
    Reason reason = Reason.of(e);
    return switch (reason) {
      case NAME ->
          new KmsException(
              reason.kind(),
              "the name of the Vault server cannot be resolved",
              Map.of("host", host, KmsException.HINT, "check the setting address and the DNS"));
      case TIMEOUT -> of(reason, "Vault did not answer in time", SLOW);
      case NOBODY ->
          of(reason, "no server responds at Vault's address", "start Vault, or correct address");
      case NOT_VALID_NOW ->
          of(
              reason,
              "Vault's certificate is not valid now",
              "renew it, or set this machine's clock right");
      case NOT_TRUSTED ->
          of(
              reason,
              "Vault's certificate is not signed by a trusted CA",
              "let the setting caFile name the certificate of its authority");
      case OTHER_NAME ->
          of(
              reason,
              "Vault's certificate is for another name",
              "set tlsServerName to a name in the certificate");
      case TLS ->
          of(
              reason,
              "the TLS connection to Vault failed",
              "check that address is an https port of Vault, and the client certificate");
      case BROKEN ->
          of(reason, "the connection to Vault broke", "look at Vault's log and the network");
    };
  }

  private static KmsException of(Reason reason, String message, String hint) {
    return new KmsException(reason.kind(), message, Map.of(KmsException.HINT, hint));
  }
}
