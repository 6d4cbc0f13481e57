package io.keyward.kube;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.keyward.codec.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/// Tells that something changed. What it is now is read anew by whoever looks.
public final class Watches implements AutoCloseable {
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

  public Watches(Api api, List<Component> components, Migrator.Kind migrator, Runnable onChange) {
    var client = api.client();
    watch(client.resources(Secret.class).inNamespace(Wire.MANAGED_NAMESPACE), onChange);
    for (Component component : components) {
      var configMaps = client.resources(ConfigMap.class).inNamespace(component.namespace());
      watch(configMaps.withField("metadata.name", component.preflight()), onChange);
      if (component.workload() == Workload.STATIC_POD) {
        watch(configMaps.withField("metadata.name", component.podConfigMap()), onChange);
      }
      component.deployment().ifPresent(name -> watch(api, component.namespace(), name, onChange));
      watch(
          client.genericKubernetesResources(
              context(
                  "operator.openshift.io", "v1", component.kind(), component.operatorResource())),
          onChange);
    }
    watch(
        client.genericKubernetesResources(
            context("config.openshift.io", "v1", "APIServer", "apiservers")),
        onChange);
    if (components.stream().anyMatch(component -> component.nodes().isEmpty())) {
      // Which there are is all that counts: kubelets write to their nodes all the time.
      begin(
          client.resources(Node.class).withLabel(KubeSite.CONTROL_PLANE_LABEL),
          new Count<>(onChange),
          true);
    }
    migrator
        .delegate()
        .ifPresent(target ->
            begin(
                client.genericKubernetesResources(
                    context(
                        target.group(),
                        target.version(),
                        "StorageVersionMigration",
                        "storageversionmigrations")),
                new Waker<>(onChange),
                false));
  }

  /// A pod that ends shows in no Deployment.
  private void watch(Api api, String namespace, String deployment, Runnable onChange) {
    var client = api.client();
    watch(
        client
            .resources(Deployment.class)
            .inNamespace(namespace)
            .withField("metadata.name", deployment),
        onChange);
    watch(client.resources(Pod.class).inNamespace(namespace), onChange);
  }

  private <T extends HasMetadata> void watch(Informable<T> what, Runnable onChange) {
    begin(what, new Waker<>(onChange), true);
  }

  /// Begins to watch.
  ///
  /// @param needed whether there is no use in going on without; else it is tried until it is served
  private <T extends HasMetadata> void begin(
      Informable<T> what, ResourceEventHandler<T> handler, boolean needed) {
    SharedIndexInformer<T> informer = what.runnableInformer(0);
    informers.add(informer);
    informer.addEventHandler(handler);
    // An API server that was just started asks for patience; that is no reason to end.
    informer.exceptionHandler((started, e) -> started || !needed || !isRefusal(e));
    CompletionStage<Void> start = informer.start();
    if (needed) {
      try {
        start.toCompletableFuture().join();
      } catch (CompletionException e) {
        close();
        throw new ClusterFailure("something cannot be watched: " + e.getMessage(), e);
      }
    }
  }

  /// Trying again would not help: what is to be watched does not exist, or is forbidden.
  private static boolean isRefusal(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof KubernetesClientException answer) {
        return switch (answer.getCode()) {
          case 401, 403, 404 -> true;
          default -> false;
        };
      }
    }
    return false;
  }

  private static ResourceDefinitionContext context(
      String group, String version, String kind, String plural) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion(version)
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(false)
        .build();
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::stop);
  }

  private record Waker<T extends HasMetadata>(Runnable onChange)
      implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T added) {
      onChange.run();
    }

    @Override
    public void onUpdate(T before, T after) {
      onChange.run();
    }

    @Override
    public void onDelete(T last, boolean unknown) {
      onChange.run();
    }
  }

  private record Count<T extends HasMetadata>(Runnable onChange)
      implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T added) {
      onChange.run();
    }

    @Override
    public void onUpdate(T before, T after) {}

    @Override
    public void onDelete(T last, boolean unknown) {
      onChange.run();
    }
  }
}
