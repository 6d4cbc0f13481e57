package io.keyward.kms.plugin.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

final class BackendGateTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void keepsToTheRate() {
    var gate = new BackendGate(new BackendLimit(100, 0));
    long begin = System.nanoTime();
    for (int i = 0; i < 61; i++) {
      gate.enter(false, LONG);
      gate.leave();
    }
    // Eleven may go at once, the others each wait for their hundredth of a second.
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(490));
  }

  @Test
  void refusesAtOnceWhoCannotHaveATurnInTime() {
    var gate = new BackendGate(new BackendLimit(1, 0));
    gate.enter(false, LONG);
    long begin = System.nanoTime();
    var refused =
        catchThrowableOfType(KmsException.class, () -> gate.enter(false, Duration.ofMillis(900)));
    assertThat(refused.kind()).isEqualTo(Kind.THROTTLED);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(900));
  }

  @Test
  void letsNoMoreThroughAtOneTimeThanAllowed() {
    var gate = new BackendGate(new BackendLimit(0, 2));
    gate.enter(false, LONG);
    gate.enter(false, LONG);
    var refused =
        catchThrowableOfType(KmsException.class, () -> gate.enter(false, Duration.ofMillis(50)));
    assertThat(refused.kind()).isEqualTo(Kind.THROTTLED);
    gate.leave();
    gate.enter(false, LONG);
  }

  @Test
  void whoCameFirstGoesFirstAndOnlyProbesGoBefore() {
    var gate = new BackendGate(new BackendLimit(0, 1));
    gate.enter(false, LONG);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    for (String name : List.of("first", "second", "third", "probe")) {
      Thread thread =
          Thread.ofPlatform()
              .start(() -> {
                gate.enter(name.equals("probe"), LONG);
                order.add(name);
                gate.leave();
              });
      await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }
    gate.leave();
    await().until(() -> order.size() == 4);
    assertThat(order).containsExactly("probe", "first", "second", "third");
  }

  @Test
  void whoGivesUpHoldsNobodyBack() throws InterruptedException {
    var gate = new BackendGate(new BackendLimit(0, 1));
    gate.enter(false, LONG);
    var failures = new LinkedBlockingQueue<KmsException>();
    Thread gone =
        Thread.ofPlatform()
            .start(() ->
                failures.add(
                    catchThrowableOfType(KmsException.class, () -> gate.enter(false, LONG))));
    await().until(() -> gone.getState() == Thread.State.TIMED_WAITING);
    gone.interrupt();
    gone.join();
    assertThat(failures.remove().kind()).isEqualTo(Kind.TIMEOUT);
    gate.leave();
    gate.enter(false, LONG);
  }
}
