package io.keyward.kms.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EnvelopeTest {
  private static final RemoteKek KEK = new RemoteKek("somekms", "region/key");
  private static final Secret DEK = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
  private static final byte[] WRAPPED_KEY = "what the KMS made of it".getBytes(UTF_8);

  private final Secret oneTimeKey = Envelope.newOneTimeKey(new SecureRandom());
  private final Wrapped good = Envelope.seal(KEK, "7", WRAPPED_KEY, oneTimeKey, DEK);

  @Test
  void opensWhatItSealed() {
    Envelope envelope = Envelope.read(good);
    envelope.check(KEK, good);
    assertThat(envelope.version()).isEqualTo("7");
    assertThat(envelope.wrappedKey()).isEqualTo(WRAPPED_KEY);
    assertThat(envelope.open(good, oneTimeKey)).isEqualTo(DEK);
  }

  /// The one-time key binds the header too, without any help from the KMS.
  @Test
  void everyByteIsBound() {
    byte[] bytes = good.ciphertext().toArray();
    for (int i = 0; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      var bad = new Wrapped(good.kek(), Bytes.copyOf(changed), good.annotations());
      assertThatExceptionOfType(KmsException.class)
          .as("byte %d", i)
          .isThrownBy(() -> Envelope.read(bad).open(bad, oneTimeKey))
          .matches(e -> e.kind() == Kind.CORRUPT);
    }
  }

  @Test
  void keyIdAndAnnotationsAreBound() {
    var otherId = new Wrapped(new KekId("other"), good.ciphertext(), good.annotations());
    var otherNote =
        new Wrapped(good.kek(), good.ciphertext(), new Annotations(Map.of("a.b", Bytes.utf8("c"))));
    for (Wrapped bad : new Wrapped[] {otherId, otherNote}) {
      assertThatExceptionOfType(KmsException.class)
          .isThrownBy(() -> Envelope.read(bad).open(bad, oneTimeKey))
          .matches(e -> e.kind() == Kind.CORRUPT);
    }
  }

  @Test
  void refusesWithoutTheKmsWhatDoesNotBelongTogether() {
    var otherKey = new RemoteKek("somekms", "region/other");
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> Envelope.read(good).check(otherKey, good))
        .matches(e -> e.kind() == Kind.UNKNOWN_KEK);
    var bare = new Wrapped(good.kek(), good.ciphertext(), Annotations.NONE);
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> Envelope.read(bare).check(KEK, bare))
        .matches(e -> e.kind() == Kind.CORRUPT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\1",
        "\1\1",
        "\0017",
        "\1\0017\0\1",
        "\1\1a\377\377",
        "\2\1a\0\1ksealed sealed!!!!!"
      })
  void refusesWhatHasAnotherForm(String text) {
    var bytes = Bytes.copyOf(text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    var bad = new Wrapped(good.kek(), bytes, good.annotations());
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> Envelope.read(bad))
        .matches(e -> e.kind() == Kind.CORRUPT);
  }

  @Test
  void refusesToMakeMoreThanKmsV2Takes() {
    assertThatExceptionOfType(KmsException.class)
        .isThrownBy(() -> Envelope.seal(KEK, "7", new byte[1000], oneTimeKey, DEK))
        .matches(e -> e.kind() == Kind.INTERNAL);
  }
}
