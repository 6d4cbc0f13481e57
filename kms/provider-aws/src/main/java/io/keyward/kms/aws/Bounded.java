package io.keyward.kms.aws;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Ends a call when its time is up, whatever it waits for: name resolution, a connection, TLS, an
/// answer, or credentials. The SDK's own limits leave out some of these.
final class Bounded implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  <T> T call(Duration timeout, Supplier<T> action) {
    Future<T> result = threads.submit(action::get);
    try {
      return result.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      result.cancel(true);
      throw new KmsException(Kind.TIMEOUT, "AWS KMS did not answer in time");
    } catch (InterruptedException e) {
      result.cancel(true);
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KmsException failure) {
        throw failure;
      }
      throw new KmsException(Kind.INTERNAL, "a call failed by a defect", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
