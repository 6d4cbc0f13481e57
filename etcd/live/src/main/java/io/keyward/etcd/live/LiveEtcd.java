package io.keyward.etcd.live;

import com.google.protobuf.ByteString;
import io.keyward.etcd.bytes.Bytes;
import io.keyward.etcd.live.LiveEtcdException.Kind;
import io.keyward.etcd.proto.KeyValue;
import io.keyward.etcd.proto.RangeRequest;
import io.keyward.etcd.proto.RangeResponse;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Reads everything a running etcd holds, at one revision, page by page.
///
/// Reads are serializable: the member answers from its own data and the leader is spared. Pages are
/// asked for one after the other; while one is looked at, the next is on its way.
public final class LiveEtcd implements AutoCloseable {
  private static final ByteString FROM_THE_FIRST = ByteString.copyFrom(new byte[1]);

  private final Members members;

  public LiveEtcd(Access access) {
    members = new Members(access);
  }

  /// Shows every key with its value, in key order, and answers the revision they belong to.
  public Survey forEach(ValueVisitor visitor) {
    var size = new PageSize();
    RangeResponse page = page(FROM_THE_FIRST, 0, size);
    // The first answer fixes the revision; all later pages are of the same moment.
    long revision = page.getHeader().getRevision();
    long keys = 0;
    while (page.getMore() && page.getKvsCount() > 0) {
      ByteString from = after(page.getKvs(page.getKvsCount() - 1).getKey());
      var next = new FutureTask<>(() -> page(from, revision, size));
      Thread.ofVirtual().start(next);
      keys += show(page, visitor);
      page = await(next);
    }
    return new Survey(revision, keys + show(page, visitor));
  }

  private static int show(RangeResponse page, ValueVisitor visitor) {
    for (KeyValue entry : page.getKvsList()) {
      visitor.visit(
          Bytes.wrap(entry.getKey().toByteArray()),
          Bytes.wrap(entry.getValue().toByteArray()),
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

  /// What [#forEach] went through.
  public record Survey(long revision, long keys) {}

  private RangeResponse page(ByteString from, long revision, PageSize size) {
    while (true) {
      try {
        RangeResponse page = members.range(request(from, revision, size.keys()));
        size.saw(page.getKvsCount(), page.getSerializedSize());
        return page;
      } catch (LiveEtcdException e) {
        if (e.kind() != Kind.TOO_LARGE || !size.shrink()) {
          throw e;
        }
      }
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
