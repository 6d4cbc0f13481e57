package io.keyward.kube;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
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
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Tells that something changed. What it is now is read anew by whoever looks.
///
/// What is not served yet, or may not be watched, is tried again until it can be: whoever looks
/// then says what is missing, and nobody has to end for it.
public final class Watches implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Watches.class.getName());

  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
  private final Map<String, String> problems = new ConcurrentHashMap<>();

  private Watches() {}

  /// What an agent follows: the operator resource of its API server, and what it is asked to try.
  /// Begins, and returns at once.
  public static Watches ofAgent(Api api, Component component, Runnable onChange) {
    var watches = new Watches();
    watches.watch(component.operatorResource(), operatorResource(api, component), onChange);
    String name = component.preflight();
    watches.watch(
        "configmap " + name,
        api.client()
            .resources(ConfigMap.class)
            .inNamespace(component.namespace())
            .withField("metadata.name", name),
        onChange);
    return watches;
  }

  private static Informable<GenericKubernetesResource> operatorResource(
      Api api, Component component) {
    return only(
        api,
        context("operator.openshift.io", "v1", component.kind(), component.operatorResource()));
  }

  /// The one of its kind, by its name: a right to more would be needed to ask for all.
  private static Informable<GenericKubernetesResource> only(
      Api api, ResourceDefinitionContext kind) {
    return api.client().genericKubernetesResources(kind).withField("metadata.name", "cluster");
  }

  /// What the operator follows. Begins, and returns at once.
  public Watches(Api api, List<Component> components, Migrator.Kind migrator, Runnable onChange) {
    var client = api.client();
    watch(
        "secrets of " + Wire.MANAGED_NAMESPACE,
        client.resources(Secret.class).inNamespace(Wire.MANAGED_NAMESPACE),
        onChange);
    for (Component component : components) {
      var configMaps = client.resources(ConfigMap.class).inNamespace(component.namespace());
      String name = component.preflight();
      watch("configmap " + name, configMaps.withField("metadata.name", name), onChange);
      if (component.workload() == Workload.STATIC_POD) {
        String pod = component.podConfigMap();
        watch("configmap " + pod, configMaps.withField("metadata.name", pod), onChange);
      }
      component.deployment().ifPresent(one -> watch(api, component.namespace(), one, onChange));
      watch(component.operatorResource(), operatorResource(api, component), onChange);
    }
    watch(
        "apiservers",
        only(api, context("config.openshift.io", "v1", "APIServer", "apiservers")),
        onChange);
    if (components.stream().anyMatch(component -> component.nodes().isEmpty())) {
      // Which there are is all that counts: kubelets write to their nodes all the time.
      begin(
          "nodes",
          client.resources(Node.class).withLabel(KubeSite.CONTROL_PLANE_LABEL),
          new Count<>(onChange));
    }
    migrator
        .delegate()
        .ifPresent(target ->
            watch(
                "storageversionmigrations",
                client.genericKubernetesResources(
                    context(
                        target.group(),
                        target.version(),
                        "StorageVersionMigration",
                        "storageversionmigrations")),
                onChange));
  }

  /// A pod that ends shows in no Deployment.
  private void watch(Api api, String namespace, String deployment, Runnable onChange) {
    var client = api.client();
    watch(
        "deployment " + deployment,
        client
            .resources(Deployment.class)
            .inNamespace(namespace)
            .withField("metadata.name", deployment),
        onChange);
    watch("pods of " + namespace, client.resources(Pod.class).inNamespace(namespace), onChange);
  }

  private <T extends HasMetadata> void watch(String what, Informable<T> where, Runnable onChange) {
    begin(what, where, new Waker<>(onChange));
  }

  private <T extends HasMetadata> void begin(
      String what, Informable<T> where, ResourceEventHandler<T> handler) {
    SharedIndexInformer<T> informer = where.runnableInformer(0);
    informers.add(informer);
    informer.addEventHandler(handler);
    informer.exceptionHandler((_, e) -> {
      refusal(e).ifPresent(problem -> tell(what, problem));
      return true;
    });
    var _ = informer.start();
  }

  private void tell(String what, String problem) {
    if (!problem.equals(problems.put(what, problem))) {
      LOG.log(Level.WARNING, "Watch of " + what + " failed; retrying: " + problem);
    }
  }

  /// What does not exist, or is forbidden. That a connection ends is nothing to tell.
  private static Optional<String> refusal(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof KubernetesClientException answer) {
        switch (answer.getCode()) {
          case 401, 403, 404 -> {
            return Optional.of(
                "the API server answers " + answer.getCode() + "; keyward operator install helps");
          }
          default -> {}
        }
      }
    }
    return Optional.empty();
  }

  /// Whether nothing would be missed now.
  public boolean isComplete() {
    return informers.stream().allMatch(SharedIndexInformer::isWatching);
  }

  /// What could not be watched, now or earlier, and why.
  public Map<String, String> problems() {
    return Map.copyOf(problems);
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
