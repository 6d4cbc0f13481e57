package io.keyward.kms.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Wrapped;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The contract with AES key wrap.
final class Pkcs11KeyWrapTest extends SoftHsmContract {
  Pkcs11KeyWrapTest() {
    super("AES-KEY-WRAP");
  }

  /// One key, two mechanisms, two ids: neither opens what the other wrapped, and says so.
  @Test
  void mechanismsAreNotMixedUp() {
    Wrapped wrapped = provider.wrap(DEK, TIMEOUT);
    var gcm = opened(Map.of("mechanism", "AES-GCM"));
    assertThat(gcm.wrap(DEK, TIMEOUT).kek()).isNotEqualTo(wrapped.kek());
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> gcm.unwrap(wrapped, TIMEOUT))
        .matches(e -> e.kind() == Kind.UNKNOWN_KEK);
  }

  /// The one-time keys are session objects, and must not pile up.
  @Test
  void nothingIsLeftInTheToken() {
    var module = Cryptoki.of(io.keyward.testbed.SoftHsm.module());
    provider.wrap(DEK, TIMEOUT);
    var link = new TokenLink(module, TokenFinder.slotOf(module, token()));
    int before = link.inSession(Cryptoki::aesKeys).size();
    for (int i = 0; i < 10; i++) {
      assertThat(provider.unwrap(provider.wrap(DEK, TIMEOUT), TIMEOUT)).isEqualTo(DEK);
    }
    assertThat(link.inSession(Cryptoki::aesKeys)).hasSize(before);
    link.close();
  }
}
