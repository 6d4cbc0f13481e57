package io.keyward.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Activity;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.rollout.Rollout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// How long a site goes on glances alone.
final class SiteTurnsTest {
  private static final Rollout SETTLED =
      new Rollout.Converged(0, Optional.empty(), "w", new TreeSet<>(List.of("a")));
  private static final Rollout ROLLING = new Rollout.Rolling("node a", Optional.empty(), false);

  private long nanos;
  private int live;
  private Mode wanted = Mode.IDENTITY;
  private Rollout rollout = SETTLED;
  private final SiteTurns turns =
      new SiteTurns(new GlancedSite(), TurnObserver.NOBODY, Rhythm.DEFAULT, () -> nanos);

  private int liveLooks(Duration time) {
    int before = live;
    for (long second = 0; second < time.toSeconds(); second += 10) {
      turns.turn(1, false);
      nanos += Duration.ofSeconds(10).toNanos();
    }
    return live - before;
  }

  @Test
  void aSiteAtRestIsLookedAtLiveEveryTenMinutes() {
    assertThat(liveLooks(Duration.ofMinutes(30))).isEqualTo(3);
  }

  @Test
  void aSiteThatWaitsIsLookedAtLiveEveryMinute() {
    wanted = Mode.AESCBC;
    rollout = ROLLING;
    liveLooks(Duration.ofMinutes(2));
    assertThat(liveLooks(Duration.ofMinutes(10))).isEqualTo(10);
  }

  @Test
  void aLookThatWasAskedForIsLive() {
    liveLooks(Duration.ofMinutes(1));
    int before = live;
    turns.turn(1, true);
    assertThat(live).isEqualTo(before + 1);
    turns.turn(1, false);
    assertThat(live).isEqualTo(before + 1);
  }

  private final class GlancedSite extends WillingSnapshot implements Site {
    @Override
    public SiteId id() {
      return SiteId.of("kube-apiserver");
    }

    @Override
    public SiteSnapshot observe() {
      live++;
      return this;
    }

    @Override
    public Optional<SiteSnapshot> glance() {
      return Optional.of(this);
    }

    @Override
    public ObservedState state() {
      return new ObservedState(
          Instant.parse("2026-01-02T03:04:05Z"),
          "kube-apiserver",
          RequestedEncryption.plain(wanted, List.of(new Resource("", "secrets"))),
          Stored.NOTHING,
          rollout,
          Activity.NONE,
          List.of(),
          Settings.DEFAULT);
    }
  }
}
