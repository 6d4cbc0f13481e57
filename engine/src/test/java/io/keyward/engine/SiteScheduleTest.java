package io.keyward.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.engine.SiteSchedule.Due;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SiteScheduleTest {
  private static final SiteId A = SiteId.of("a");
  private static final SiteId B = new SiteId("prod-17", "b");
  private static final long BURST = 2;

  private final SiteSchedule schedule = new SiteSchedule(BURST);

  /// At time 0 the site has a turn that ends at time 10 with a rest of `rest`, for example `5-60`.
  /// `events` are times of events; `turns` are the times of all later turns up to time 100, each of
  /// which rests for the whole time that is left.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                        | rest  | events   | turns
          without an event it wakes by itself           | 0-60  | -        | 70
          an event wakes it after the burst             | 0-60  | 20       | 22
          many events in a row make one turn            | 0-60  | 20 21 21 | 22
          a later event does not delay the turn         | 0-60  | 20 21 22 | 22
          an event just before the turn is part of it   | 0-60  | 69       | 70
          a rest that no event shortens                 | 30-60 | 20       | 40
          an event after the least rest                 | 5-60  | 20       | 22
          an event during the turn leads to another one | 0-60  | 5        | 12
          and keeps to the least rest                   | 30-60 | 5        | 40
          """)
  void turnsComeWhenTheyAreDue(String name, String rest, String events, String turns) {
    schedule.add(A, 0);
    assertThat(schedule.poll(0)).contains(new Due(A, false));
    String[] bounds = rest.split("-", -1);
    List<String> found = new ArrayList<>();
    for (long now = 0; now < 100; now++) {
      if (now == 10) {
        schedule.finished(A, now, rest(bounds[0], bounds[1]));
      }
      for (String event : events.equals("-") ? new String[0] : events.split(" ", -1)) {
        if (Long.parseLong(event) == now) {
          schedule.wake(A, now, false);
        }
      }
      if (schedule.poll(now).isPresent()) {
        found.add(Long.toString(now));
        schedule.finished(A, now, rest("100", "100"));
      }
    }
    assertThat(String.join(" ", found)).as(name).isEqualTo(turns);
  }

  private static Rest rest(String atLeast, String atMost) {
    return new Rest(
        Duration.ofNanos(Long.parseLong(atLeast)), Duration.ofNanos(Long.parseLong(atMost)));
  }

  @Test
  void aSiteHasOneTurnAtATime() {
    schedule.add(A, 0);
    assertThat(schedule.poll(0)).contains(new Due(A, false));
    schedule.wake(A, 1, false);
    assertThat(schedule.poll(1_000)).isEmpty();
    assertThat(schedule.nextDue()).isEmpty();
  }

  @Test
  void anEventWakesItsSiteAlone() {
    schedule.add(A, 0);
    schedule.add(B, 0);
    schedule.poll(0);
    schedule.poll(0);
    schedule.finished(A, 0, rest("0", "60"));
    schedule.finished(B, 0, rest("0", "60"));
    schedule.wake(B, 5, false);
    assertThat(schedule.nextDue()).hasValue(5 + BURST);
    assertThat(schedule.poll(10)).contains(new Due(B, false));
    assertThat(schedule.poll(10)).isEmpty();
  }

  @Test
  void theOneThatWaitsLongestIsFirst() {
    schedule.add(B, 0);
    schedule.add(A, 1);
    assertThat(schedule.poll(5)).contains(new Due(B, false));
    assertThat(schedule.poll(5)).contains(new Due(A, false));
  }

  @Test
  void aSiteThatWasRemovedHasNoTurnAnyMore() {
    schedule.add(A, 0);
    schedule.remove(A);
    schedule.wake(A, 1, false);
    assertThat(schedule.poll(10)).isEmpty();

    schedule.add(A, 20);
    assertThat(schedule.poll(20)).contains(new Due(A, false));
    schedule.remove(A);
    schedule.finished(A, 30, rest("0", "0"));
    assertThat(schedule.poll(40)).isEmpty();
    assertThat(schedule.size()).isZero();
  }

  @Test
  void aLiveLookIsAskedForOnceAndNotForgottenInATurn() {
    schedule.add(A, 0);
    schedule.poll(0);
    schedule.wake(A, 1, true);
    schedule.wake(A, 1, false);
    schedule.finished(A, 5, rest("0", "60"));
    assertThat(schedule.poll(10)).contains(new Due(A, true));
    schedule.finished(A, 20, rest("0", "60"));
    assertThat(schedule.poll(100)).contains(new Due(A, false));
  }

  @Test
  void twoSitesOfOneNameAreRefused() {
    schedule.add(A, 0);
    assertThatThrownBy(() -> schedule.add(A, 1)).hasMessageContaining("site a is already");
    schedule.add(new SiteId("other", "a"), 0);
  }
}
