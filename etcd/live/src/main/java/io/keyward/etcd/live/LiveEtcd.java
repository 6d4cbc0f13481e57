package io.keyward.etcd.live;

import com.google.protobuf.ByteString;
import io.keyward.etcd.bytes.Bytes;
import io.keyward.etcd.proto.KeyValue;
import io.keyward.etcd.proto.RangeRequest;
import io.keyward.etcd.proto.RangeResponse;

/// Reads everything a running etcd holds, at one revision, page by page.
///
/// Reads are serializable: the member answers from its own data and the leader is spared. Pages are
/// asked for one after the other, so there is never more than one in memory or on the way.
public final class LiveEtcd implements AutoCloseable {
  private static final int PAGE = 1000;

  private final Members members;

  public LiveEtcd(Access access) {
    members = new Members(access);
  }

  /// Shows every key with its value, in key order, and answers the revision they belong to.
  public Survey forEach(ValueVisitor visitor) {
    ByteString from = ByteString.copyFrom(new byte[1]);
    long revision = 0;
    long keys = 0;
    while (true) {
      RangeResponse page = page(from, revision);
      // The first answer fixes the revision; all later pages are of the same moment.
      revision = revision == 0 ? page.getHeader().getRevision() : revision;
      for (KeyValue entry : page.getKvsList()) {
        visitor.visit(
            Bytes.wrap(entry.getKey().toByteArray()),
            Bytes.wrap(entry.getValue().toByteArray()),
            entry.getModRevision());
        keys++;
      }
      if (!page.getMore() || page.getKvsCount() == 0) {
        return new Survey(revision, keys);
      }
      from = after(page.getKvs(page.getKvsCount() - 1).getKey());
    }
  }

  /// What [#forEach] went through.
  public record Survey(long revision, long keys) {}

  private RangeResponse page(ByteString from, long revision) {
    var request =
        RangeRequest.newBuilder()
            .setKey(from)
            // A single zero byte means: to the end of all keys.
            .setRangeEnd(ByteString.copyFrom(new byte[1]))
            .setLimit(PAGE)
            .setRevision(revision)
            .setSerializable(true)
            .build();
    return members.range(request);
  }

  private static ByteString after(ByteString key) {
    return key.concat(ByteString.copyFrom(new byte[1]));
  }

  @Override
  public void close() {
    members.close();
  }
}
