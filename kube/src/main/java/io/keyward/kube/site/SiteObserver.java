package io.keyward.kube.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.WireNames;
import io.keyward.codec.object.ControlPlaneNodes;
import io.keyward.codec.object.Labels;
import io.keyward.codec.object.PreflightCodec;
import io.keyward.codec.pod.PreflightPods;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Problem;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.AgentAccess;
import io.keyward.kube.revision.RevisionParts;
import io.keyward.kube.revision.RevisionReader;
import io.keyward.kube.revision.RolloutReader;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Takes one consistent look at an API server.
final class SiteObserver {
  private static final Logger LOG = System.getLogger(SiteObserver.class.getName());

  private final SiteContext context;
  private final Component component;
  private final FingerprintSalt salt;
  private final Optional<AgentAccess> agents;
  private final ActivityReader activity = new ActivityReader();
  private List<Problem> unreadable = List.of();

  SiteObserver(SiteContext context) {
    this.context = context;
    this.component = context.component();
    this.salt = new FingerprintSalt(context.api(), component, context.access());
    this.agents =
        component.workload() == Workload.KUBEADM && context.access() == KubeSite.Access.ACTS
            ? Optional.of(new AgentAccess(context.api(), component))
            : Optional.empty();
  }

  /// Nothing of it is cached. Node agents may read the revisions that they need from now on: acts
  /// that follow may name one of them as a target.
  KubeSnapshot live() {
    KubeSnapshot seen = look(context.api());
    agents.ifPresent(access -> access.allow(seen.state().revisions().needed()));
    return seen;
  }

  KubeSnapshot look(Reads reads) {
    ObjectNode operator = operatorResource(reads);
    OperatorStatus status = component.status().read(operator);
    warn(status.encryption().preflightProblems());
    var keys = StoredKeys.read(reads, component);
    var published =
        reads.get(component.managed() + "/secrets/" + WireNames.configSecretName(component.name()));
    ControlPlaneNodes nodes = nodes(reads);
    agents.ifPresent(access -> access.grant(known(status, nodes)));
    var seen =
        new KubeSnapshot.Seen(
            operator,
            keys.secrets(),
            published,
            RevisionParts.read(reads, component, context.images(), status.latest(), nodes.silent()),
            nodes.names(),
            context.migrator().look(reads, component),
            reads
                .get(component.configMaps() + "/" + component.preflight())
                .filter(PreflightCodec::isOurs),
            preflightPods(reads),
            status.encryption().problems());
    DataValue salted = salt.read(reads);
    var references = new ReferenceReader(reads, component, salted);
    Instant now = context.clock().instant();
    var state =
        new ObservedState(
            now,
            component.name(),
            RequestedEncryptionReader.read(
                reads.get(component.api().requestPath()),
                operator,
                component,
                context.gates(),
                salted,
                references,
                context.images()),
            stored(keys, published.flatMap(RolloutReader::layout), references),
            new RolloutReader(reads, component, seen.parts(), published)
                .read(status, nodes.names()),
            activity.read(status, seen, now),
            status.conditions(),
            context.settings(),
            new TreeSet<>(nodes.silent().keySet()),
            new RevisionReader(reads, component, seen.parts())
                .read(status, nodes.names(), published));
    return new KubeSnapshot(context, state, seen);
  }

  /// Only where Keyward runs plugins.
  private List<ObjectNode> preflightPods(Reads reads) {
    return component.workload() == Workload.KUBEADM
        ? reads.list(component.preflightPods(), PreflightPods.labels(component.name()))
        : List.of();
  }

  /// With the references of every key that is stored or published.
  private static Stored stored(
      StoredKeys keys, Optional<EncryptionLayout> layout, ReferenceReader references) {
    List<Key> all =
        Stream.concat(keys.keys().stream(), layout.stream().flatMap(one -> one.keys().stream()))
            .toList();
    return new Stored(keys.keys(), keys.damaged(), layout, references.read(all));
  }

  /// A node that lost its role may still run an API server, which its agent must be able to report.
  private static SortedSet<String> known(OperatorStatus status, ControlPlaneNodes nodes) {
    var all = new TreeSet<>(nodes.names());
    status.nodes().forEach(one -> all.add(one.name()));
    return all;
  }

  /// A result that cannot be read counts as absent, so the preflight is repeated.
  private void warn(List<Problem> problems) {
    if (!problems.equals(unreadable)) {
      unreadable = problems;
      problems.forEach(one ->
          LOG.log(
              Level.WARNING,
              "{0}: {1} {2}; the preflight is repeated",
              component.name(),
              one.where(),
              one.what()));
    }
  }

  private ObjectNode operatorResource(Reads reads) {
    return reads
        .get(component.operatorPath())
        .orElseThrow(() ->
            new ClusterFailure(
                component.kind() + " cluster is missing; keyward operator install makes it", 404));
  }

  private ControlPlaneNodes nodes(Reads reads) {
    return component.nodes().isEmpty()
        ? ControlPlaneNodes.of(
            reads.list("/api/v1/nodes", Labels.exists(Component.CONTROL_PLANE_LABEL)))
        : ControlPlaneNodes.named(component.nodes());
  }
}
