package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Wire;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.migrate.ForeignLoad;
import io.keyward.kube.migrate.Migrator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// Exactly what the operator and the node agents may do, and no more. Each right is used; a test
/// takes them away one by one.
public final class Rights {
  public static final String OPERATOR = "keyward-operator";
  public static final String NODE_AGENT = "keyward-node-agent";
  static final String MIGRATOR = "keyward-migrator";
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String OPERATORS = "operator.openshift.io";

  private final List<Component> components;
  private final List<ObjectNode> objects = new ArrayList<>();

  private Rights(List<Component> components) {
    this.components = components;
  }

  /// Accounts, roles and bindings. The accounts live beside the first API server.
  public static List<ObjectNode> of(List<Component> components, Migrator.Kind migrator) {
    var rights = new Rights(components);
    rights.account(OPERATOR);
    rights.account(NODE_AGENT);
    rights.cluster(OPERATOR, OPERATOR, rights.operator());
    rights.cluster(MIGRATOR, OPERATOR, rights.migrator(migrator));
    rights.managed(migrator);
    rights.cluster(NODE_AGENT, NODE_AGENT, rights.agent());
    var namespaces = new TreeMap<String, List<Component>>();
    components.forEach(
        one -> namespaces.computeIfAbsent(one.namespace(), _ -> new ArrayList<>()).add(one));
    namespaces.forEach(rights::beside);
    return List.copyOf(rights.objects);
  }

  private String home() {
    return components.getFirst().namespace();
  }

  private List<ObjectNode> operator() {
    var rules = new ArrayList<ObjectNode>();
    rules.add(only(rule("config.openshift.io", List.of("apiservers"), "get", "list", "watch")));
    rules.addAll(operatorResources());
    if (components.stream().anyMatch(one -> one.nodes().isEmpty())) {
      rules.add(rule("", List.of("nodes"), "list", "watch"));
    }
    return rules;
  }

  private List<ObjectNode> operatorResources() {
    var names = new TreeSet<String>();
    components.forEach(one -> names.add(one.operatorResource()));
    List<String> statuses = names.stream().map(name -> name + "/status").toList();
    return List.of(
        only(rule(OPERATORS, names, "get", "list", "watch")),
        only(rule(OPERATORS, statuses, "patch")));
  }

  /// Whoever rewrites everything must be allowed to; that is the price of doing it ourselves.
  private List<ObjectNode> migrator(Migrator.Kind kind) {
    if (kind != Migrator.Kind.OURS) {
      return List.of(
          rule(
              kind.word(),
              List.of("storageversionmigrations"),
              "get",
              "list",
              "watch",
              "create",
              "delete"));
    }
    var groups = new TreeMap<String, TreeSet<String>>();
    for (Component one : components) {
      for (Resource resource : one.resources()) {
        groups.computeIfAbsent(resource.group(), _ -> new TreeSet<>()).add(resource.name());
      }
    }
    var rules = new ArrayList<ObjectNode>();
    groups.forEach((group, names) -> rules.add(rule(group, names, "list", "patch")));
    rules.add(url(ForeignLoad.PATH));
    return rules;
  }

  /// Where keys, configurations and the records of migrations are.
  private void managed(Migrator.Kind migrator) {
    var rules = new ArrayList<ObjectNode>();
    rules.add(rule("", List.of("secrets"), "get", "list", "watch", "create", "update", "delete"));
    if (migrator == Migrator.Kind.OURS) {
      rules.add(
          rule("", List.of("configmaps"), "get", "list", "watch", "create", "update", "delete"));
    }
    namespaced(Wire.MANAGED_NAMESPACE, OPERATOR, rules);
  }

  /// Where the revisions of API servers are.
  private void beside(String namespace, List<Component> here) {
    List<String> preflights = here.stream().map(Component::preflight).toList();
    var rules = new ArrayList<ObjectNode>();
    // Names of revisions end with a number, and no rule can say that.
    rules.add(rule("", List.of("secrets"), "get", "list", "watch", "create", "update", "delete"));
    rules.add(rule("", List.of("configmaps"), "get", "create", "update", "delete"));
    ObjectNode watch = rule("", List.of("configmaps"), "list", "watch");
    boolean hasManifests = here.stream().anyMatch(one -> one.workload() == Workload.STATIC_POD);
    // The manifests of revisions have numbers, too.
    rules.add(hasManifests ? watch : named(watch, preflights));
    rules.add(rule("", List.of("events"), "create"));
    List<String> deployments = here.stream().flatMap(one -> one.deployment().stream()).toList();
    if (!deployments.isEmpty()) {
      rules.add(
          named(
              rule("apps", List.of("deployments"), "get", "list", "watch", "patch"), deployments));
      rules.add(rule("", List.of("pods"), "list", "watch"));
    }
    if (namespace.equals(home())) {
      rules.add(rule("coordination.k8s.io", List.of("leases"), "create"));
      rules.add(
          named(rule("coordination.k8s.io", List.of("leases"), "get", "patch"), List.of(OPERATOR)));
    }
    namespaced(namespace, OPERATOR, rules);
    var agent = new ArrayList<ObjectNode>();
    agent.add(rule("", List.of("secrets"), "get"));
    agent.add(named(rule("", List.of("configmaps"), "list", "watch", "patch"), preflights));
    ObjectNode get = rule("", List.of("configmaps"), "get");
    agent.add(hasManifests ? get : named(get, preflights));
    namespaced(namespace, NODE_AGENT, agent);
  }

  private List<ObjectNode> agent() {
    var rules = new ArrayList<>(operatorResources());
    if (components.stream().anyMatch(Component::isOnNodes)) {
      rules.add(url("/metrics"));
    }
    return rules;
  }

  private static ObjectNode url(String path) {
    ObjectNode rule = Api.JSON.createObjectNode();
    rule.putArray("nonResourceURLs").add(path);
    rule.putArray("verbs").add("get");
    return rule;
  }

  private static ObjectNode rule(String group, Collection<String> resources, String... verbs) {
    ObjectNode rule = Api.JSON.createObjectNode();
    rule.putArray("apiGroups").add(group);
    resources.forEach(rule.putArray("resources")::add);
    List.of(verbs).forEach(rule.putArray("verbs")::add);
    return rule;
  }

  /// Of a kind of which there is one.
  private static ObjectNode only(ObjectNode rule) {
    return named(rule, List.of("cluster"));
  }

  private static ObjectNode named(ObjectNode rule, List<String> names) {
    names.forEach(rule.putArray("resourceNames")::add);
    return rule;
  }

  private void account(String name) {
    object("v1", "ServiceAccount", name, home());
  }

  private void cluster(String role, String account, List<ObjectNode> rules) {
    rules.forEach(object(RBAC + "/v1", "ClusterRole", role, "").putArray("rules")::add);
    bind("ClusterRole", role, account, "");
  }

  private void namespaced(String namespace, String account, List<ObjectNode> rules) {
    rules.forEach(object(RBAC + "/v1", "Role", account, namespace).putArray("rules")::add);
    bind("Role", account, account, namespace);
  }

  private void bind(String kind, String role, String account, String namespace) {
    ObjectNode binding = object(RBAC + "/v1", kind + "Binding", role, namespace);
    binding.putObject("roleRef").put("apiGroup", RBAC).put("kind", kind).put("name", role);
    binding
        .putArray("subjects")
        .addObject()
        .put("kind", "ServiceAccount")
        .put("name", account)
        .put("namespace", home());
  }

  private ObjectNode object(String apiVersion, String kind, String name, String namespace) {
    ObjectNode json = ObjectMeta.fresh(apiVersion, kind, name);
    if (!namespace.isEmpty()) {
      json.withObject("/metadata").put("namespace", namespace);
    }
    objects.add(json);
    return json;
  }

  /// Where the API has such an object.
  public static String path(ObjectNode object) {
    String namespace = ObjectMeta.namespace(object);
    String version = ObjectMeta.apiVersion(object);
    String plural =
        switch (ObjectMeta.kind(object)) {
          case "ServiceAccount" -> "serviceaccounts";
          case "ClusterRole" -> "clusterroles";
          case "ClusterRoleBinding" -> "clusterrolebindings";
          case "Role" -> "roles";
          default -> "rolebindings";
        };
    return (version.equals("v1") ? "/api/v1" : "/apis/" + version)
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + plural
        + "/"
        + ObjectMeta.name(object);
  }
}
