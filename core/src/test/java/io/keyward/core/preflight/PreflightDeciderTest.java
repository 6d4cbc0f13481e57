package io.keyward.core.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.kms.PreflightState.Phase;
import io.keyward.core.model.kms.PreflightState.Report;
import io.keyward.core.model.kms.PreflightState.Result;
import io.keyward.core.model.kms.PreflightState.Run;
import io.keyward.core.preflight.PreflightDecision.Backoff;
import io.keyward.core.preflight.PreflightDecision.Clean;
import io.keyward.core.preflight.PreflightDecision.Conclude;
import io.keyward.core.preflight.PreflightDecision.Deploy;
import io.keyward.core.preflight.PreflightDecision.NotNeeded;
import io.keyward.core.preflight.PreflightDecision.Passed;
import io.keyward.core.preflight.PreflightDecision.Watch;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A result is `kind how age attempt`, a run is `kind phase age [report]`.
final class PreflightDeciderTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                              | wanted | keys    | result               | run                       | decision
          no KMS wanted                                       | aes    | -       | -                    | -                         | not needed
          no KMS wanted, a run is left over                   | aes    | -       | -                    | kmsA running PT1S         | clean
          nothing would change                                | kmsA   | 1:kmsA+ | -                    | -                         | not needed
          first KMS                                           | kmsA   | -       | -                    | -                         | deploy kmsA #1
          another remote key                                  | kmsB   | 1:kmsA+ | -                    | -                         | deploy kmsB #1
          W11 an in-place change is tried too                 | kmsA2  | 1:kmsA+ | -                    | -                         | deploy kmsA2 #1
          it runs                                             | kmsA   | -       | -                    | kmsA running PT1S         | watch kmsA
          W3 a run of an old configuration goes, failed or not | kmsB  | 1:kmsA+ | -                    | kmsA failed PT1S bad      | clean
          W3 a run that never spoke is known as well          | kmsB   | 1:kmsA+ | -                    | kmsA pending PT1S         | clean
          what the check says counts more than how it ended   | kmsA   | -       | -                    | kmsA failed PT1S bad      | conclude failed #1
          it passed                                           | kmsA   | -       | -                    | kmsA succeeded PT1S good  | conclude passed #1
          it ended without a word                             | kmsA   | -       | -                    | kmsA succeeded PT1S       | conclude failed #1
          it ended badly without a word                       | kmsA   | -       | -                    | kmsA failed PT1S          | conclude failed #1
          W1 it hangs                                         | kmsA   | -       | -                    | kmsA pending PT3M         | conclude failed #1
          it does not hang yet                                | kmsA   | -       | -                    | kmsA pending PT2M59S      | watch kmsA
          its result is written: the run goes                 | kmsA   | -       | kmsA failed PT0S 1   | kmsA failed PT5S bad      | clean
          W12 a failure is tried again, not at once           | kmsA   | -       | kmsA failed PT29S 1  | -                         | back off
          W12 a failure is tried again                        | kmsA   | -       | kmsA failed PT30S 1  | -                         | deploy kmsA #2
          W12 each time later                                 | kmsA   | -       | kmsA failed PT119S 3 | -                         | back off
          W12 each time later, but it is tried                | kmsA   | -       | kmsA failed PT120S 3 | -                         | deploy kmsA #4
          a result of another configuration is none of it     | kmsA   | -       | kmsB failed PT0S 1   | kmsA failed PT5S bad      | conclude failed #1
          a second failure counts on                          | kmsA   | -       | kmsA failed PT120S 3 | kmsA failed PT5S bad      | conclude failed #4
          W3 a failure of the old wish does not block         | kmsB   | -       | kmsA failed PT0S 9   | -                         | deploy kmsB #1
          a fresh success holds                               | kmsA   | -       | kmsA passed PT59M 1  | -                         | passed kmsA
          its run goes                                        | kmsA   | -       | kmsA passed PT0S 1   | kmsA succeeded PT5S good  | clean
          W12 an old success does not hold                    | kmsA   | -       | kmsA passed PT60M 1  | -                         | deploy kmsA #1
          a failure of a time to come is not waited for       | kmsA   | -       | kmsA failed PT-1H 3  | -                         | deploy kmsA #4
          a success of a time to come does not hold           | kmsA   | -       | kmsA passed PT-1H 1  | -                         | deploy kmsA #1
          nor does it hide what a run says                    | kmsA   | -       | kmsA failed PT-1H 1  | kmsA running PT5S bad     | conclude failed #2
          a run that began in a time to come goes             | kmsA   | -       | kmsA failed PT10M 1  | kmsA running PT-1H bad    | clean
          """)
  void decides(
      String name, String wanted, String keys, String result, String run, String decision) {
    var state = new PreflightState(Optional.empty(), result(result), run(run));
    var notation = new Notation().wanted(wanted).keys(keys);
    var seen =
        (keys.equals("-") ? notation.rollout("-") : notation.rollout("w1 r1").published("="))
            .preflight(state)
            .state();
    assertThat(show(PreflightDecider.decide(seen))).as(name).isEqualTo(decision);
  }

  @Test
  void w3AFailedRunOfAnOldConfigurationDoesNotBlockTheNewOne() {
    assertThat(decide("kmsB", "kmsA failed PT0S 9", "kmsA failed PT1S bad")).isEqualTo("clean");
    assertThat(decide("kmsB", "kmsA failed PT0S 9", "-")).isEqualTo("deploy kmsB #1");
  }

  @Test
  void w3WhatTheCheckSaidIsRecordedAndNotHowItsProcessEnded() {
    var state = new PreflightState(Optional.empty(), Optional.empty(), run("kmsA failed PT1S bad"));
    var seen = new Notation().wanted("kmsA").rollout("-").preflight(state).state();
    assertThat(PreflightDecider.decide(seen))
        .isInstanceOfSatisfying(
            Conclude.class, said -> assertThat(said.result().detail()).isEqualTo("why"));
  }

  @Test
  void w3AStuckInitContainerIsNamed() {
    var run =
        new Run(
            Optional.of(Notation.kms("kmsA").config()),
            Phase.PENDING,
            Optional.of(Notation.NOW.minus(Duration.ofMinutes(3))),
            Optional.empty(),
            Optional.of("container vault-kms-plugin-1 is waiting: ImagePullBackOff"));
    var state = new PreflightState(Optional.empty(), Optional.empty(), Optional.of(run));
    var seen = new Notation().wanted("kmsA").rollout("-").preflight(state).state();
    assertThat(PreflightDecider.decide(seen))
        .isInstanceOfSatisfying(
            Conclude.class,
            said -> assertThat(said.result().detail()).contains("ImagePullBackOff"));
  }

  @Test
  void w11AChangeInPlaceIsTriedFirst() {
    var seen =
        new Notation().wanted("kmsA2").keys("1:kmsA+").rollout("w1 r1").published("=").state();
    assertThat(show(PreflightDecider.decide(seen))).isEqualTo("deploy kmsA2 #1");
  }

  @Test
  void w12AFailureIsTriedAgainAndASuccessExpires() {
    assertThat(decide("kmsA", "kmsA failed PT29S 1", "-")).isEqualTo("back off");
    assertThat(decide("kmsA", "kmsA failed PT30S 1", "-")).isEqualTo("deploy kmsA #2");
    assertThat(decide("kmsA", "kmsA passed PT59M 1", "-")).isEqualTo("passed kmsA");
    assertThat(decide("kmsA", "kmsA passed PT60M 1", "-")).isEqualTo("deploy kmsA #1");
  }

  @Test
  void w12ASuccessWithoutATimeCountsAsExpired() {
    var result =
        new Result(
            true,
            Notation.kms("kmsA").config(),
            Optional.of(new KekId("A")),
            Optional.empty(),
            1,
            "");
    var state = new PreflightState(Optional.empty(), Optional.of(result), Optional.empty());
    var seen = new Notation().wanted("kmsA").rollout("-").preflight(state).state();
    assertThat(show(PreflightDecider.decide(seen))).isEqualTo("deploy kmsA #1");
  }

  private static String decide(String wanted, String result, String run) {
    var state = new PreflightState(Optional.empty(), result(result), run(run));
    var seen = new Notation().wanted(wanted).rollout("-").preflight(state).state();
    return show(PreflightDecider.decide(seen));
  }

  private static Optional<Result> result(String text) {
    if (text.equals("-")) {
      return Optional.empty();
    }
    String[] words = text.split(" ", -1);
    return Optional.of(
        new Result(
            words[1].equals("passed"),
            Notation.kms(words[0]).config(),
            Optional.of(new KekId("A")),
            Optional.of(Notation.NOW.minus(Duration.parse(words[2]))),
            Integer.parseInt(words[3]),
            "why"));
  }

  private static Optional<Run> run(String text) {
    if (text.equals("-")) {
      return Optional.empty();
    }
    String[] words = text.split(" ", -1);
    Optional<Report> report =
        words.length < 4
            ? Optional.empty()
            : Optional.of(new Report(words[3].equals("good"), Optional.empty(), "why"));
    return Optional.of(
        new Run(
            Optional.of(Notation.kms(words[0]).config()),
            Phase.valueOf(words[1].toUpperCase(Locale.ROOT)),
            Optional.of(Notation.NOW.minus(Duration.parse(words[2]))),
            report,
            Optional.empty()));
  }

  private static String show(PreflightDecision decision) {
    return switch (decision) {
      case NotNeeded _ -> "not needed";
      case Passed(var config) -> "passed " + config.value().replace("_", "");
      case Clean _ -> "clean";
      case Deploy(var config, var attempt) ->
          "deploy " + config.value().replace("_", "") + " #" + attempt;
      case Watch(var config, _) -> "watch " + config.value().replace("_", "");
      case Conclude(var result) ->
          "conclude " + (result.succeeded() ? "passed" : "failed") + " #" + result.attempt();
      case Backoff _ -> "back off";
    };
  }
}
