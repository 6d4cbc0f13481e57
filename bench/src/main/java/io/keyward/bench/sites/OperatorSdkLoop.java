package io.keyward.bench.sites;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.keyward.core.turn.Turn;
import io.keyward.kube.client.Api;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// The same sites in the loop of the Java Operator SDK: the ConfigMap of a site is its primary
/// resource, one reconciliation is one turn.
final class OperatorSdkLoop implements SiteLoop {
  /// As often as the engine gives a turn to each of a thousand sites at rest.
  private static final Duration REST = Duration.ofSeconds(60);

  private static final int TURNS_AT_ONCE = 200;

  private final Api api;
  private final Consumer<String> turned;
  private final Map<String, Duration> works = new ConcurrentHashMap<>();
  private final Operator operator;

  OperatorSdkLoop(Api api, Consumer<String> turned) {
    this.api = api;
    this.turned = turned;
    this.operator =
        new Operator(overrider ->
            overrider
                .withKubernetesClient(api.client())
                .withCloseClientOnStop(false)
                .withConcurrentReconciliationThreads(TURNS_AT_ONCE)
                .withExecutorService(
                    Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory())));
  }

  @Override
  public void add(String name, Duration work) {
    works.put(name, work);
  }

  @Override
  public void start() {
    operator.register(
        new Sites(),
        settings ->
            settings.settingNamespace("default").withLabelSelector(ThousandSites.LABEL + "=true"));
    operator.start();
  }

  @Override
  public void close() {
    operator.stop();
  }

  @ControllerConfiguration
  private final class Sites implements Reconciler<ConfigMap> {
    @Override
    public UpdateControl<ConfigMap> reconcile(ConfigMap seen, Context<ConfigMap> context) {
      String name = seen.getMetadata().getName();
      Duration work = works.getOrDefault(name, Duration.ZERO);
      var site =
          new FakeHostedSite(
              name, ThousandSites.COLLECTION + "/" + name, api, Optional::empty, work);
      var plan = Turn.plan(work.isZero() ? site.state() : site.observe().state());
      turned.accept(name);
      return UpdateControl.<ConfigMap>noUpdate()
          .rescheduleAfter(
              plan.conditions().isEmpty() || work.isZero() ? REST : Duration.ofSeconds(1));
    }
  }
}
