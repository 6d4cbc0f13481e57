package io.keyward.kms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every provider and every decorator promises. Subclass it once for each.
public abstract class KmsProviderContract {
  protected static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final byte[] PLAIN =
      HexFormat.of().parseHex("c0ffee00deadbeef0123456789abcdeffedcba98765432100badf00dc0dec0de");
  private static final Secret DEK = new Secret(PLAIN);

  /// The provider under test. The same one for the whole test.
  protected abstract KmsProvider provider();

  /// A second provider for the same key of the same KMS, as after a restart.
  protected abstract KmsProvider reopened();

  /// A provider for another key of the same KMS.
  protected abstract KmsProvider otherKey();

  /// Makes the KMS rotate the key, and returns when the provider may be expected to know.
  protected abstract void rotate();

  /// Makes the KMS stop answering, without refusing. False where nothing can be made to hang.
  protected boolean hang() {
    return false;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 32, 64, 256})
  void unwrapsWhatItWrapped(int size) {
    var dek = new Secret(new byte[size]);
    assertThat(provider().unwrap(provider().wrap(dek, TIMEOUT), TIMEOUT)).isEqualTo(dek);
  }

  @Test
  void neverWrapsTheSameWayTwice() {
    assertThat(wrapped().ciphertext()).isNotEqualTo(wrapped().ciphertext());
  }

  @Test
  void hidesThePlaintext() {
    String ciphertext = HexFormat.of().formatHex(wrapped().ciphertext().toArray());
    assertThat(ciphertext).doesNotContain(HexFormat.of().formatHex(PLAIN, 0, 8));
  }

  @Test
  void refusesACiphertextWithAnyByteChanged() {
    Wrapped good = wrapped();
    for (int i = 0; i < good.ciphertext().size(); i++) {
      byte[] bytes = good.ciphertext().toArray();
      bytes[i] ^= 1;
      var bad = new Wrapped(good.kek(), Bytes.copyOf(bytes), good.annotations());
      assertThat(refusal(bad).kind()).as("byte %d", i).isIn(Kind.CORRUPT, Kind.UNKNOWN_KEK);
    }
  }

  @Test
  void refusesATruncatedCiphertext() {
    Wrapped good = wrapped();
    for (int length = 1; length < good.ciphertext().size(); length++) {
      byte[] bytes = java.util.Arrays.copyOf(good.ciphertext().toArray(), length);
      var bad = new Wrapped(good.kek(), Bytes.copyOf(bytes), good.annotations());
      assertThat(refusal(bad).kind()).isIn(Kind.CORRUPT, Kind.UNKNOWN_KEK);
    }
  }

  @Test
  void refusesAKeyIdItDoesNotKnow() {
    Wrapped good = wrapped();
    var bad = new Wrapped(new KekId("nobody"), good.ciphertext(), good.annotations());
    assertThat(refusal(bad).kind()).isEqualTo(Kind.UNKNOWN_KEK);
  }

  @Test
  void refusesTheKeyIdOfAnotherVersion() {
    Wrapped old = wrapped();
    rotate();
    Wrapped current = wrapped();
    var bad = new Wrapped(current.kek(), old.ciphertext(), old.annotations());
    assertThat(refusal(bad).kind()).isIn(Kind.CORRUPT, Kind.UNKNOWN_KEK);
    bad = new Wrapped(current.kek(), old.ciphertext(), current.annotations());
    assertThat(refusal(bad).kind()).isIn(Kind.CORRUPT, Kind.UNKNOWN_KEK);
  }

  @Test
  void refusesAnyChangeOfAnAnnotation() {
    Wrapped good = wrapped();
    var variants = new ArrayList<Map<String, Bytes>>();
    var added = new HashMap<>(good.annotations().entries());
    added.put("added.example.org", Bytes.utf8("x"));
    variants.add(added);
    for (String name : good.annotations().entries().keySet()) {
      var changed = new HashMap<>(good.annotations().entries());
      changed.put(name, Bytes.utf8("changed"));
      variants.add(changed);
      var removed = new HashMap<>(good.annotations().entries());
      removed.remove(name);
      variants.add(removed);
    }
    for (Map<String, Bytes> variant : variants) {
      var bad = new Wrapped(good.kek(), good.ciphertext(), new Annotations(variant));
      assertThat(refusal(bad).kind()).as("%s", variant.keySet()).isEqualTo(Kind.CORRUPT);
    }
  }

  @Test
  void refusesWhatAnotherKeyWrapped() {
    Wrapped foreign = otherKey().wrap(DEK, TIMEOUT);
    assertThat(refusal(foreign).kind()).isIn(Kind.UNKNOWN_KEK, Kind.CORRUPT);
    var relabelled = new Wrapped(wrapped().kek(), foreign.ciphertext(), foreign.annotations());
    assertThat(refusal(relabelled).kind()).isIn(Kind.UNKNOWN_KEK, Kind.CORRUPT);
  }

  @Test
  void twoKeysNeverShareAnId() {
    assertThat(otherKey().wrap(DEK, TIMEOUT).kek()).isNotEqualTo(wrapped().kek());
  }

  @Test
  void keepsItsIdWhileNothingIsRotated() {
    assertThat(reopened().wrap(DEK, TIMEOUT).kek()).isEqualTo(wrapped().kek());
  }

  @Test
  void changesItsIdWithEveryRotationAndNeverGoesBack() {
    var ids = new ArrayList<KekId>();
    ids.add(wrapped().kek());
    for (int i = 0; i < 3; i++) {
      rotate();
      ids.add(wrapped().kek());
    }
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(reopened().wrap(DEK, TIMEOUT).kek()).isEqualTo(ids.getLast());
  }

  @Test
  void opensWhatEarlierVersionsWrapped() {
    Wrapped first = wrapped();
    rotate();
    rotate();
    assertThat(provider().unwrap(first, TIMEOUT)).isEqualTo(DEK);
    assertThat(reopened().unwrap(first, TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void servesManyCallersAtOnce() throws InterruptedException, ExecutionException {
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var results = new ArrayList<Future<Boolean>>();
      for (int caller = 0; caller < 16; caller++) {
        var dek = new Secret(new byte[] {(byte) caller, 7, 7, 7});
        results.add(callers.submit(() -> roundTrips(dek)));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get()).isTrue();
      }
    }
  }

  @Test
  void aHangingKmsCostsNoMoreThanTheTimeout() {
    Wrapped good = wrapped();
    assumeTrue(hang(), "this KMS cannot be made to hang");
    var timeout = Duration.ofMillis(300);
    long begin = System.nanoTime();
    var wrapping = catchThrowableOfType(KmsException.class, () -> provider().wrap(DEK, timeout));
    var unwrapping =
        catchThrowableOfType(KmsException.class, () -> provider().unwrap(good, timeout));
    // Generous, because it must tell "bounded" from "hangs", not measure anything.
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
    assertThat(wrapping.kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(unwrapping.kind()).isEqualTo(Kind.TIMEOUT);
  }

  @Test
  void reportsOnItsKeyWithinTheTimeout() {
    provider().wrap(DEK, TIMEOUT);
    assertThat(provider().report(TIMEOUT).state())
        .isIn(KekReport.State.ENABLED, KekReport.State.UNKNOWN);
    assumeTrue(hang(), "this KMS cannot be made to hang");
    long begin = System.nanoTime();
    try {
      assertThat(provider().report(Duration.ofMillis(300))).isNotNull();
    } catch (KmsException e) {
      assertThat(e.kind()).isIn(Kind.TIMEOUT, Kind.UNAVAILABLE);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void errorsTellNothingAboutTheData() {
    Wrapped good = wrapped();
    byte[] bytes = good.ciphertext().toArray();
    bytes[bytes.length - 1] ^= 1;
    var failures =
        List.of(
            refusal(new Wrapped(good.kek(), Bytes.copyOf(bytes), good.annotations())),
            refusal(new Wrapped(new KekId("nobody"), good.ciphertext(), good.annotations())));
    var hex = HexFormat.of();
    for (KmsException failure : failures) {
      var text = new StringBuilder();
      for (Throwable t = failure; t != null; t = t.getCause()) {
        text.append(t).append('\n');
      }
      text.append(failure.describe());
      assertThat(text.toString())
          .doesNotContainIgnoringCase(hex.formatHex(PLAIN, 0, 8))
          .doesNotContain(java.util.Base64.getEncoder().encodeToString(PLAIN).substring(0, 12))
          .doesNotContainIgnoringCase(hex.formatHex(good.ciphertext().toArray(), 0, 8));
    }
  }

  private boolean roundTrips(Secret dek) {
    for (int i = 0; i < 50; i++) {
      if (!provider().unwrap(provider().wrap(dek, TIMEOUT), TIMEOUT).equals(dek)) {
        return false;
      }
    }
    return true;
  }

  private Wrapped wrapped() {
    return provider().wrap(DEK, TIMEOUT);
  }

  private KmsException refusal(Wrapped bad) {
    var refusal = catchThrowableOfType(KmsException.class, () -> provider().unwrap(bad, TIMEOUT));
    assertThat(refusal).as("must be refused").isNotNull();
    return refusal;
  }
}
