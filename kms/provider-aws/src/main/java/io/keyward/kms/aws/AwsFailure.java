package io.keyward.kms.aws;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/// What a failure of the SDK means for the plugin. Messages are constant; AWS's own error code, and
/// its words where access is denied, are in the details.
final class AwsFailure {
  private static final Set<String> CREDENTIALS =
      Set.of(
          "ExpiredTokenException",
          "ExpiredToken",
          "UnrecognizedClientException",
          "InvalidClientTokenId",
          "IncompleteSignature",
          "MissingAuthenticationToken");
  private static final int MAX_WORDS = 400;

  private AwsFailure() {}

  /// Whether other credentials could help.
  static boolean isAboutCredentials(SdkException e) {
    return e instanceof AwsServiceException answer && CREDENTIALS.contains(code(answer));
  }

  static KmsException of(String action, SdkException e) {
    if (e instanceof AwsServiceException answer) {
      return answered(action, answer);
    }
    // No answer. The SDK's words may quote addresses and files, never credentials; its class says
    // enough.
    return new KmsException(
        Kind.UNAVAILABLE,
        "AWS KMS cannot be reached",
        Map.of("action", action, "cause", rootCause(e).getClass().getSimpleName()));
  }

  private static KmsException answered(String action, AwsServiceException e) {
    String code = code(e);
    if (e.isThrottlingException() || code.equals("LimitExceededException")) {
      return with(Kind.THROTTLED, "AWS KMS wants fewer calls", action, e);
    }
    if (CREDENTIALS.contains(code)) {
      return with(Kind.DENIED, "AWS does not accept the credentials", action, e);
    }
    return switch (code) {
      case "AccessDeniedException" ->
          with(
              Kind.DENIED,
              "AWS denies access; the key policy or the identity's policy must allow the action",
              action,
              e);
      case "SignatureDoesNotMatch", "InvalidSignatureException", "RequestExpired" ->
          with(
              Kind.DENIED,
              "AWS refuses the signature; check this machine's clock and the secret key",
              action,
              e);
      case "DisabledException" -> with(Kind.DENIED, "the key is disabled", action, e);
      case "KMSInvalidStateException" ->
          with(
              Kind.DENIED,
              "the key is in a state that forbids its use, for example pending deletion",
              action,
              e);
      case "InvalidKeyUsageException" ->
          with(Kind.DENIED, "the key is not a symmetric key for encryption", action, e);
      case "NotFoundException" -> with(Kind.UNKNOWN_KEK, "AWS KMS has no such key", action, e);
      case "IncorrectKeyException", "InvalidCiphertextException" ->
          with(Kind.CORRUPT, "AWS KMS cannot open this with the configured key", action, e);
      default -> byStatus(action, e);
    };
  }

  /// Of something between us and AWS, or an error that is not known here.
  private static KmsException byStatus(String action, AwsServiceException e) {
    if (e.statusCode() == 401 || e.statusCode() == 403) {
      return with(Kind.DENIED, "the call was refused before AWS KMS saw it", action, e);
    }
    return e.statusCode() >= 500
        ? with(Kind.UNAVAILABLE, "AWS KMS is not available", action, e)
        : with(Kind.INTERNAL, "AWS KMS refused the request", action, e);
  }

  private static KmsException with(
      Kind kind, String message, String action, AwsServiceException e) {
    var details = new TreeMap<String, String>();
    details.put("action", action);
    details.put("error", code(e));
    Optional.ofNullable(e.requestId()).ifPresent(id -> details.put("request", id));
    if (code(e).equals("AccessDeniedException")) {
      // Names who is denied and what policy is missing: what an admin needs.
      String words = Optional.ofNullable(e.awsErrorDetails().errorMessage()).orElse("");
      details.put("aws", words.substring(0, Math.min(MAX_WORDS, words.length())));
      details.put(
          KmsException.HINT,
          "allow "
              + action
              + " in the key policy or the identity's policy; if a policy requires a tag of the"
              + " key (aws:ResourceTag), give the key that tag");
    }
    return new KmsException(kind, message, details);
  }

  private static String code(AwsServiceException e) {
    return Optional.ofNullable(e.awsErrorDetails())
        .map(AwsErrorDetails::errorCode)
        .orElse("HTTP " + e.statusCode());
  }

  private static Throwable rootCause(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
