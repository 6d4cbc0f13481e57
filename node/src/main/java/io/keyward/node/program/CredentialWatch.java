package io.keyward.node.program;

import io.keyward.core.rollout.node.CredentialDecider;
import io.keyward.core.rollout.node.CredentialDecision;
import io.keyward.kube.client.CertificateLife;
import java.time.Instant;
import java.util.function.Consumer;

/// Reports when the credentials of the agent expire: always as a metric, and in the log once they
/// should have been renewed.
final class CredentialWatch {
  private final NodeMetrics metrics;
  private final Consumer<String> log;
  private String logged = "";

  CredentialWatch(NodeMetrics metrics, Consumer<String> log) {
    this.metrics = metrics;
    this.log = log;
  }

  void look(CertificateLife life, Instant now) {
    metrics.credentialsExpire(life.notAfter());
    String words =
        switch (CredentialDecider.decide(life.notBefore(), life.notAfter(), now)) {
          case CredentialDecision.Valid _ -> "";
          case CredentialDecision.RenewalOverdue(_, String overdue) -> overdue;
          case CredentialDecision.Unusable(String unusable) -> unusable;
        };
    if (!words.isEmpty() && !words.equals(logged)) {
      log.accept("the client certificate " + words);
    }
    logged = words;
  }
}
