package io.keyward.kms.plugin.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.FakeKms;
import io.keyward.kms.tck.FakeKms.Mood;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CachingProviderTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration TTL = Duration.ofMinutes(5);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // nanoTime may overflow
  private final FakeKms kms = new FakeKms("payments", () -> Mood.GOOD);
  private final SecretMemory memory = new SecretMemory(2, TTL, now::get);
  private final CachingProvider provider = new CachingProvider(kms, memory);

  private static Secret dek(int number) {
    return new Secret(new byte[] {(byte) number, 1, 2, 3});
  }

  @Test
  void theSameWrappedDekReachesTheKmsOnce() {
    Wrapped wrapped = kms.wrap(dek(1), TIMEOUT);
    for (int i = 0; i < 5; i++) {
      assertThat(provider.unwrap(wrapped, TIMEOUT)).isEqualTo(dek(1));
    }
    assertThat(kms.unwraps()).isEqualTo(1);
    assertThat(provider.recall(wrapped)).contains(dek(1));
    assertThat(provider.hits()).isEqualTo(5);
  }

  @Test
  void anythingChangedIsAnotherQuestion() {
    Wrapped wrapped = kms.wrap(dek(1), TIMEOUT);
    provider.unwrap(wrapped, TIMEOUT);
    kms.rotate();
    Wrapped other = kms.wrap(dek(2), TIMEOUT);
    var relabelled = new Wrapped(other.kek(), wrapped.ciphertext(), wrapped.annotations());
    assertThat(provider.recall(relabelled)).isEmpty();
    assertThat(
            catchThrowableOfType(KmsException.class, () -> provider.unwrap(relabelled, TIMEOUT))
                .kind())
        .isEqualTo(Kind.CORRUPT);
    assertThat(memory.size()).as("a failure is not remembered").isEqualTo(1);
  }

  @Test
  void theTimeCountsFromTheFirstAnswerHoweverOftenItIsAskedFor() {
    Wrapped wrapped = kms.wrap(dek(1), TIMEOUT);
    provider.unwrap(wrapped, TIMEOUT);
    now.addAndGet(TTL.toNanos() - 1);
    provider.unwrap(wrapped, TIMEOUT);
    assertThat(kms.unwraps()).isEqualTo(1);
    now.addAndGet(1);
    assertThat(provider.recall(wrapped)).isEmpty();
    provider.unwrap(wrapped, TIMEOUT);
    assertThat(kms.unwraps()).isEqualTo(2);
  }

  @Test
  void holdsNoMoreThanItsEntries() {
    Wrapped first = kms.wrap(dek(1), TIMEOUT);
    provider.unwrap(first, TIMEOUT);
    for (int i = 2; i < 6; i++) {
      provider.unwrap(kms.wrap(dek(i), TIMEOUT), TIMEOUT);
    }
    assertThat(memory.size()).isEqualTo(2);
    assertThat(provider.recall(first)).isEmpty();
  }

  @Test
  void whatIsDroppedIsOverwritten() throws ReflectiveOperationException {
    byte[] old = kept(1);
    byte[] crowdedOut = kept(2);
    byte[] closed = kept(3);
    assertThat(old).as("crowded out").containsOnly(0);
    assertThat(crowdedOut).containsExactly(2, 1, 2, 3);
    provider.close();
    assertThat(closed).as("closed").containsOnly(0);
    byte[] expired = kept(4);
    now.addAndGet(TTL.toNanos());
    memory.sweep();
    assertThat(expired).as("expired").containsOnly(0);
    assertThat(memory.size()).isZero();
  }

  /// Remembers a DEK, and returns the very array that holds it.
  private byte[] kept(int number) throws ReflectiveOperationException {
    Wrapped wrapped = kms.wrap(dek(number), TIMEOUT);
    provider.unwrap(wrapped, TIMEOUT);
    Field field = SecretMemory.class.getDeclaredField("kept");
    field.setAccessible(true);
    Object entry =
        Objects.requireNonNull(
            ((Map<?, ?>) Objects.requireNonNull(field.get(memory))).get(WrappedDigest.of(wrapped)));
    var bytes = entry.getClass().getDeclaredField("bytes");
    bytes.setAccessible(true);
    return (byte[]) Objects.requireNonNull(bytes.get(entry));
  }

  @Test
  void theNameTellsEveryPart() {
    Wrapped wrapped = kms.wrap(dek(1), TIMEOUT);
    var longer =
        new Wrapped(wrapped.kek(), Bytes.copyOf(new byte[] {1, 2, 3}), wrapped.annotations());
    assertThat(WrappedDigest.of(longer)).isNotEqualTo(WrappedDigest.of(wrapped));
    assertThat(WrappedDigest.of(wrapped)).isEqualTo(WrappedDigest.of(wrapped));
  }
}
