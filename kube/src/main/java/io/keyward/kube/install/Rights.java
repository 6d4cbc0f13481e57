package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.pod.KubeadmYaml;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.ClusterApi;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.migrate.ForeignLoad;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.migrate.MigratorAccount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The permissions of the operator, of its migrator and of the node agents. Each of them is used; a
/// test removes them one by one.
public final class Rights {
  public static final String OPERATOR = "keyward-operator";
  public static final String NODE_AGENT = "keyward-node-agent";

  /// On a cluster of kubeadm, the revisions that node agents may read now. The operator keeps it up
  /// to date.
  public static final String NODE_REVISIONS = "keyward-node-revisions";

  /// The role for storage migrations. Where Keyward migrates itself, also the account that does.
  public static final String MIGRATOR = MigratorAccount.NAME;

  private static final String RBAC = "rbac.authorization.k8s.io";

  private final List<Component> components;
  private final List<ObjectNode> objects = new ArrayList<>();

  /// The rules of each account, by namespace.
  private final SortedMap<String, SortedMap<String, List<ObjectNode>>> namespaces = new TreeMap<>();

  private Rights(List<Component> components) {
    this.components = components;
  }

  /// Accounts, roles and bindings. On a cluster of kubeadm, node agents use the credentials of
  /// their kubelets and need no account; the operator adds their users to the bindings.
  public static List<ObjectNode> of(List<Component> components, Migrator.Kind migrator) {
    var rights = new Rights(components);
    rights.account(OPERATOR);
    if (!rights.agentsAreNodes()) {
      rights.account(NODE_AGENT);
    }
    if (migrator == Migrator.Kind.OURS) {
      rights.account(MIGRATOR);
    }
    rights.cluster(OPERATOR, OPERATOR, rights.operator());
    rights.cluster(
        MIGRATOR, migrator == Migrator.Kind.OURS ? MIGRATOR : OPERATOR, rights.migrator(migrator));
    rights.cluster(NODE_AGENT, NODE_AGENT, rights.agent());
    rights.managed(migrator);
    rights.lease();
    if (migrator == Migrator.Kind.OURS) {
      rights.migratorToken();
    }
    var all = new TreeMap<String, List<Component>>();
    components.forEach(
        one -> all.computeIfAbsent(one.namespace(), _ -> new ArrayList<>()).add(one));
    all.forEach(rights::beside);
    if (rights.agentsAreNodes()) {
      rights.kubeadm();
    }
    rights.namespaces.forEach((namespace, accounts) ->
        accounts.forEach((account, rules) -> rights.namespaced(namespace, account, rules)));
    if (rights.agentsAreNodes()) {
      all.keySet().forEach(rights::revisions);
    }
    return List.copyOf(rights.objects);
  }

  private String home() {
    return components.getFirst().home();
  }

  private boolean agentsAreNodes() {
    return components.stream().anyMatch(one -> one.workload() == Workload.KUBEADM);
  }

  private List<ObjectNode> in(String namespace, String account) {
    return namespaces
        .computeIfAbsent(namespace, _ -> new TreeMap<>())
        .computeIfAbsent(account, _ -> new ArrayList<>());
  }

  private void lease() {
    List<ObjectNode> rules = in(home(), OPERATOR);
    rules.add(rule("coordination.k8s.io", List.of("leases"), "create"));
    rules.add(
        named(rule("coordination.k8s.io", List.of("leases"), "get", "patch"), List.of(OPERATOR)));
  }

  /// The operator acts as the migrator with tokens that expire, and has none of its permissions.
  private void migratorToken() {
    in(home(), OPERATOR)
        .add(named(rule("", List.of("serviceaccounts/token"), "create"), List.of(MIGRATOR)));
  }

  /// Without rules and users: the operator adds both.
  private void revisions(String namespace) {
    object(RBAC + "/v1", "Role", NODE_REVISIONS, namespace);
    bind("Role", NODE_REVISIONS, NODE_REVISIONS, namespace);
  }

  /// The configuration from which kubeadm writes manifests, the users of the bindings, and the
  /// revisions that these users may read. The operator may read all of them itself, so it needs no
  /// permission to escalate.
  private void kubeadm() {
    in(KubeadmYaml.NAMESPACE, OPERATOR)
        .add(
            named(
                rule("", List.of("configmaps"), "get", "list", "watch", "update"),
                List.of(KubeadmYaml.NAME)));
    for (Component one : components) {
      List<ObjectNode> rules = in(one.namespace(), OPERATOR);
      rules.add(
          named(rule(RBAC, List.of("rolebindings"), "patch"), List.of(NODE_AGENT, NODE_REVISIONS)));
      rules.add(named(rule(RBAC, List.of("roles"), "bind"), List.of(NODE_AGENT)));
      rules.add(named(rule(RBAC, List.of("roles"), "patch"), List.of(NODE_REVISIONS)));
    }
  }

  private List<ObjectNode> operator() {
    var rules = new ArrayList<ObjectNode>();
    if (components.getFirst().api() == ClusterApi.OPENSHIFT) {
      rules.add(only(rule("config.openshift.io", List.of("apiservers"), "get", "list", "watch")));
    }
    rules.addAll(operatorResources());
    if (components.stream().anyMatch(one -> one.nodes().isEmpty())) {
      rules.add(rule("", List.of("nodes"), "list", "watch"));
    }
    if (agentsAreNodes()) {
      rules.add(named(rule(RBAC, List.of("clusterrolebindings"), "patch"), List.of(NODE_AGENT)));
      rules.add(named(rule(RBAC, List.of("clusterroles"), "bind"), List.of(NODE_AGENT)));
    }
    return rules;
  }

  private List<ObjectNode> operatorResources() {
    var names = new TreeSet<String>();
    components.forEach(one -> names.add(one.operatorResource()));
    List<String> statuses = names.stream().map(name -> name + "/status").toList();
    String group = components.getFirst().api().group();
    return List.of(
        only(rule(group, names, "get", "list", "watch")), only(rule(group, statuses, "patch")));
  }

  /// The encrypted resources, by their groups.
  static SortedMap<String, SortedSet<String>> encrypted(List<Component> components) {
    var groups = new TreeMap<String, SortedSet<String>>();
    for (Component one : components) {
      for (Resource resource : one.resources()) {
        groups.computeIfAbsent(resource.group(), _ -> new TreeSet<>()).add(resource.name());
      }
    }
    return groups;
  }

  /// Keyward's own migrator updates every object of the encrypted resources.
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
    var rules = new ArrayList<ObjectNode>();
    encrypted(components).forEach((group, names) -> rules.add(rule(group, names, "list", "patch")));
    rules.add(url(ForeignLoad.PATH));
    return rules;
  }

  /// Where keys, configurations and the records of migrations are.
  private void managed(Migrator.Kind migrator) {
    List<ObjectNode> rules = in(components.getFirst().api().managedNamespace(), OPERATOR);
    rules.add(rule("", List.of("secrets"), "get", "list", "watch", "create", "update", "delete"));
    if (migrator == Migrator.Kind.OURS) {
      rules.add(
          rule("", List.of("configmaps"), "get", "list", "watch", "create", "update", "delete"));
    } else if (agentsAreNodes()) {
      // A KMS configuration refers to them by any name.
      rules.add(rule("", List.of("configmaps"), "get", "list", "watch"));
    }
    if (agentsAreNodes()) {
      // The pods of a preflight.
      rules.add(rule("", List.of("pods"), "list", "watch", "create", "delete"));
    }
  }

  /// Where the revisions of API servers are.
  private void beside(String namespace, List<Component> here) {
    List<String> preflights = here.stream().map(Component::preflight).toList();
    List<ObjectNode> rules = in(namespace, OPERATOR);
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
    List<ObjectNode> agent = in(namespace, NODE_AGENT);
    if (!agentsAreNodes()) {
      agent.add(rule("", List.of("secrets"), "get"));
    }
    agent.add(named(rule("", List.of("configmaps"), "list", "watch", "patch"), preflights));
    ObjectNode get = rule("", List.of("configmaps"), "get");
    agent.add(hasManifests ? get : named(get, preflights));
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

  static ObjectNode rule(String group, Collection<String> resources, String... verbs) {
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

  static ObjectNode named(ObjectNode rule, List<String> names) {
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
    boolean isOfNodes = account.equals(NODE_AGENT) || account.equals(NODE_REVISIONS);
    if (isOfNodes && agentsAreNodes()) {
      return;
    }
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
}
