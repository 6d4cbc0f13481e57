package io.keyward.core.rollout.node;

import java.time.Duration;
import java.time.Instant;

/// Whether the client certificate of a node agent will be renewed in time. A kubelet requests the
/// next certificate when 70 to 90 percent of the life of the current one have passed, so one that
/// is older shows that the renewal fails.
public final class CredentialDecider {
  /// In percent of the life of a certificate.
  private static final int RENEWED_BY = 90;

  private CredentialDecider() {}

  /// Decides on a certificate that is valid between two times, at a third one.
  public static CredentialDecision decide(Instant notBefore, Instant notAfter, Instant now) {
    if (now.isBefore(notBefore)) {
      return new CredentialDecision.Unusable(
          "is not valid before "
              + notBefore
              + ". Correct the clock of this node, or that of the machine that signed it");
    }
    if (!now.isBefore(notAfter)) {
      return new CredentialDecision.Unusable(
          "expired at "
              + notAfter
              + ". Start the kubelet; if it cannot renew the certificate, run kubeadm kubeconfig user"
              + " or join the node again");
    }
    Instant due =
        notBefore.plus(
            Duration.between(notBefore, notAfter).multipliedBy(RENEWED_BY).dividedBy(100));
    return now.isBefore(due)
        ? new CredentialDecision.Valid(notAfter)
        : new CredentialDecision.RenewalOverdue(
            notAfter,
            "expires at "
                + notAfter
                + " and should have been renewed by "
                + due
                + ". Check that the kubelet runs with rotateCertificates: true, and its log");
  }
}
