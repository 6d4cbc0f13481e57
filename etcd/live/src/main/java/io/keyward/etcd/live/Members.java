package io.keyward.etcd.live;

import io.keyward.etcd.proto.RangeRequest;
import io.keyward.etcd.proto.RangeResponse;
import org.jspecify.annotations.Nullable;

/// The members of one etcd. Asks the same one as long as it answers, then the next: a revision is
/// the same at all of them, so that a walk goes on where it was.
final class Members implements AutoCloseable {
  private final Access access;
  private int at;
  private @Nullable Member current;

  Members(Access access) {
    this.access = access;
  }

  /// Fails as the first member did, once all of them have failed.
  RangeResponse range(RangeRequest request) {
    LiveEtcdException first = null;
    for (int tried = 0; tried < access.endpoints().size(); tried++) {
      try {
        return member().range(request);
      } catch (LiveEtcdException e) {
        if (!e.kind().mayPass()) {
          throw e;
        }
        first = first == null ? e : first;
        next();
      }
    }
    throw first == null ? new IllegalStateException("no endpoint") : first;
  }

  private Member member() {
    Member known = current;
    if (known == null) {
      known = new Member(access, access.endpoints().get(at));
      current = known;
    }
    return known;
  }

  private void next() {
    close();
    at = (at + 1) % access.endpoints().size();
  }

  @Override
  public void close() {
    Member known = current;
    if (known != null) {
      known.close();
      current = null;
    }
  }
}
