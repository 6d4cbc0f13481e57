package io.keyward.kms.azure;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.exception.HttpResponseException;
import io.keyward.kms.remote.NetworkFailure;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a failure of the SDK means. Its text is never shown: it may quote a request.
///
/// @param status the vault's HTTP status; 0 if the vault did not answer
/// @param code the innermost code in the answer, for example `KeyDisabled`
record VaultFailure(int status, String code, RuntimeException cause) {
  private static final Pattern CODE = Pattern.compile("\"code\"\\s*:\\s*\"([A-Za-z]{1,64})\"");
  private static final Pattern AADSTS = Pattern.compile("AADSTS[0-9]{1,8}");
  private static final int MAX_BODY = 64 * 1024;

  static VaultFailure of(RuntimeException failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      // A log-in that fails has no answer of the vault with it.
      if (t instanceof HttpResponseException answered && answered.getResponse() != null) {
        return new VaultFailure(
            answered.getResponse().getStatusCode(), code(answered.getMessage()), failure);
      }
    }
    return new VaultFailure(0, "", failure);
  }

  /// The SDK has read the answer's body already, and quotes it.
  private static String code(@Nullable String message) {
    String last = "";
    if (message != null && message.length() <= MAX_BODY) {
      Matcher matcher = CODE.matcher(message);
      while (matcher.find()) {
        last = matcher.group(1);
      }
    }
    return last;
  }

  /// Whether this version may not be used, though another one may.
  boolean isAboutTheVersion() {
    return status == 403
        && (code.equals("KeyDisabled")
            || code.equals("KeyExpired")
            || code.equals("KeyNotYetValid"));
  }

  KmsException explain(VaultKey key, boolean unwrapping) {
    var details = new HashMap<String, String>();
    details.put("key", key.id(""));
    if (status > 0) {
      details.put("status", Integer.toString(status));
    }
    if (!code.isEmpty()) {
      details.put("code", code);
    }
    return switch (status) {
      case 0 -> beforeTheVault(key);
      case 400 ->
          unwrapping
              ? new KmsException(Kind.CORRUPT, "the key vault cannot open the ciphertext", details)
              : new KmsException(
                  Kind.INTERNAL,
                  "the key does not allow this algorithm or operation: check its type and key_ops",
                  details);
      case 401, 403 -> new KmsException(Kind.DENIED, denial(), details);
      case 404, 409 ->
          new KmsException(
              Kind.UNKNOWN_KEK, "the key vault has no such key, or it was deleted", details);
      case 429 -> new KmsException(Kind.THROTTLED, "the key vault wants fewer calls", details);
      case 408, 500, 502, 503, 504 ->
          new KmsException(Kind.UNAVAILABLE, "the key vault has a fault", details);
      default ->
          new KmsException(Kind.INTERNAL, "the key vault gave an unexpected answer", details);
    };
  }

  private String denial() {
    return switch (code) {
      case "KeyDisabled" -> "the key version is disabled: enable it";
      case "KeyExpired" -> "the key version has expired: move its expiry or rotate the key";
      case "KeyNotYetValid" -> "the key version is not valid yet";
      case "ForbiddenByRbac", "ForbiddenByPolicy", "AccessDenied" ->
          "the identity may not use the key: it needs wrapKey, unwrapKey and get";
      case "ForbiddenByFirewall", "ForbiddenByConnection" ->
          "the vault's firewall does not let this address in";
      default -> "the key vault refused the call";
    };
  }

  private KmsException beforeTheVault(VaultKey key) {
    boolean login = false;
    var code = new HashMap<String, String>();
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t instanceof KmsException known) {
        return known;
      }
      login |=
          t instanceof ClientAuthenticationException
              || t.getClass().getName().startsWith("com.microsoft.aad.");
      Matcher aadsts = AADSTS.matcher(String.valueOf(t.getMessage()));
      if (aadsts.find()) {
        code.put("code", aadsts.group());
      }
      if (t instanceof IOException || t instanceof TimeoutException) {
        return NetworkFailure.of(
            login ? "the place to log in" : "the key vault, or the place to log in",
            key.vault().getHost(),
            t);
      }
    }
    return login
        ? new KmsException(Kind.DENIED, "Microsoft Entra ID does not accept the credentials", code)
        : new KmsException(
            Kind.INTERNAL, "the SDK failed", Map.of("error", cause.getClass().getName()));
  }
}
