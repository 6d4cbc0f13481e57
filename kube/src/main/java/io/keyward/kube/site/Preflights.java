package io.keyward.kube.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.object.PreflightCodec;
import io.keyward.codec.pod.PreflightPods;
import io.keyward.core.act.Act;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.preflight.PreflightCandidate;
import io.keyward.core.sidecar.SidecarPlanner;
import io.keyward.core.sidecar.Sidecars;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.StatusWriter;
import java.util.Optional;

/// The preflight of a KMS configuration, and its result in the status. A plugin that a user runs is
/// tested by the node agents, which answer in a ConfigMap. A plugin that Keyward runs is tested in
/// pods, one on each control-plane node.
public final class Preflights {
  private final SiteContext context;
  private final Api api;
  private final Component component;
  private final StatusWriter status;
  private final KubeSnapshot.Seen seen;
  private PreflightState state;

  Preflights(
      SiteContext context, StatusWriter status, KubeSnapshot.Seen seen, PreflightState state) {
    this.context = context;
    this.api = context.api();
    this.component = context.component();
    this.status = status;
    this.seen = seen;
    this.state = state;
  }

  void apply(Act.OnPreflight act) {
    switch (act) {
      case Act.RunPreflight(var candidate, int attempt) -> run(candidate, attempt);
      case Act.CleanPreflight _ -> clean();
      case Act.ConcludePreflight(var result, var requested) ->
          record(state.with(result, requested));
    }
  }

  private void record(PreflightState next) {
    state = next;
    status.preflight(next);
  }

  private void run(PreflightCandidate candidate, int attempt) {
    if (candidate.kms().isManaged()) {
      startPods(candidate);
    } else {
      ask(candidate.config(), candidate.kms(), attempt);
    }
  }

  private void observe(Fingerprint config) {
    record(new PreflightState(Optional.of(config), state.result(), state.run(), state.others()));
  }

  private void ask(Fingerprint config, KmsKey kms, int attempt) {
    String path = component.configMaps() + "/" + component.preflight();
    if (api.get(path).filter(found -> !PreflightCodec.isOurs(found)).isPresent()) {
      throw new ClusterFailure(
          "ConfigMap "
              + component.preflight()
              + " in "
              + component.namespace()
              + " was not created by Keyward and blocks the preflight; delete or rename it");
    }
    observe(config);
    api.create(
        component.configMaps(),
        PreflightCodec.ask(
            component.preflight(),
            component.name(),
            config,
            kms.endpoint().endpoint(),
            attempt,
            context.clock().instant()));
  }

  private void startPods(PreflightCandidate candidate) {
    Sidecars sidecars = SidecarPlanner.trial(candidate.layout(), context.images());
    String image =
        context
            .images()
            .own()
            .orElseThrow(() ->
                new ClusterFailure(
                    "the operator does not know the image of Keyward that runs KMS plugins; set"
                        + " pluginImage in its configuration"));
    observe(candidate.config());
    String secret = secretPath();
    api.get(secret)
        .ifPresent(found -> {
          requireOurs(found, "Secret");
          api.delete(secret, found);
        });
    api.create(secrets(), PreflightPods.secret(component.name(), component.home(), candidate));
    for (String node : seen.nodes()) {
      api.create(
          component.preflightPods(),
          PreflightPods.pod(component.name(), component.home(), node, candidate, image, sidecars));
    }
  }

  private String secrets() {
    return "/api/v1/namespaces/" + component.home() + "/secrets";
  }

  private String secretPath() {
    return secrets() + "/" + PreflightPods.SECRET;
  }

  private void requireOurs(ObjectNode found, String kind) {
    if (!PreflightPods.labels(component.name()).match(found)) {
      throw new ClusterFailure(
          kind
              + " "
              + ObjectMeta.name(found)
              + " in "
              + component.home()
              + " was not created by Keyward and blocks the preflight; delete or rename it");
    }
  }

  /// Credentials do not stay longer than the pods that need them.
  private void clean() {
    seen.preflight()
        .ifPresent(found ->
            api.delete(
                component.configMaps() + "/" + component.preflight(), whicheverVersion(found)));
    // The pods come last: they show that something is left to delete.
    if (!seen.preflightPods().isEmpty()) {
      api.get(secretPath())
          .filter(PreflightPods.labels(component.name())::match)
          .ifPresent(found -> api.delete(secretPath(), found));
    }
    for (ObjectNode pod : seen.preflightPods()) {
      api.delete(component.preflightPods() + "/" + ObjectMeta.name(pod), whicheverVersion(pod));
    }
  }

  /// Nodes may answer concurrently, which changes nothing: the object itself is what counts.
  private static ObjectNode whicheverVersion(ObjectNode found) {
    ObjectNode any = found.deepCopy();
    any.withObject("/metadata").remove("resourceVersion");
    return any;
  }
}
