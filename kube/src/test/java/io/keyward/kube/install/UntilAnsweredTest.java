package io.keyward.kube.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.kube.client.ClusterFailure;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class UntilAnsweredTest {
  private final AtomicInteger calls = new AtomicInteger();

  @Test
  void asksAgainWhereNobodyAnswers() {
    String answer =
        UntilAnswered.get(() -> {
          if (calls.incrementAndGet() == 1) {
            throw new ClusterFailure("no response in time", new IOException());
          }
          return "answer";
        });
    assertThat(answer).isEqualTo("answer");
    assertThat(calls).hasValue(2);
  }

  @Test
  void aRefusalIsAnAnswer() {
    refused(new ClusterFailure("is not allowed", 403));
    refused(new ClusterFailure("ConfigMap kubeadm-config has no ClusterConfiguration"));
  }

  private void refused(ClusterFailure failure) {
    calls.set(0);
    assertThatThrownBy(() ->
            UntilAnswered.get(() -> {
              calls.incrementAndGet();
              throw failure;
            }))
        .isSameAs(failure);
    assertThat(calls).hasValue(1);
  }
}
