package io.keyward.kube.revision;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.SecretObject;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.pod.KubeadmYaml;
import io.keyward.core.act.Act;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.rollout.KnownRevisions;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.StatusWriter;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/// The revisions of one API server, and the nodes and pods on their way to them.
public final class RevisionWriter {
  private final Api api;
  private final Component component;
  private final StatusWriter status;
  private final RevisionParts parts;
  private final RevisionReader reader;
  private final RevisionObjects objects;
  private final SortedSet<String> nodes;
  private final ObservedState state;

  public RevisionWriter(
      Api api,
      Component component,
      StatusWriter status,
      RevisionParts parts,
      SortedSet<String> nodes,
      ObservedState state) {
    this.api = api;
    this.component = component;
    this.status = status;
    this.parts = parts;
    this.reader = new RevisionReader(api, component, parts);
    this.objects = new RevisionObjects(api, component);
    this.nodes = nodes;
    this.state = state;
  }

  /// Applies an act.
  ///
  /// @param published the configuration as it was observed
  /// @param requireUnchanged throws if the configuration was modified since
  public void apply(
      Act.OnRevisions act, Optional<ObjectNode> published, Runnable requireUnchanged) {
    switch (act) {
      case Act.CompleteManifest(var needs) -> complete(needs);
      case Act.CreateRevision(long number) -> {
        snapshot(number, published.orElseThrow());
        requireUnchanged.run();
        status.latest(number);
        objects.prune(
            number,
            state.revisions().instances(),
            status.now().claims(nodes).stream().map(KnownRevisions.Claim::revision).toList());
      }
      case Act.SetTarget(var node, long number) ->
          status.target(node, number, state.revisions().nodes());
      case Act.AskNodes(var asked) -> status.ask(asked, state.at());
      case Act.DropNodes(var gone) -> status.forgetNodes(gone);
      case Act.UpdateDeployment(var name, long number) ->
          api.mergePatch(
              component.deploymentPath(name),
              parts
                  .deployment()
                  .orElseThrow()
                  .patch(number, RevisionReader.sockets(component, parts.newest())));
    }
  }

  private void complete(List<ManifestNeed> needs) {
    if (parts.kubeadm().isPresent()) {
      ObjectNode told = parts.kubeadm().orElseThrow().deepCopy();
      told.withObject("/data")
          .put(KubeadmYaml.KEY, RevisionReader.kubeadm(told).with(needs).yaml());
      api.replace(KubeadmYaml.PATH, told);
      return;
    }
    ObjectNode changed = parts.pod().orElseThrow().deepCopy();
    changed.withObject("/data").put(Component.POD_KEY, reader.pod(changed).with(needs).text());
    api.replace(component.configMaps() + "/" + component.podConfigMap(), changed);
  }

  /// Announced by its number only when it is complete, so a crash leaves nothing half seen.
  private void snapshot(long number, ObjectNode source) {
    ObjectNode owner = objects.begin(number);
    ObjectNode secret = objects.part("Secret", component.revision(number), owner);
    secret
        .put("type", SecretObject.TYPE)
        .set("data", ObjectMeta.data(parts.plugins().with(source)));
    ObjectNode config = objects.put(component.secrets(), secret, owner);
    parts
        .pod()
        .ifPresent(pod -> {
          ObjectNode copy = objects.part("ConfigMap", component.podRevision(number), owner);
          copy.set("data", ObjectMeta.data(pod));
          // What was stored is what nodes will run, so it is what must belong together.
          ObjectNode stored = objects.put(component.configMaps(), copy, owner);
          List<ManifestNeed> needs = reader.needs(stored, Optional.of(config));
          if (!needs.isEmpty()) {
            throw new ClusterFailure(
                "revision " + number + " is not taken: its manifest lacks " + needs, 0);
          }
        });
    objects.finish(owner);
  }
}
