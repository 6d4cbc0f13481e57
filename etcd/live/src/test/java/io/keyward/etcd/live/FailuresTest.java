package io.keyward.etcd.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

final class FailuresTest {
  /// A member that is killed while a request is written; the next member is asked then.
  @Test
  void aClosedConnectionIsAnUnreachableMember() {
    var closed = Status.UNKNOWN.withDescription("channel closed");
    assertThat(
            Failures.of(closed.withCause(new ClosedChannelException()).asRuntimeException(), true)
                .kind())
        .isEqualTo(LiveEtcdException.Kind.UNREACHABLE);
    assertThat(Failures.of(Status.UNKNOWN.asRuntimeException(), true).kind())
        .isEqualTo(LiveEtcdException.Kind.FAILED);
  }
}
