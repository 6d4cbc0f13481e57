package io.keyward.kube.site;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.keyward.codec.WireNames;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.codec.object.Labels;
import io.keyward.codec.pod.KubeadmYaml;
import io.keyward.codec.pod.PreflightPods;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Reads;
import io.keyward.kube.client.WatchedObjects;
import io.keyward.kube.component.ClusterApi;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.revision.RevisionObjects;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Reports which API server something changed for, and remembers the objects as they were last
/// seen.
///
/// A resource that is not served yet, or may not be watched, is retried until it can be: a look
/// then reports what is missing, and no process has to exit for it.
public final class Watches implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Watches.class.getName());

  private final Api api;
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
  private final List<WatchedObjects.Watched> watched = new ArrayList<>();
  private final Map<String, String> problems = new ConcurrentHashMap<>();

  private Watches(Api api) {
    this.api = api;
  }

  /// The objects that an agent follows: the operator resource of its API server, and the preflight.
  /// Starts, and returns at once.
  public static Watches ofAgent(Api api, Component component, Runnable onChange) {
    var watches = new Watches(api);
    var all = List.of(component);
    watches.begin(operatorResource(component), new Waker(all, _ -> onChange.run()));
    watches.begin(preflight(component), new Waker(all, _ -> onChange.run()));
    return watches;
  }

  /// The objects that the operator follows. Starts, and returns at once.
  ///
  /// @param onChange is told for which API server something changed
  public Watches(
      Api api, List<Component> components, Migrator.Kind migrator, SiteChanges onChange) {
    this(api);
    var all = new Waker(components, onChange::changed);
    begin(
        Source.of("", "v1", "Secret", "secrets").in(api(components).managedNamespace()),
        new ByLabel(WireNames.COMPONENT_LABEL, components, onChange::changed));
    if (api(components) == ClusterApi.OPENSHIFT) {
      begin(
          Source.of("config.openshift.io", "v1", "APIServer", "apiservers").named("cluster"),
          new Waker(components, onChange::requested));
    }
    if (components.stream().anyMatch(component -> component.nodes().isEmpty())) {
      // Only which nodes there are wakes a site: kubelets write to their nodes all the time.
      begin(
          Source.of("", "v1", "Node", "nodes")
              .labelled(Labels.exists(Component.CONTROL_PLANE_LABEL)),
          new Count(all));
    }
    migrator
        .delegate()
        .ifPresent(target ->
            begin(
                Source.of(
                    target.group(),
                    target.version(),
                    "StorageVersionMigration",
                    "storageversionmigrations"),
                all));
    components.forEach(one -> begin(one, migrator, onChange));
  }

  /// All API servers of a cluster are of the same one.
  private static ClusterApi api(List<Component> components) {
    return components.getFirst().api();
  }

  private void begin(Component component, Migrator.Kind migrator, SiteChanges onChange) {
    var own = new Waker(List.of(component), onChange::changed);
    Source configMaps = Source.of("", "v1", "ConfigMap", "configmaps").in(component.namespace());
    begin(
        operatorResource(component),
        component.api() == ClusterApi.KEYWARD
            ? new BySpec(own, new Waker(List.of(component), onChange::requested))
            : own);
    begin(preflight(component), own);
    if (migrator == Migrator.Kind.OURS) {
      begin(
          configMaps
              .in(component.api().managedNamespace())
              .labelled(MigrationRecord.label(component.name())),
          own);
    }
    if (component.workload() == Workload.STATIC_POD) {
      begin(configMaps.named(component.podConfigMap()), own);
      begin(configMaps.labelled(RevisionObjects.label(component)), own);
    }
    if (component.workload() == Workload.KUBEADM) {
      begin(configMaps.in(KubeadmYaml.NAMESPACE).named(KubeadmYaml.NAME), own);
      begin(
          Source.of("", "v1", "Pod", "pods")
              .in(component.home())
              .labelled(PreflightPods.labels(component.name())),
          own);
      begin(configMaps.in(component.api().referenceNamespace()), own);
    }
    begin(
        Source.of("", "v1", "Secret", "secrets")
            .in(component.namespace())
            .labelled(RevisionObjects.label(component)),
        own);
    component
        .deployment()
        .ifPresent(name -> {
          var deployments = Source.of("apps", "v1", "Deployment", "deployments");
          begin(deployments.in(component.namespace()).named(name), own);
          // A pod that ends shows in no Deployment.
          begin(Source.of("", "v1", "Pod", "pods").in(component.namespace()), own);
        });
  }

  private static Source preflight(Component component) {
    return Source.of("", "v1", "ConfigMap", "configmaps")
        .in(component.namespace())
        .named(component.preflight());
  }

  private static Source operatorResource(Component component) {
    ClusterApi api = component.api();
    return Source.of(api.group(), api.version(), component.kind(), component.operatorResource())
        .named("cluster");
  }

  /// A part of a collection.
  ///
  /// @param namespace empty for resources of the cluster
  /// @param name of the only object; empty for all that have the labels. Where only one counts, a
  ///   permission for all would be too much.
  private record Source(
      String group,
      String version,
      String kind,
      String plural,
      String namespace,
      String name,
      Labels labels) {
    static Source of(String group, String version, String kind, String plural) {
      return new Source(group, version, kind, plural, "", "", Labels.ANY);
    }

    Source in(String other) {
      return new Source(group, version, kind, plural, other, name, labels);
    }

    Source named(String other) {
      return new Source(group, version, kind, plural, namespace, other, labels);
    }

    Source labelled(Labels other) {
      return new Source(group, version, kind, plural, namespace, name, other);
    }

    String path() {
      return (group.isEmpty() ? "/api/" : "/apis/" + group + "/")
          + version
          + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
          + "/"
          + plural;
    }

    SharedIndexInformer<GenericKubernetesResource> informer(Api api) {
      var context =
          new ResourceDefinitionContext.Builder()
              .withGroup(group)
              .withVersion(version)
              .withKind(kind)
              .withPlural(plural)
              .withNamespaced(!namespace.isEmpty())
              .build();
      var all = api.client().genericKubernetesResources(context);
      FilterWatchListDeletable<GenericKubernetesResource, ?, ?> some =
          namespace.isEmpty() ? all : all.inNamespace(namespace);
      if (!name.isEmpty()) {
        some = some.withField("metadata.name", name);
      }
      if (!labels.equals(Labels.ANY)) {
        some = some.withLabelSelector(labels.selector());
      }
      return some.runnableInformer(0);
    }

    @Override
    public String toString() {
      return plural
          + (name.isEmpty() ? "" : "/" + name)
          + (labels.equals(Labels.ANY) ? "" : " with " + labels.selector())
          + (namespace.isEmpty() ? "" : " in " + namespace);
    }
  }

  private void begin(Source source, ResourceEventHandler<GenericKubernetesResource> handler) {
    try {
      begin(source, source.informer(api), handler);
    } catch (KubernetesClientException e) {
      throw new ClusterFailure(String.valueOf(e.getMessage()), e);
    }
  }

  private void begin(
      Source source,
      SharedIndexInformer<GenericKubernetesResource> informer,
      ResourceEventHandler<GenericKubernetesResource> handler) {
    informers.add(informer);
    watched.add(
        new WatchedObjects.Watched(
            source.path(), source.name(), source.labels(), informer.getStore()::list));
    informer.addEventHandler(handler);
    informer.exceptionHandler((_, e) -> {
      refusal(e).ifPresent(problem -> tell(source.toString(), problem));
      return true;
    });
    var _ = informer.start();
  }

  private void tell(String what, String problem) {
    if (!problem.equals(problems.put(what, problem))) {
      LOG.log(Level.WARNING, "Watch of " + what + " failed; retrying: " + problem);
    }
  }

  /// What does not exist, or is forbidden. That a connection ends is nothing to report.
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

  /// Whether no change would be missed now.
  public boolean isComplete() {
    return informers.stream().allMatch(one -> one.isWatching() && one.hasSynced());
  }

  /// The objects as they were last seen; empty while a change might be missed.
  Optional<Reads> objects() {
    return isComplete() ? Optional.of(new WatchedObjects(watched)) : Optional.empty();
  }

  /// What could not be watched, now or earlier, and why.
  public Map<String, String> problems() {
    return Map.copyOf(problems);
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::stop);
  }

  /// Wakes these, whatever changed.
  private record Waker(List<Component> components, Consumer<Component> onChange)
      implements ResourceEventHandler<GenericKubernetesResource> {
    void wake() {
      components.forEach(onChange);
    }

    @Override
    public void onAdd(GenericKubernetesResource added) {
      wake();
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
      wake();
    }

    @Override
    public void onDelete(GenericKubernetesResource last, boolean unknown) {
      wake();
    }
  }

  /// Wakes the API server that a label names; all of them where none does.
  private record ByLabel(String label, List<Component> components, Consumer<Component> onChange)
      implements ResourceEventHandler<GenericKubernetesResource> {
    private void wake(GenericKubernetesResource object) {
      Map<String, String> labels = object.getMetadata().getLabels();
      String owner = labels == null ? "" : labels.getOrDefault(label, "");
      components.stream()
          .filter(one -> owner.isEmpty() || one.name().equals(owner))
          .forEach(onChange);
    }

    @Override
    public void onAdd(GenericKubernetesResource added) {
      wake(added);
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
      wake(before);
      wake(after);
    }

    @Override
    public void onDelete(GenericKubernetesResource last, boolean unknown) {
      wake(last);
    }
  }

  /// Tells a new request from a new state of the same object: only a change of the specification
  /// increases its generation.
  private record BySpec(Waker state, Waker request)
      implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource added) {
      request.wake();
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
      boolean isSame =
          Objects.equals(before.getMetadata().getGeneration(), after.getMetadata().getGeneration());
      (isSame ? state : request).wake();
    }

    @Override
    public void onDelete(GenericKubernetesResource last, boolean unknown) {
      request.wake();
    }
  }

  /// Wakes where an object comes or goes.
  private record Count(Waker all) implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource added) {
      all.wake();
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {}

    @Override
    public void onDelete(GenericKubernetesResource last, boolean unknown) {
      all.wake();
    }
  }
}
