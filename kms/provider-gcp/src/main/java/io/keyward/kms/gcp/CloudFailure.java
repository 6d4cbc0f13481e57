package io.keyward.kms.gcp;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode.Code;
import io.keyward.kms.remote.NetworkFailure;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.util.Map;

/// What a failure of the SDK means. Its text is never shown: it may quote a request.
final class CloudFailure {
  private CloudFailure() {}

  static Code code(RuntimeException failure) {
    return failure instanceof ApiException api ? api.getStatusCode().getCode() : Code.UNKNOWN;
  }

  static KmsException explain(RuntimeException failure, String host, boolean unwrapping) {
    if (failure instanceof KmsException known) {
      return known;
    }
    Code code = code(failure);
    return switch (code) {
      case PERMISSION_DENIED ->
          said(
              Kind.DENIED,
              "the identity may not use the key: grant roles/cloudkms.cryptoKeyEncrypterDecrypter",
              code);
      case UNAUTHENTICATED -> said(Kind.DENIED, "Google does not accept the credentials", code);
      case FAILED_PRECONDITION ->
          said(
              Kind.DENIED,
              "the key version is disabled or to be destroyed: enable or restore it",
              code);
      case NOT_FOUND -> said(Kind.UNKNOWN_KEK, "Cloud KMS has no such key", code);
      case INVALID_ARGUMENT ->
          unwrapping
              ? said(Kind.CORRUPT, "Cloud KMS cannot open the ciphertext", code)
              : said(Kind.INTERNAL, "the key is not for encryption: check its purpose", code);
      case RESOURCE_EXHAUSTED -> said(Kind.THROTTLED, "Cloud KMS wants fewer calls", code);
      case DEADLINE_EXCEEDED -> said(Kind.TIMEOUT, "Cloud KMS did not answer in time", code);
      case UNAVAILABLE, INTERNAL, ABORTED, CANCELLED ->
          NetworkFailure.of("Cloud KMS", host, failure);
      default ->
          new KmsException(
              Kind.INTERNAL, "the SDK failed", Map.of("error", failure.getClass().getName()));
    };
  }

  private static KmsException said(Kind kind, String message, Code code) {
    return new KmsException(kind, message, Map.of("code", code.name()));
  }
}
