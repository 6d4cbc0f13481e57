package io.keyward.kms.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.kms.spi.KmsException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

final class DeadlineTest {
  private static final Duration SHORT = Duration.ofMillis(30);
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void whoeverWaitsNoLongerLeavesTheFutureToTheOthers() throws ExecutionException {
    var login = new CompletableFuture<String>();
    assertThatThrownBy(() -> Deadline.after(SHORT).await(login))
        .isInstanceOfSatisfying(
            KmsException.class, e -> assertThat(e.kind()).isEqualTo(KmsException.Kind.TIMEOUT));
    assertThat(login).isNotDone();
    login.complete("token");
    assertThat(Deadline.after(LONG).await(login)).isEqualTo("token");
  }
}
