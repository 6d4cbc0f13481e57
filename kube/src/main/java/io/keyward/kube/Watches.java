package io.keyward.kube;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
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

/// Tells that something changed. What it is now is read anew by whoever looks.
public final class Watches implements AutoCloseable {
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

  public Watches(Api api, List<Component> components, Runnable onChange) {
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
              context("operator.openshift.io", component.kind(), component.operatorResource())),
          onChange);
    }
    watch(
        client.genericKubernetesResources(
            context("config.openshift.io", "APIServer", "apiservers")),
        onChange);
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
    SharedIndexInformer<T> informer = what.runnableInformer(0);
    informers.add(informer);
    informer.addEventHandler(new Waker<>(onChange));
    // An API server that was just started asks for patience; that is no reason to end.
    informer.exceptionHandler((started, e) -> started || !isRefusal(e));
    try {
      informer.start().toCompletableFuture().join();
    } catch (CompletionException e) {
      close();
      throw new ClusterFailure("something cannot be watched: " + e.getMessage(), e);
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

  private static ResourceDefinitionContext context(String group, String kind, String plural) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion("v1")
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
}
