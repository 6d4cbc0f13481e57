package io.keyward.storage.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyward.etcd.live.Access;
import io.keyward.storage.audit.Expectation;
import io.keyward.storage.run.AuditProgress;
import io.keyward.storage.run.AuditRun;
import io.keyward.storage.run.SourceFailure;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// `LiveEtcdIT` audits a real etcd.
final class LiveSourceTest {
  @Test
  void anEtcdThatDoesNotAnswerIsNamedWithTheRemedy() {
    var nobody =
        new Access(
            List.of(new Access.Endpoint("127.0.0.1", 1, false)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    var run =
        new AuditRun(
            new Expectation(Set.of(), Set.of(), Optional.empty(), Set.of(), Set.of()),
            Optional.empty(),
            Optional.empty(),
            10);

    SourceFailure failure =
        catchThrowableOfType(
            SourceFailure.class, () -> run.on(new LiveSource(nobody), AuditProgress.NONE));

    assertThat(failure)
        .hasMessage("http://127.0.0.1:1: no server responds at this address")
        .returns(SourceFailure.Kind.NO_ANSWER, SourceFailure::kind);
    assertThat(failure.remedy()).startsWith("check address and port, and that etcd runs (");
  }
}
