package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.keyward.kube.Api;
import io.keyward.kube.Component;
import io.keyward.kube.StatusBody;
import io.keyward.kube.Watches;
import java.util.function.LongSupplier;

/// The status of an operator resource, for an agent that makes one step after the other: read again
/// when there is news.
final class FollowedStatus {
  private final Api cluster;
  private final Component component;
  private final StatusBody status;
  private final News news;
  private JsonNode seen = JsonNodeFactory.instance.objectNode();

  /// @param nanos counts up from anywhere
  FollowedStatus(Api cluster, Component component, LongSupplier nanos) {
    this.cluster = cluster;
    this.component = component;
    this.status = new StatusBody(component);
    this.news = new News(nanos);
  }

  /// What an agent does again and again.
  interface Step {
    /// One step.
    ///
    /// @param anew whether it was read for this step, as all that the agent follows should be
    void run(JsonNode status, boolean anew) throws InterruptedException;
  }

  /// Until interrupted.
  void run(Step step) throws InterruptedException {
    try (var watches = Watches.ofAgent(cluster, component, news::tell)) {
      news.watchedWhile(watches::isComplete);
      Steps.run(() -> step(step));
    }
  }

  void step(Step step) throws InterruptedException {
    news.step(anew -> {
      if (anew) {
        seen =
            cluster
                .get(component.operatorPath())
                .map(status::read)
                .orElseGet(JsonNodeFactory.instance::objectNode);
      }
      step.run(seen, anew);
    });
  }
}
