package io.keyward.kms.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HsmThreadsTest {
  private final HsmThreads threads = new HsmThreads();

  @AfterEach
  void close() {
    threads.close();
  }

  /// A thread that has just answered is on its way to rest when the next call comes, so there may
  /// be a second one. In turns it would be all of them.
  @Test
  void aLoneCallerIsServedByThreadsThatAreAwake() throws Exception {
    allAtWork(new CountDownLatch(0));
    var names = new HashSet<String>();
    for (int call = 0; call < 4 * HsmThreads.THREADS; call++) {
      names.add(threads.submit(() -> Thread.currentThread().getName()).get(10, TimeUnit.SECONDS));
      Thread.sleep(2);
    }
    assertThat(names).hasSizeLessThan(4).allMatch(name -> name.startsWith("pkcs11-"));
  }

  @Test
  void callsWaitForAThreadUntilTooManyDo() throws Exception {
    var hsm = new CountDownLatch(1);
    List<Future<?>> running = allAtWork(hsm);
    var waiting = new ArrayList<Future<Boolean>>();
    assertThatExceptionOfType(RejectedExecutionException.class)
        .isThrownBy(() -> {
          for (int call = 0; call <= HsmThreads.WAITING; call++) {
            waiting.add(threads.submit(() -> true));
          }
        });
    assertThatExceptionOfType(RejectedExecutionException.class)
        .isThrownBy(() -> threads.execute(() -> {}));
    assertThat(waiting).hasSize(HsmThreads.WAITING);
    hsm.countDown();
    for (Future<?> each : running) {
      each.get(10, TimeUnit.SECONDS);
    }
    for (Future<Boolean> each : waiting) {
      assertThat(each.get(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  /// Equal calls wait for the first of them. The pool must not want threads in their place.
  @Test
  void callsMayWaitForEachOther() throws Exception {
    var first = new CompletableFuture<Boolean>();
    var others = new ArrayList<Future<Boolean>>();
    for (int call = 0; call < 2 * HsmThreads.THREADS; call++) {
      others.add(threads.submit(() -> first.get(10, TimeUnit.SECONDS)));
    }
    first.complete(true);
    for (Future<Boolean> each : others) {
      assertThat(each.get(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  /// All threads have begun a call that ends with `hsm`.
  private List<Future<?>> allAtWork(CountDownLatch hsm) throws InterruptedException {
    var begun = new CountDownLatch(HsmThreads.THREADS);
    var calls = new ArrayList<Future<?>>();
    for (int call = 0; call < HsmThreads.THREADS; call++) {
      calls.add(
          threads.submit(() -> {
            begun.countDown();
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            return hsm.await(10, TimeUnit.SECONDS);
          }));
    }
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    return calls;
  }
}
