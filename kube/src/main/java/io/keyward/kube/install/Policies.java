package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.migrate.MigratorAccount;
import java.util.List;
import java.util.Map;

/// Admission policies, for permissions that RBAC cannot express.
final class Policies {
  private Policies() {}

  /// A node agent writes the entries of its own node.
  ///
  /// @param agents the API server whose node agents use the credentials of their kubelets
  static List<ObjectNode> ofAgents(Component agents) {
    return Templates.read("node-policy.yaml", Map.of("namespace", agents.namespace()));
  }

  /// The pods that the operator creates have no privileges.
  static List<ObjectNode> ofPreflights() {
    return Templates.read("preflight-policy.yaml", Map.of());
  }

  /// The updates of the migrator change nothing.
  ///
  /// @param components the resources of all of them are migrated
  static List<ObjectNode> ofMigrator(List<Component> components) {
    ArrayNode rules = Api.JSON.createArrayNode();
    Rights.encrypted(components)
        .forEach((group, names) -> {
          ObjectNode rule = rules.addObject();
          rule.putArray("apiGroups").add(group);
          rule.putArray("apiVersions").add("*");
          rule.putArray("operations").add("UPDATE");
          names.forEach(rule.putArray("resources")::add);
        });
    String home = components.getFirst().home();
    return Templates.read(
        "migrator-policy.yaml",
        Map.of("rules", rules.toString(), "user", MigratorAccount.user(home)));
  }
}
