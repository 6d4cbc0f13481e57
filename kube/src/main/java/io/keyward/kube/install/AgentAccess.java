package io.keyward.kube.install;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.LongSupplier;

/// On a cluster of kubeadm, node agents use the credentials of their kubelets. Gives the users of
/// the control-plane nodes, and no others, the roles of node agents, and lets them read the
/// revisions that they need now.
public final class AgentAccess {
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String MANAGER = "keyward-operator";

  /// Then it is written again, in case somebody deleted or changed it.
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final Api api;
  private final Component component;
  private final LongSupplier nanos;
  private Optional<SortedSet<String>> granted = Optional.empty();
  private Optional<SortedSet<Long>> allowed = Optional.empty();
  private long allowedAt;

  public AgentAccess(Api api, Component component) {
    this(api, component, System::nanoTime);
  }

  AgentAccess(Api api, Component component, LongSupplier nanos) {
    this.api = api;
    this.component = component;
    this.nanos = nanos;
  }

  /// Gives the roles to the agents of these nodes. Writes only what changes.
  public void grant(SortedSet<String> nodes) {
    if (!granted.equals(Optional.of(nodes))) {
      bind(nodes);
      granted = Optional.of(nodes);
    }
  }

  /// Lets the agents read these revisions, and no others. Call it before a node gets one of them as
  /// its target, and not on cached objects: they may be older than a target.
  public void allow(SortedSet<Long> revisions) {
    boolean isOld = nanos.getAsLong() - allowedAt >= AGAIN.toNanos();
    if (isOld || !allowed.equals(Optional.of(revisions))) {
      write(revisions);
      granted.filter(_ -> isOld).ifPresent(this::bind);
      allowed = Optional.of(revisions);
      allowedAt = nanos.getAsLong();
    }
  }

  private void bind(SortedSet<String> nodes) {
    bind("ClusterRole", Rights.NODE_AGENT, "", nodes);
    bind("Role", Rights.NODE_AGENT, component.namespace(), nodes);
    bind("Role", Rights.NODE_REVISIONS, component.namespace(), nodes);
  }

  private void write(SortedSet<Long> revisions) {
    ObjectNode role = namespaced(RBAC + "/v1", "Role", Rights.NODE_REVISIONS);
    ArrayNode rules = role.putArray("rules");
    // A rule without names would allow all of them.
    if (!revisions.isEmpty()) {
      List<String> names = revisions.stream().map(component::revision).toList();
      rules.add(Rights.named(Rights.rule("", List.of("secrets"), "get"), names));
    }
    api.apply(ObjectPath.of(role), MANAGER, role);
  }

  private void bind(String kind, String name, String namespace, SortedSet<String> nodes) {
    String binds = kind + "Binding";
    ObjectNode binding =
        namespace.isEmpty()
            ? ObjectMeta.fresh(RBAC + "/v1", binds, name)
            : namespaced(RBAC + "/v1", binds, name);
    binding.putObject("roleRef").put("apiGroup", RBAC).put("kind", kind).put("name", name);
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

  private ObjectNode namespaced(String apiVersion, String kind, String name) {
    ObjectNode object = ObjectMeta.fresh(apiVersion, kind, name);
    object.withObject("/metadata").put("namespace", component.namespace());
    return object;
  }
}
