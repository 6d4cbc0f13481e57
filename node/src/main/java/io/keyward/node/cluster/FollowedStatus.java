package io.keyward.node.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.site.Watches;
import java.util.function.LongSupplier;

/// The status of an operator resource, for an agent that makes one step after the other: read again
/// when there is news.
public final class FollowedStatus {
  private final Api cluster;
  private final Component component;
  private final StatusChanges news;
  private OperatorStatus seen;

  /// @param nanos counts up from anywhere
  public FollowedStatus(Api cluster, Component component, LongSupplier nanos) {
    this.cluster = cluster;
    this.component = component;
    this.news = new StatusChanges(nanos);
    this.seen = component.status().read(JsonNodeFactory.instance.objectNode());
  }

  /// What an agent does again and again.
  public interface Step {
    /// One step.
    ///
    /// @param anew whether it was read for this step, as all that the agent follows should be
    public void run(OperatorStatus status, boolean anew) throws InterruptedException;
  }

  /// Until interrupted.
  public void run(Step step) throws InterruptedException {
    try (var watches = Watches.ofAgent(cluster, component, news::tell)) {
      news.watchedWhile(watches::isComplete);
      StepLoop.run(() -> step(step));
    }
  }

  public void step(Step step) throws InterruptedException {
    news.step(anew -> {
      if (anew) {
        seen =
            component
                .status()
                .read(
                    cluster
                        .get(component.operatorPath())
                        .orElseGet(JsonNodeFactory.instance::objectNode));
      }
      step.run(seen, anew);
    });
  }
}
