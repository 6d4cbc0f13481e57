package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ContentDigest;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.object.Yaml;
import io.keyward.kube.component.ClusterApi;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.migrate.Migrator;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// All objects of an installation, in the order in which they are created.
///
/// @param parts what is installed
public record InstallPlan(List<Part> parts) {
  public static final String CONFIG_MAP = "keyward-config";
  public static final String CONFIG_KEY = "config.yaml";

  /// The image of Keyward that is installed.
  public static final String IMAGE_KEY = "image";

  private static final List<String> OPENSHIFT_DEFINITIONS =
      List.of(
          "config.openshift.io_apiservers",
          "operator.openshift.io_kubeapiservers",
          "operator.openshift.io_openshiftapiservers",
          "operator.openshift.io_authentications");
  private static final String OWN_DEFINITION = "keyward.io_clusterencryptions";

  /// What happens to an object that exists.
  public enum Mode {
    /// It is brought up to date.
    APPLY,
    /// The same, and it is left out where the API server does not serve its kind.
    APPLY_IF_SERVED,
    /// It is left alone, because an administrator or the platform owns its content.
    KEEP
  }

  /// One object of an installation.
  public record Part(ObjectNode object, Mode mode) {
    public String name() {
      return ObjectPath.name(object);
    }

    String path() {
      return ObjectPath.of(object);
    }
  }

  public InstallPlan {
    parts = List.copyOf(parts);
  }

  /// The objects for the API servers of a configuration.
  ///
  /// @param deployed how Keyward runs on the cluster; empty where its programs are started
  ///   otherwise
  public static InstallPlan of(
      List<Component> components, Migrator.Kind migrator, Optional<Deployed> deployed) {
    var parts = new ArrayList<Part>();
    boolean isOwn = components.getFirst().api() == ClusterApi.KEYWARD;
    if (isOwn) {
      parts.add(apply(definition(OWN_DEFINITION)));
    } else {
      OPENSHIFT_DEFINITIONS.forEach(name -> parts.add(keep(definition(name))));
    }
    namespaces(components).forEach(name -> parts.add(keep(namespace(name, isOwn))));
    if (!isOwn) {
      parts.add(keep(cluster("config.openshift.io/v1", "APIServer")));
    }
    for (Component one : components) {
      parts.add(keep(cluster(one.api().group() + "/" + one.api().version(), one.kind())));
    }
    // Before the permissions, so that none of them is ever without its limits.
    policies(components, migrator).forEach(parts::add);
    Rights.of(components, migrator).forEach(right -> parts.add(apply(right)));
    deployed.ifPresent(one -> workloads(components, one).forEach(part -> parts.add(apply(part))));
    return new InstallPlan(parts);
  }

  private static LinkedHashSet<String> namespaces(List<Component> components) {
    var names = new LinkedHashSet<String>();
    for (Component one : components) {
      names.add(one.api().managedNamespace());
      names.add(one.api().referenceNamespace());
      names.add(one.namespace());
    }
    return names;
  }

  private static List<Part> policies(List<Component> components, Migrator.Kind migrator) {
    var policies = new ArrayList<Part>();
    components.stream()
        .filter(one -> one.workload() == Workload.KUBEADM)
        .findFirst()
        .ifPresent(one -> {
          Policies.ofAgents(one).forEach(policy -> policies.add(apply(policy)));
          Policies.ofPreflights().forEach(policy -> policies.add(apply(policy)));
        });
    if (migrator == Migrator.Kind.OURS) {
      Policies.ofMigrator(components)
          .forEach(policy -> policies.add(new Part(policy, Mode.APPLY_IF_SERVED)));
    }
    return policies;
  }

  private static List<ObjectNode> workloads(List<Component> components, Deployed deployed) {
    var objects = new ArrayList<ObjectNode>();
    ObjectNode config = ObjectMeta.fresh("v1", "ConfigMap", CONFIG_MAP);
    config.withObject("/metadata").put("namespace", ClusterApi.KEYWARD.managedNamespace());
    config.putObject("data").put(CONFIG_KEY, deployed.config()).put(IMAGE_KEY, deployed.image());
    objects.add(config);
    var values =
        Map.of(
            "image", deployed.image(),
            "version", deployed.version(),
            "replicas", Integer.toString(deployed.replicas()),
            "clusterServer", deployed.clusterServer(),
            "pluginDirectories", String.join(",", deployed.pluginDirectories()),
            "configDigest", "\"" + ContentDigest.of(deployed.config()).substring(0, 16) + "\"");
    objects.addAll(Templates.read("operator.yaml", values));
    if (components.stream().anyMatch(one -> one.workload() == Workload.KUBEADM)) {
      objects.addAll(Templates.read("node-setup.yaml", values));
    }
    return objects;
  }

  private static Part apply(ObjectNode object) {
    return new Part(object, Mode.APPLY);
  }

  private static Part keep(ObjectNode object) {
    return new Part(object, Mode.KEEP);
  }

  private static ObjectNode definition(String name) {
    return Templates.read("crds/" + name + ".yaml", Map.of()).getFirst();
  }

  private static ObjectNode namespace(String name, boolean isOwn) {
    ObjectNode json = ObjectMeta.fresh("v1", "Namespace", name);
    if (isOwn && name.equals(ClusterApi.KEYWARD.managedNamespace())) {
      // Node agents write files of their node.
      json.withObject("/metadata")
          .putObject("labels")
          .put("pod-security.kubernetes.io/enforce", "privileged");
    }
    return json;
  }

  private static ObjectNode cluster(String apiVersion, String kind) {
    ObjectNode json = ObjectMeta.fresh(apiVersion, kind, "cluster");
    json.putObject("spec");
    return json;
  }

  /// As a file for `kubectl apply`.
  public String yaml() {
    return parts.stream()
        .map(part -> "---\n" + Yaml.write(part.object()))
        .collect(Collectors.joining());
  }
}
