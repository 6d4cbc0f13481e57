package io.keyward.core.rollout;

import io.keyward.core.model.rollout.Revisions.Deployment;
import io.keyward.core.model.rollout.Revisions.Node;
import io.keyward.core.rollout.RolloutDecision.Deploy;
import io.keyward.core.rollout.RolloutDecision.Nothing;
import io.keyward.core.rollout.RolloutDecision.Refuse;
import io.keyward.core.rollout.RolloutDecision.Wait;
import io.keyward.core.rollout.manifest.ManifestRule;
import java.util.Optional;

/// A Deployment gets one revision after the other. Which pod goes when is its own affair; what is
/// decided here is that it gets no other one while it is on its way and all goes well.
///
/// Where a pod does not get ready, the newest revision may be just what it lacks: one is only made
/// while instances differ if it has the same providers, or lacks one that nothing was written with.
final class DeploymentDecider {
  private DeploymentDecider() {}

  static RolloutDecision decide(Deployment seen, long latest) {
    Optional<String> obstacle = ManifestRule.obstacle(seen.needs());
    if (obstacle.isPresent()) {
      return new Refuse("Deployment " + seen.name() + ": " + obstacle.orElseThrow());
    }
    Optional<Node> unready = seen.pods().stream().filter(pod -> !pod.ready()).findFirst();
    Optional<Node> behind =
        seen.pods().stream().filter(pod -> pod.current() != pod.target()).findFirst();
    if (!seen.needs().isEmpty()) {
      // Where pods are ahead of the template, somebody took it back, and that must not go on.
      return unready.isEmpty() && behind.filter(pod -> pod.current() < pod.target()).isPresent()
          ? new Wait("pod " + behind.orElseThrow().name() + " is about to be replaced")
          : new Deploy(seen.name(), latest);
    }
    if (unready.isPresent()) {
      return new Wait("pod " + unready.orElseThrow().name() + " is not ready");
    }
    if (behind.isPresent()) {
      return new Wait("pod " + behind.orElseThrow().name() + " does not run revision " + latest);
    }
    return seen.pods().size() < seen.replicas()
        ? new Wait(seen.pods().size() + " of " + seen.replicas() + " pods of " + seen.name())
        : new Nothing();
  }
}
