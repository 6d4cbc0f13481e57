package io.keyward.kube.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public final class ConcurrencyLimitTest {
  private static final long ALONE = 2_000_000;

  private final ConcurrencyLimit pace = new ConcurrencyLimit();

  /// A server with so many cores: more requests than cores take turns.
  private void serve(int requests, double cores) {
    for (int i = 0; i < requests; i++) {
      pace.took((long) (ALONE * Math.max(1, pace.width() / cores)));
    }
  }

  @Test
  void oneRequestIsTheMeasure() {
    assertThat(pace.width()).isEqualTo(1);
  }

  @Test
  void aColdStartIsNoMeasure() {
    for (int i = 0; i < 40; i++) {
      pace.took(50 * ALONE);
    }
    serve(1_000, 2);
    assertThat(pace.width()).isBetween(16, 25);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void requestsDoNotQueueForLong(int cores) {
    serve(1_000, cores);
    assertThat(pace.width()).isBetween(cores + 12, cores + 23);
  }

  @Test
  void aLargeServerIsNotFlooded() {
    serve(300, 1_000);
    assertThat(pace.width()).isEqualTo(ConcurrencyLimit.WIDEST);
    serve(3_000, 1_000);
    assertThat(pace.width()).isEqualTo(ConcurrencyLimit.WIDEST);
  }

  @Test
  void whoAsksForPatienceGetsHalf() {
    serve(240, 1_000);
    int before = pace.width();
    pace.refused();
    assertThat(pace.width()).isEqualTo(before / 2);
    for (int i = 0; i < 20; i++) {
      pace.refused();
    }
    assertThat(pace.width()).isEqualTo(1);
  }

  @Test
  void othersWhoComeAreMadeRoomFor() {
    serve(900, 8);
    int before = pace.width();
    serve(200, 1);
    assertThat(pace.width()).isLessThan(before);
  }

  @Test
  void oneStallIsNoCrowd() {
    serve(900, 4);
    int before = pace.width();
    for (int i = 0; i < 24; i++) {
      pace.took(3 * ALONE);
    }
    serve(24, 4);
    assertThat(pace.width()).isGreaterThanOrEqualTo(before - 1);
  }

  @Test
  void theMeasureIsTakenAgain() {
    serve(48, 1);
    for (int i = 0; i < 7_000; i++) {
      pace.took(20 * ALONE);
    }
    // All requests became slower for a reason of their own, such as larger objects.
    assertThat(pace.width()).isGreaterThan(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void besideOthersNoRequestWaits(int cores) {
    pace.beside(true);
    int widest = 0;
    for (int window = 0; window < 200; window++) {
      serve(24, cores);
      widest = Math.max(widest, pace.width());
    }
    assertThat(widest).isLessThanOrEqualTo(cores + 1);
    assertThat(pace.width()).isBetween(Math.max(1, cores - 1), cores + 1);
  }

  /// What made requests slower is tried again, but ever more seldom.
  @Test
  void besideOthersWhatWasTooWideIsSeldomTriedAgain() {
    pace.beside(true);
    serve(48, 1);
    int wide = 0;
    for (int request = 0; request < 24 * 200; request++) {
      serve(1, 1);
      wide += pace.width() > 1 ? 1 : 0;
    }
    assertThat(wide).isBetween(1, 24 * 8);
  }

  @Test
  void whoComesGetsRoomAtOnceAndItIsTakenBackWhenHeLeaves() {
    serve(1_000, 8);
    int alone = pace.width();
    pace.beside(true);
    assertThat(pace.width()).isEqualTo(1);
    pace.beside(false);
    serve(1_000, 8);
    assertThat(pace.width()).isBetween(alone - 2, alone + 2);
  }

  @Test
  void besideOthersALargeServerIsUsedToo() {
    pace.beside(true);
    serve(3_000, 1_000);
    assertThat(pace.width()).isEqualTo(ConcurrencyLimit.WIDEST);
  }
}
