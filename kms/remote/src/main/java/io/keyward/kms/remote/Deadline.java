package io.keyward.kms.remote;

import io.keyward.http.OverdueWatch;
import io.keyward.http.TimeLimit;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/// The moment when a call must have ended, whatever the network does.
public final class Deadline {
  private final TimeLimit limit;

  private Deadline(TimeLimit limit) {
    this.limit = limit;
  }

  public static Deadline after(Duration timeout) {
    return new Deadline(TimeLimit.after(timeout));
  }

  /// A little earlier than `timeout`: an answer that says so must still get back in time.
  public static Deadline before(Duration timeout) {
    return new Deadline(TimeLimit.after(timeout.dividedBy(50).multipliedBy(49)));
  }

  public Duration left() {
    return limit.left();
  }

  public TimeLimit limit() {
    return limit;
  }

  public Deadline later(Deadline other) {
    return other.limit.end() - limit.end() > 0 ? other : this;
  }

  public boolean passed() {
    return limit.passed();
  }

  /// Waits for `future`, which goes on or is cancelled by its owner when the time is up.
  ///
  /// @throws KmsException what the future failed with, or `TIMEOUT`
  /// @throws ExecutionException if the future failed with anything else
  public <T> T await(CompletableFuture<T> future) throws ExecutionException {
    // Others may wait for the same one; and a copy would not do, since the JDK's HTTP client ends
    // the request with it.
    var mine = new CompletableFuture<T>();
    var _ =
        future.whenComplete((value, failure) -> {
          if (failure == null) {
            mine.complete(value);
          } else {
            mine.completeExceptionally(failure);
          }
        });
    try {
      return orCancel(mine);
    } catch (CancellationException e) {
      throw timeout();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw givenUp(e);
    }
  }

  /// Makes a blocking call that knows no time limit of its own, or several that do not add up: name
  /// resolution, connecting, TLS, log-in and the call itself.
  ///
  /// @throws KmsException what `work` failed with, or `TIMEOUT`; `INTERNAL` for what it should have
  ///   understood and did not
  public <T> T run(Supplier<T> work) {
    var task = new FutureTask<>(work::get);
    var thread = Thread.ofVirtual().name("kms-call").unstarted(task);
    // Libraries look their parts up in it, and they are not where the plugin's classes are.
    thread.setContextClassLoader(work.getClass().getClassLoader());
    thread.start();
    try {
      return orCancel(task);
    } catch (CancellationException e) {
      throw timeout();
    } catch (InterruptedException e) {
      task.cancel(true);
      Thread.currentThread().interrupt();
      throw givenUp(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KmsException failure) {
        throw failure;
      }
      // Its message is not ours, so nobody knows what stands in it; its name is safe.
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new KmsException(
          Kind.INTERNAL, "the provider failed", Map.of("error", cause.getClass().getName()));
    }
  }

  /// Waits for `task`, and cancels it when the time is up.
  ///
  /// @throws CancellationException if it was cancelled
  public <T> T orCancel(Future<T> task) throws ExecutionException, InterruptedException {
    try (var _ = OverdueWatch.over(limit, () -> task.cancel(true))) {
      return task.get();
    }
  }

  private static KmsException timeout() {
    return new KmsException(Kind.TIMEOUT, "the KMS did not answer in time");
  }

  private static KmsException givenUp(InterruptedException e) {
    return new KmsException(Kind.TIMEOUT, "the call was given up", e);
  }
}
