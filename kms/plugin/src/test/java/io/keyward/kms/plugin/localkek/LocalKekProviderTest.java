package io.keyward.kms.plugin.localkek;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyward.kms.plugin.config.KeyOptions.LocalKekLimits;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.plugin.health.WatchedProvider;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.FakeKms;
import io.keyward.kms.tck.FakeKms.Mood;
import io.keyward.kms.tck.KmsProviderContract;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LocalKekProviderTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Secret DEK = new Secret(new byte[32]);
  private static final LocalKekLimits LIMITS = new LocalKekLimits(Duration.ofHours(1), 10);

  private final AtomicReference<Mood> mood = new AtomicReference<>(Mood.GOOD);
  private final FakeKms kms = new FakeKms("payments", mood::get);
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-15T00:00:00Z"));

  /// A plugin's part of it: its own watch, its own local KEK.
  private final class Node {
    private final KeyWatch watch = new KeyWatch("payments", InstantSource.system());
    private final LocalKekProvider provider;

    Node(KmsProvider remote, LocalKekLimits limits) {
      var opener = new LocalKekOpener(new WatchedProvider(remote, watch), System::nanoTime);
      provider = new LocalKekProvider(remote, opener, watch, limits, now::get);
    }

    void probe() {
      provider.renew(kms, TIMEOUT);
    }

    KekId wrapId() {
      return provider.wrap(DEK, TIMEOUT).kek();
    }
  }

  @Nested
  final class Contract extends KmsProviderContract {
    private final Node node = new Node(kms, LocalKekLimits.DEFAULT);

    @Override
    protected KmsProvider provider() {
      return node.provider;
    }

    @Override
    protected KmsProvider reopened() {
      return new Node(kms, LocalKekLimits.DEFAULT).provider;
    }

    @Override
    protected KmsProvider otherKey() {
      return new Node(new FakeKms("other", mood::get), LocalKekLimits.DEFAULT).provider;
    }

    @Override
    protected void rotate() {
      kms.rotate();
      node.probe();
    }

    /// With a local KEK at hand nothing would hang: it is taken away by its limits.
    @Override
    protected boolean hang() {
      return false;
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                  | age    | uses | decision
          fresh                   | PT0S   | 0    | KEEP
          nearly due              | PT59M  | 9    | KEEP
          due by age              | PT1H   | 0    | REPLACE
          due by uses             | PT0S   | 10   | REPLACE
          not replaced for long   | PT119M | 19   | REPLACE
          too old                 | PT2H   | 0    | STOP
          used too often          | PT0S   | 20   | STOP
          """)
  void decides(String name, Duration age, long uses, String decision) {
    assertThat(LocalKekRule.decide(LIMITS, age, uses)).hasToString(decision);
  }

  @Test
  void theLimitsStayFarBelowWhatRandomNoncesAllow() {
    assertThat(LocalKekLimits.MOST_USES * 2).isLessThan(1L << 26);
  }

  @Test
  void theKmsIsAskedOncePerKekAndNotPerDek() {
    var writer = new Node(kms, LocalKekLimits.DEFAULT);
    var reader = new Node(kms, LocalKekLimits.DEFAULT);
    for (int i = 0; i < 500; i++) {
      var dek = new Secret(new byte[] {(byte) i, 1});
      Wrapped wrapped = writer.provider.wrap(dek, TIMEOUT);
      assertThat(reader.provider.unwrap(wrapped, TIMEOUT)).isEqualTo(dek);
    }
    assertThat(kms.wraps()).as("the writer's local KEK").isEqualTo(1);
    assertThat(kms.unwraps()).as("its own check, and the reader").isEqualTo(2);
  }

  @Test
  void whatWasWrappedBeforeItWasTurnedOnStaysReadable() {
    Wrapped before = kms.wrap(DEK, TIMEOUT);
    assertThat(new Node(kms, LIMITS).provider.unwrap(before, TIMEOUT)).isEqualTo(DEK);
  }

  @Test
  void whatWasWrappedWithItStaysReadableWhenItIsTurnedOff() {
    Wrapped wrapped = new Node(kms, LIMITS).provider.wrap(DEK, TIMEOUT);
    var off = new LocalKekOpener(kms, System::nanoTime);
    assertThat(off.recall(wrapped)).isEmpty();
    assertThat(off.unwrap(wrapped, TIMEOUT)).isEqualTo(DEK);
    assertThat(off.recall(wrapped)).contains(DEK);
    assertThat(off.wrap(DEK, TIMEOUT).annotations().entries())
        .doesNotContainKey(LocalSeal.ANNOTATION);
  }

  @Test
  void aRemoteRotationChangesTheIdOnlyOnceTheLocalKekIsWrappedAgain() {
    var node = new Node(kms, LocalKekLimits.DEFAULT);
    KekId before = node.wrapId();
    kms.rotate();
    assertThat(node.wrapId()).as("not wrapped again yet").isEqualTo(before);
    assertThat(node.watch.now().kek()).as("Status agrees").contains(before);
    node.probe();
    KekId after = node.wrapId();
    assertThat(after).isNotEqualTo(before);
    assertThat(node.watch.now().kek()).contains(after);
    kms.useVersion(1);
    assertThat(catchThrowableOfType(KmsException.class, node::probe).kind())
        .isEqualTo(Kind.UNAVAILABLE);
    assertThat(node.wrapId()).as("an old version never comes back").isEqualTo(after);
    assertThat(node.watch.now().isGood()).isFalse();
  }

  @Test
  void aRotationThatFailsHalfWayChangesNothing() {
    var node = new Node(kms, LocalKekLimits.DEFAULT);
    KekId before = node.wrapId();
    kms.rotate();
    mood.set(Mood.failing(Kind.DENIED));
    assertThat(catchThrowableOfType(KmsException.class, node::probe).kind()).isEqualTo(Kind.DENIED);
    assertThat(node.watch.now().isGood()).as("Status tells the truth about the KMS").isFalse();
    assertThat(node.wrapId()).isEqualTo(before);
    assertThat(node.watch.now().isGood()).as("a local wrap proves nothing").isFalse();
    assertThat(node.watch.now().kek()).contains(before);
  }

  @Test
  void isReplacedByAgeAndByUses() {
    var node = new Node(kms, LIMITS);
    var keks = new HashSet<Object>();
    keks.add(localKek(node));
    node.probe();
    keks.add(localKek(node));
    assertThat(keks).as("kept while it is not due").hasSize(1);
    now.updateAndGet(at -> at.plus(LIMITS.maxAge()));
    node.probe();
    keks.add(localKek(node));
    assertThat(keks).as("by age").hasSize(2);
    for (int i = 0; i < 10; i++) {
      node.wrapId();
    }
    node.probe();
    keks.add(localKek(node));
    assertThat(keks).as("by uses").hasSize(3);
  }

  @Test
  void stopsAtTwiceItsLimitsWhenTheKmsIsAway() {
    var node = new Node(kms, LIMITS);
    node.wrapId();
    mood.set(Mood.failing(Kind.DENIED));
    for (int i = 1; i < 20; i++) {
      node.wrapId();
    }
    assertThat(catchThrowableOfType(KmsException.class, node::wrapId).kind())
        .isEqualTo(Kind.DENIED);
    mood.set(Mood.GOOD);
    node.wrapId();
  }

  private static Object localKek(Node node) {
    return node.provider
        .wrap(DEK, TIMEOUT)
        .annotations()
        .entries()
        .getOrDefault(LocalSeal.ANNOTATION, io.keyward.kms.spi.Bytes.utf8("none"));
  }

  @Test
  void aHangingKmsCostsTheFirstWrapNoMoreThanItsTime() {
    mood.set(Mood.slow(Duration.ofHours(1)));
    var node = new Node(kms, LIMITS);
    var failure =
        catchThrowableOfType(
            KmsException.class, () -> node.provider.wrap(DEK, Duration.ofMillis(200)));
    assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
  }
}
