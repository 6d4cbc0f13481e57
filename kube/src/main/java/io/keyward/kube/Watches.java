package io.keyward.kube;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.keyward.codec.Wire;
import java.util.ArrayList;
import java.util.List;

/// Tells that something changed. What it is now is read anew by whoever looks.
public final class Watches implements AutoCloseable {
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

  public Watches(Api api, List<Component> components, Runnable onChange) {
    var client = api.client();
    informers.add(
        client
            .resources(Secret.class)
            .inNamespace(Wire.MANAGED_NAMESPACE)
            .inform(new Waker<>(onChange)));
    for (Component component : components) {
      informers.add(
          client
              .resources(ConfigMap.class)
              .inNamespace(component.namespace())
              .withField("metadata.name", component.preflight())
              .inform(new Waker<>(onChange)));
      informers.add(
          client
              .genericKubernetesResources(
                  context("operator.openshift.io", component.kind(), component.operatorResource()))
              .inform(new Waker<GenericKubernetesResource>(onChange)));
    }
    informers.add(
        client
            .genericKubernetesResources(context("config.openshift.io", "APIServer", "apiservers"))
            .inform(new Waker<GenericKubernetesResource>(onChange)));
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
