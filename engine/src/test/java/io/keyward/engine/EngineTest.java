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
import io.keyward.core.view.SiteView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class EngineTest {
  /// Nothing wakes by itself before a test is over.
  private static final Rhythm SLOW =
      new Rhythm(
          Duration.ofMillis(5),
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofMillis(20),
          Duration.ofHours(1));

  private final List<String> removed = new ArrayList<>();
  private final Engine engine =
      new Engine(
          new TurnObserver() {
            @Override
            public void turned(SiteId site, SiteView seen, Set<String> failed) {}

            @Override
            public void noTurn(SiteId site) {}

            @Override
            public void removed(SiteId site) {
              removed.add(site.toString());
            }
          },
          SLOW);

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void everySiteHasItsFirstTurnAtOnceAndAnEventWakesItsOwn() {
    var one = new IdleSite("one");
    var other = new IdleSite("other");
    engine.add(one);
    engine.add(other);
    await(() -> one.turns.get() == 1 && other.turns.get() == 1);

    engine.wake(one.id());
    await(() -> one.turns.get() == 2);
    assertThat(other.turns).hasValue(1);

    engine.wakeAll();
    await(() -> one.turns.get() == 3 && other.turns.get() == 2);
  }

  @Test
  void sitesThatHangDelayNoOther() throws InterruptedException {
    var hanging = new CountDownLatch(1);
    for (int i = 0; i < 100; i++) {
      engine.add(new IdleSite("hangs-" + i, () -> awaitQuietly(hanging)));
    }
    var good = new IdleSite("good");
    engine.add(good);
    await(() -> good.turns.get() == 1);
    engine.wake(good.id());
    await(() -> good.turns.get() == 2);
    hanging.countDown();
  }

  @Test
  void aSiteThatFailsIsTriedAgainAndWokenByEvents() {
    var broken =
        new IdleSite(
            "broken",
            () -> {
              throw new IllegalStateException("no answer");
            });
    engine.add(broken);
    await(() -> broken.turns.get() >= 2);
    await(() -> broken.complaint.equals(Optional.of("no answer")));
    int before = broken.turns.get();
    engine.wake(broken.id());
    await(() -> broken.turns.get() > before);
  }

  @Test
  void nothingHappensAtASiteThatWasRemoved() {
    var interrupted = new AtomicInteger();
    var entered = new CountDownLatch(1);
    var site =
        new IdleSite(
            "one",
            () -> {
              entered.countDown();
              try {
                Thread.sleep(Duration.ofMinutes(1));
              } catch (InterruptedException _) {
                interrupted.incrementAndGet();
                Thread.currentThread().interrupt();
              }
            });
    engine.add(site);
    awaitQuietly(entered);
    engine.remove(site.id());
    assertThat(interrupted).as("the turn was over when remove returned").hasValue(1);
    assertThat(removed).containsExactly("one");
    engine.wake(site.id());
    engine.wakeAll();

    var again = new IdleSite("one");
    engine.add(again);
    await(() -> again.turns.get() == 1);
    assertThat(site.turns).hasValue(1);
  }

  @Test
  void aThousandSitesRestWithoutAThread() {
    var sites = new ArrayList<IdleSite>();
    for (int i = 0; i < 1_000; i++) {
      var site = new IdleSite("site-" + i);
      sites.add(site);
      engine.add(site);
    }
    await(() -> sites.stream().allMatch(site -> site.turns.get() == 1));
    engine.wake(sites.get(500).id());
    await(() -> sites.get(500).turns.get() == 2);
    assertThat(sites.stream().mapToInt(site -> site.turns.get()).sum()).isEqualTo(1_001);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(BooleanSupplier wanted) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!wanted.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  /// An API server of which nobody wants anything.
  private static final class IdleSite extends WillingSnapshot implements Site {
    private final SiteId id;
    private final Runnable onLook;
    private final AtomicInteger turns = new AtomicInteger();
    private volatile Optional<String> complaint = Optional.empty();

    IdleSite(String name) {
      this(name, () -> {});
    }

    IdleSite(String name, Runnable onLook) {
      this.id = SiteId.of(name);
      this.onLook = onLook;
    }

    @Override
    public SiteId id() {
      return id;
    }

    @Override
    public SiteSnapshot observe() {
      turns.incrementAndGet();
      onLook.run();
      return this;
    }

    @Override
    public void complain(Optional<String> problem) {
      complaint = problem;
    }

    @Override
    public ObservedState state() {
      return new ObservedState(
          Instant.parse("2026-01-02T03:04:05Z"),
          id.apiServer(),
          RequestedEncryption.plain(Mode.IDENTITY, List.of(new Resource("", "secrets"))),
          Stored.NOTHING,
          new Rollout.Converged(0, Optional.empty(), "w", new TreeSet<>(List.of("a"))),
          Activity.NONE,
          List.of(),
          Settings.DEFAULT);
    }
  }
}
