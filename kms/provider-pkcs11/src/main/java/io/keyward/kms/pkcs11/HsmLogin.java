package io.keyward.kms.pkcs11;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.SecretFile;
import java.nio.file.Path;
import java.security.AuthProvider;
import java.security.ProviderException;
import java.security.Security;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginException;

/// Opens a token with its PIN, by the JDK's provider.
final class HsmLogin {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Path module;
  private final SecretFile pinFile;
  private final RefusedPins refused;

  HsmLogin(Path module, Path pinFile, RefusedPins refused) {
    this.module = module;
    this.pinFile = new SecretFile(pinFile);
    this.refused = refused;
  }

  AuthProvider open(long slot) {
    String pin = pinFile.read();
    var attempt = refused.attempt(module + " " + slot, pinFile, pin);
    if (refused.contains(attempt)) {
      throw refusal();
    }
    AuthProvider provider = provider(slot);
    try {
      provider.login(null, callbacks -> answer(callbacks, pin));
      return provider;
    } catch (LoginException e) {
      String code = String.valueOf(cause(e).getMessage());
      if (code.contains("CKR_PIN_LOCKED")) {
        throw new KmsException(
            Kind.DENIED, "the token has locked its PIN; the security officer must set a new one");
      }
      if (e instanceof FailedLoginException || code.contains("CKR_PIN_")) {
        refused.add(attempt);
        throw refusal();
      }
      throw new KmsException(
          Kind.UNAVAILABLE,
          "the login at the token failed",
          Map.of("cause", cause(e).getClass().getSimpleName()));
    }
  }

  private static void answer(Callback[] callbacks, String pin) {
    for (Callback callback : callbacks) {
      if (callback instanceof PasswordCallback question) {
        question.setPassword(pin.toCharArray());
      }
    }
  }

  private AuthProvider provider(long slot) {
    String config =
        """
        --name = keyward%d
        library = "%s"
        slot = %d
        destroyTokenAfterLogout = false
        """
            .formatted(COUNT.incrementAndGet(), module, slot);
    var prototype = Optional.ofNullable(Security.getProvider("SunPKCS11"));
    try {
      return (AuthProvider)
          prototype
              .orElseThrow(() ->
                  new KmsException(Kind.INTERNAL, "this JDK has no module jdk.crypto.cryptoki"))
              .configure(config);
    } catch (ProviderException | java.security.InvalidParameterException e) {
      throw new KmsException(
          Kind.UNAVAILABLE,
          "the token cannot be used",
          Map.of("cause", cause(e).getClass().getSimpleName()));
    }
  }

  private static KmsException refusal() {
    return new KmsException(
        Kind.DENIED,
        "the token refuses the PIN",
        Map.of(
            KmsException.HINT,
            "correct the PIN file; the same PIN is not tried again, because tokens lock themselves"
                + " after a few wrong ones"));
  }

  private static Throwable cause(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
