package io.keyward.kms.plugin.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class HeldCallTest {
  private static final long LONG = 60_000_000_000L;

  private final CompletableFuture<Thread> answered = new CompletableFuture<>();

  @Test
  void whoIsAwakeGivesTheAnswer() {
    var call = new HeldCall(() -> () -> answered.complete(Thread.currentThread()));
    Thread.ofPlatform().start(call::run);
    call.await(LONG);
    assertThat(answered).isCompletedWithValue(Thread.currentThread());
  }

  @Test
  void whereNobodyIsAwakeTheCallAnswersItself() throws InterruptedException {
    var go = new CountDownLatch(1);
    var call =
        new HeldCall(() -> {
          await(go);
          return () -> answered.complete(Thread.currentThread());
        });
    Thread worker = Thread.ofPlatform().start(call::run);
    call.await(0);
    assertThat(answered).isNotDone();
    go.countDown();
    worker.join();
    assertThat(answered).isCompletedWithValue(worker);
  }

  private static void await(CountDownLatch go) {
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void onlyALoneCallAmongShortOnesIsWaitedFor() {
    var calls = new HeldCalls();
    assertThat(calls.begin()).as("nothing is known yet").isPositive();
    assertThat(calls.begin()).as("not alone").isZero();
    calls.end(50_000);
    calls.end(50_000);
    assertThat(calls.begin()).isPositive();
    calls.end(5_000_000);
    assertThat(calls.begin()).as("one long call").isPositive();
    several(calls, 5_000_000);
    assertThat(calls.begin()).as("calls have become long").isZero();
    several(calls, 50_000);
    assertThat(calls.begin()).as("and short again").isPositive();
  }

  private static void several(HeldCalls calls, long nanos) {
    for (int i = 0; i < 20; i++) {
      calls.end(nanos);
      var _ = calls.begin();
    }
    calls.end(nanos);
  }
}
