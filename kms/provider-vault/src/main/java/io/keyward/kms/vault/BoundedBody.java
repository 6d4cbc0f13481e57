package io.keyward.kms.vault;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;

/// The body of an answer, bounded in size and in time: the HTTP client's own time-out ends when the
/// headers are there.
final class BoundedBody implements BodySubscriber<byte[]> {
  /// A key with thousands of versions still fits.
  private static final long MAX_BYTES = 256 * 1024;

  private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
  private final Deadline deadline;

  private BoundedBody(Deadline deadline) {
    this.deadline = deadline;
  }

  static BodyHandler<byte[]> handler(Deadline deadline) {
    return BodyHandlers.limiting(_ -> new BoundedBody(deadline), MAX_BYTES);
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    var body = bytes.getBody().toCompletableFuture();
    return body.isDone()
        ? body
        : body.copy().orTimeout(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    bytes.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> item) {
    bytes.onNext(item);
  }

  @Override
  public void onError(Throwable problem) {
    bytes.onError(problem);
  }

  @Override
  public void onComplete() {
    bytes.onComplete();
  }
}
