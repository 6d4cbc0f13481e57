package io.keyward.kms.plugin.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.kms.plugin.call.DelegatingProvider;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.kms.tck.FakeKms;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RoundTripTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final FakeKms kms = new FakeKms("keys/payments", () -> FakeKms.Mood.GOOD);
  private final KeyWatch watch = new KeyWatch("payments", Clock.systemUTC());

  /// The KMS rotates after it has wrapped and before its answer arrives, and another call has
  /// already shown the new version.
  @Test
  void aRotationDuringTheProbeLeavesAGoodKeyGood() {
    new RoundTrip(new WatchedProvider(kms, watch), watch).run(LIMIT);

    new RoundTrip(new WatchedProvider(new RotatingMeanwhile(1), watch), watch).run(LIMIT);

    assertThat(watch.now().problem()).isEmpty();
    assertThat(watch.now().superseded()).hasSize(1);
  }

  @Test
  void aProbeThatIsOvertakenTwiceSaysNothingAboutTheKey() {
    new RoundTrip(new WatchedProvider(kms, watch), watch).run(LIMIT);

    var probe = new RoundTrip(new WatchedProvider(new RotatingMeanwhile(2), watch), watch);

    assertThatThrownBy(() -> probe.run(LIMIT)).isInstanceOf(KmsException.class);
    assertThat(watch.now().problem()).isEmpty();
  }

  @Test
  void aKmsThatLagsBehindIsAProblem() {
    KekId old = kms.wrap(new Secret(new byte[32]), LIMIT).kek();
    watch.wrapped(watch.begin(), old);
    watch.wrapped(watch.begin(), new KekId("newer"));

    var probe = new RoundTrip(new WatchedProvider(kms, watch), watch);

    assertThatThrownBy(() -> probe.run(LIMIT)).isInstanceOf(KmsException.class);
    assertThat(watch.now().problem()).hasValueSatisfying(it -> assertThat(it).contains("older"));
  }

  /// The watch takes no unwrap of a request for the KMS's fault if the ciphertext may be bad. A
  /// probe's is fresh.
  @Test
  void aProbeThatCannotOpenItsOwnCiphertextIsAProblem() {
    var broken =
        new DelegatingProvider(kms) {
          @Override
          public Secret unwrap(Wrapped wrapped, Duration timeout) {
            throw new KmsException(Kind.CORRUPT, "not authentic");
          }
        };
    var probe = new RoundTrip(new WatchedProvider(broken, watch), watch);

    assertThatThrownBy(() -> probe.run(LIMIT)).isInstanceOf(KmsException.class);
    assertThat(watch.now().problem())
        .hasValueSatisfying(it -> assertThat(it).contains("not authentic"));
  }

  /// A later call is faster than each of the first `times` ones, and sees a new version.
  private final class RotatingMeanwhile extends DelegatingProvider {
    private int times;

    RotatingMeanwhile(int times) {
      super(RoundTripTest.this.kms);
      this.times = times;
    }

    @Override
    public Wrapped wrap(Secret dek, Duration timeout) {
      Wrapped answer = kms.wrap(dek, timeout);
      if (times-- > 0) {
        kms.rotate();
        new WatchedProvider(kms, watch).wrap(dek, timeout);
      }
      return answer;
    }
  }
}
