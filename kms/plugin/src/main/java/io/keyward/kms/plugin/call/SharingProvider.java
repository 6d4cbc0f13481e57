package io.keyward.kms.plugin.call;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Lets equal unwraps that happen at the same time reach the KMS once.
///
/// An API server that starts, and there are three of them, asks for the same wrapped DEK many times
/// at once. Nothing is kept after the answer: this shares work, it is not a cache of secrets.
public final class SharingProvider extends DelegatingProvider {
  private final ConcurrentMap<Wrapped, CompletableFuture<Secret>> running =
      new ConcurrentHashMap<>();

  public SharingProvider(KmsProvider provider) {
    super(provider);
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    var mine = new CompletableFuture<Secret>();
    CompletableFuture<Secret> first = running.putIfAbsent(wrapped, mine);
    return first == null ? lead(wrapped, timeout, mine) : follow(first, timeout);
  }

  private Secret lead(Wrapped wrapped, Duration timeout, CompletableFuture<Secret> mine) {
    try {
      Secret dek = provider.unwrap(wrapped, timeout);
      mine.complete(dek);
      return dek;
    } catch (KmsException e) {
      mine.completeExceptionally(e);
      throw e;
    } finally {
      running.remove(wrapped, mine);
      // Only left open by a defect of the provider; nobody may wait for it for ever.
      mine.completeExceptionally(new KmsException(Kind.INTERNAL, "the provider failed"));
    }
  }

  private static Secret follow(CompletableFuture<Secret> first, Duration timeout) {
    try {
      return first.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KmsException failure) {
        throw new KmsException(
            failure.kind(), String.valueOf(failure.getMessage()), failure.details());
      }
      throw new KmsException(Kind.INTERNAL, "the provider failed", e);
    } catch (TimeoutException e) {
      throw new KmsException(Kind.TIMEOUT, "the KMS did not answer in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    }
  }
}
