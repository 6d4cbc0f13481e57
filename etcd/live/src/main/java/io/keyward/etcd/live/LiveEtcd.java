package io.keyward.etcd.live;

import com.google.protobuf.ByteString;
import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.live.LiveEtcdException.Kind;
import io.keyward.etcd.proto.KeyValue;
import io.keyward.etcd.proto.RangeRequest;
import io.keyward.etcd.proto.RangeResponse;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.LongConsumer;

/// Reads everything a running etcd holds, at one revision, page by page.
///
/// Reads are serializable: the member answers from its own data and the leader is spared. Pages are
/// asked for one after the other; while one is looked at, the next is on its way. A member that
/// restarts meanwhile is waited for, and the walk goes on at the same revision.
public final class LiveEtcd implements AutoCloseable {
  private static final ByteString FROM_THE_FIRST = ByteString.copyFrom(new byte[1]);

  /// Restarts take a few seconds.
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Members members;
  private final Duration patience;

  public LiveEtcd(Access access) {
    this(access, PATIENCE);
  }

  LiveEtcd(Access access, Duration patience) {
    this.members = new Members(access);
    this.patience = patience;
  }

  /// Shows every key with its value, in key order, and answers the revision they belong to.
  public Survey forEach(ValueVisitor visitor) {
    return forEach(_ -> {}, visitor);
  }

  /// The same; first tells how many keys there are.
  public Survey forEach(LongConsumer total, ValueVisitor visitor) {
    var size = new PageSize();
    RangeResponse page = page(FROM_THE_FIRST, 0, size);
    // The first answer fixes the revision; all later pages are of the same moment.
    long revision = page.getHeader().getRevision();
    long announced = page.getCount();
    total.accept(announced);
    long keys = 0;
    while (page.getMore() && page.getKvsCount() > 0) {
      ByteString from = after(page.getKvs(page.getKvsCount() - 1).getKey());
      var next = new FutureTask<>(() -> page(from, revision, size));
      Thread.ofVirtual().start(next);
      keys += show(page, visitor);
      page = await(next);
    }
    return new Survey(revision, keys + show(page, visitor), announced);
  }

  private static int show(RangeResponse page, ValueVisitor visitor) {
    for (KeyValue entry : page.getKvsList()) {
      visitor.visit(
          ByteView.wrap(entry.getKey().toByteArray()),
          ByteView.wrap(entry.getValue().toByteArray()),
          entry.getModRevision());
    }
    return page.getKvsCount();
  }

  private static RangeResponse await(FutureTask<RangeResponse> next) {
    try {
      return next.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LiveEtcdException(Kind.FAILED, "interrupted", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof LiveEtcdException known
          ? known
          : new LiveEtcdException(Kind.FAILED, String.valueOf(e.getCause()), e);
    }
  }

  /// What [#forEach] went through; `announced` is how many keys etcd counted at that revision.
  public record Survey(long revision, long keys, long announced) {}

  private RangeResponse page(ByteString from, long revision, PageSize size) {
    long began = System.nanoTime();
    while (true) {
      try {
        RangeResponse page = members.range(request(from, revision, size.keys()));
        size.saw(page.getKvsCount(), page.getSerializedSize());
        return page;
      } catch (LiveEtcdException e) {
        boolean smaller = e.kind() == Kind.TOO_LARGE && size.shrink();
        if (!smaller && !(revision > 0 && mayPass(e.kind(), System.nanoTime() - began))) {
          throw e;
        }
        if (!smaller) {
          pause();
        }
      }
    }
  }

  private boolean mayPass(Kind kind, long waited) {
    return kind.mayPass() && waited < patience.toNanos();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LiveEtcdException(Kind.FAILED, "interrupted", e);
    }
  }

  private static RangeRequest request(ByteString from, long revision, int keys) {
    return RangeRequest.newBuilder()
        .setKey(from)
        // A single zero byte means: to the end of all keys.
        .setRangeEnd(FROM_THE_FIRST)
        .setLimit(keys)
        .setRevision(revision)
        .setSerializable(true)
        .build();
  }

  private static ByteString after(ByteString key) {
    return key.concat(ByteString.copyFrom(new byte[1]));
  }

  @Override
  public void close() {
    members.close();
  }
}
