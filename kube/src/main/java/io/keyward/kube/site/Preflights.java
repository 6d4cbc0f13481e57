package io.keyward.kube.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.PreflightCodec;
import io.keyward.core.act.Act;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.StatusWriter;
import java.time.InstantSource;
import java.util.Optional;

/// The preflight of a KMS configuration: a ConfigMap that every node agent answers, and its result
/// in the status.
public final class Preflights {
  private final Api api;
  private final Component component;
  private final InstantSource clock;
  private final StatusWriter status;
  private final RequestedEncryption wanted;
  private final Optional<ObjectNode> run;

  /// @param run the ConfigMap of the preflight that is under way
  Preflights(
      Api api,
      Component component,
      InstantSource clock,
      StatusWriter status,
      RequestedEncryption wanted,
      Optional<ObjectNode> run) {
    this.api = api;
    this.component = component;
    this.clock = clock;
    this.status = status;
    this.wanted = wanted;
    this.run = run;
  }

  void apply(Act.OnPreflight act) {
    switch (act) {
      case Act.RunPreflight(var config, int attempt) -> run(config, attempt);
      case Act.CleanPreflight _ -> clean();
      case Act.ConcludePreflight(var result) -> conclude(result);
    }
  }

  private void run(Fingerprint config, int attempt) {
    String path = component.configMaps() + "/" + component.preflight();
    if (api.get(path).filter(found -> !PreflightCodec.isOurs(found)).isPresent()) {
      throw new ClusterFailure(
          "ConfigMap "
              + component.preflight()
              + " in "
              + component.namespace()
              + " was not created by Keyward and blocks the preflight; delete or rename it");
    }
    status.preflight(config, Optional.empty());
    String endpoint =
        wanted
            .kms()
            .map(kms -> kms.plugin().spec().fields().getOrDefault("endpoint", ""))
            .orElse("");
    ObjectNode ask =
        PreflightCodec.ask(
            component.preflight(), component.name(), config, endpoint, attempt, clock.instant());
    api.create(component.configMaps(), ask);
  }

  private void clean() {
    run.ifPresent(found -> {
      // Nodes may answer meanwhile, which changes nothing: the object itself is what counts.
      ObjectNode any = found.deepCopy();
      any.withObject("/metadata").remove("resourceVersion");
      api.delete(component.configMaps() + "/" + component.preflight(), any);
    });
  }

  private void conclude(PreflightState.Result result) {
    status.preflight(result.config(), Optional.of(result));
  }
}
