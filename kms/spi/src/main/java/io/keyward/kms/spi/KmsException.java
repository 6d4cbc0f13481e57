package io.keyward.kms.spi;

import java.util.Map;
import java.util.TreeMap;

/// The one failure a provider may throw.
///
/// The message is constant and may be shown to anyone; what varies is in `details`. Neither ever
/// holds key bytes, credentials, plaintext or ciphertext.
public final class KmsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// The detail that says what a person can do, where the provider knows: one sentence without a
  /// full stop. Shown with the failure everywhere, and apart from it by `keyward preflight`.
  public static final String HINT = "hint";

  /// Decides the gRPC status, and whether the same call may be tried again.
  public enum Kind {
    /// Nobody answered, or the answer was "not now". The same call may succeed later.
    UNAVAILABLE(true),
    /// The time for the call is up.
    TIMEOUT(false),
    /// The KMS wants fewer calls. Trying again at once makes it worse.
    THROTTLED(false),
    /// The KMS knows the key and does not let us use it. An admin must act.
    DENIED(false),
    /// The KMS, or the provider, does not know the key or this version of it.
    UNKNOWN_KEK(false),
    /// The ciphertext, its key id or its annotations were changed, or belong to another key.
    CORRUPT(false),
    /// The provider or the KMS broke its own rules.
    INTERNAL(false);

    private final boolean retryable;

    Kind(boolean retryable) {
      this.retryable = retryable;
    }

    public boolean retryable() {
      return retryable;
    }
  }

  private final Kind kind;
  private final transient Map<String, String> details;

  public KmsException(Kind kind, String message) {
    this(kind, message, Map.of());
  }

  public KmsException(Kind kind, String message, Map<String, String> details) {
    super(message);
    this.kind = kind;
    this.details = Map.copyOf(details);
  }

  public KmsException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.details = Map.of();
  }

  public Kind kind() {
    return kind;
  }

  public Map<String, String> details() {
    return details;
  }

  /// Message and details on one line, for a log, a condition or Status.
  public String describe() {
    if (details.isEmpty()) {
      return String.valueOf(getMessage());
    }
    var text = new StringBuilder(String.valueOf(getMessage())).append(" (");
    String separator = "";
    for (var detail : new TreeMap<>(details).entrySet()) {
      text.append(separator).append(detail.getKey()).append(": ").append(detail.getValue());
      separator = ", ";
    }
    return text.append(')').toString();
  }
}
