package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import java.util.Optional;
import java.util.SortedSet;

/// On a cluster of kubeadm, node agents use the credentials of their kubelets. Gives the users of
/// the control-plane nodes, and no others, the roles of node agents.
public final class AgentAccess {
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String MANAGER = "keyward-operator";

  private final Api api;
  private final Component component;
  private Optional<SortedSet<String>> granted = Optional.empty();

  public AgentAccess(Api api, Component component) {
    this.api = api;
    this.component = component;
  }

  /// Gives the roles to the agents of these nodes. Writes only what changes.
  public void grant(SortedSet<String> nodes) {
    if (!granted.equals(Optional.of(nodes))) {
      bind("ClusterRole", "", nodes);
      bind("Role", component.namespace(), nodes);
      granted = Optional.of(nodes);
    }
  }

  private void bind(String kind, String namespace, SortedSet<String> nodes) {
    ObjectNode binding = ObjectMeta.fresh(RBAC + "/v1", kind + "Binding", Rights.NODE_AGENT);
    if (!namespace.isEmpty()) {
      binding.withObject("/metadata").put("namespace", namespace);
    }
    binding
        .putObject("roleRef")
        .put("apiGroup", RBAC)
        .put("kind", kind)
        .put("name", Rights.NODE_AGENT);
    ArrayNode subjects = binding.putArray("subjects");
    for (String node : nodes) {
      subjects
          .addObject()
          .put("kind", "User")
          .put("apiGroup", RBAC)
          .put("name", "system:node:" + node);
    }
    api.apply(ObjectPath.of(binding), MANAGER, binding);
  }
}
