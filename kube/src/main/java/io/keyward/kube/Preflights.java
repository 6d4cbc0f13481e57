package io.keyward.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.act.Act;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.PreflightState;
import io.keyward.core.model.Wanted;
import java.time.InstantSource;
import java.util.Optional;

/// The preflight of a KMS configuration: a ConfigMap that every node agent answers, and its result
/// in the status.
final class Preflights {
  private final Api api;
  private final Component component;
  private final InstantSource clock;
  private final StatusWriter status;
  private final Wanted wanted;
  private final Optional<ObjectNode> run;

  /// @param run the ConfigMap of the preflight that is under way
  Preflights(
      Api api,
      Component component,
      InstantSource clock,
      StatusWriter status,
      Wanted wanted,
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
    if (api.get(path).filter(found -> !PreflightRecord.isOurs(found)).isPresent()) {
      throw new ClusterFailure(
          "ConfigMap "
              + component.preflight()
              + " in "
              + component.namespace()
              + " was not created by Keyward and blocks the preflight; delete or rename it");
    }
    status.preflight(preflight -> preflight.put("observedConfigHash", config.value()));
    ObjectNode ask = Api.JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
    ask.putObject("metadata")
        .put("name", component.preflight())
        .putObject("labels")
        .put(PreflightRecord.LABEL, component.name());
    String endpoint =
        wanted
            .kms()
            .map(kms -> kms.plugin().spec().fields().getOrDefault("endpoint", ""))
            .orElse("");
    ask.putObject("data")
        .put(PreflightRecord.CONFIG, config.value())
        .put(PreflightRecord.ENDPOINT, endpoint)
        .put(PreflightRecord.ATTEMPT, Integer.toString(attempt))
        .put(PreflightRecord.STARTED, StatusWriter.seconds(clock.instant()));
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
    status.preflight(preflight -> {
      preflight.put("observedConfigHash", result.config().value());
      ObjectNode json = Api.JSON.createObjectNode();
      json.put("status", result.succeeded() ? "Succeeded" : "Failed");
      json.put("configHash", result.config().value()).put("attempt", result.attempt());
      result.kek().ifPresent(kek -> json.put("remoteKeyID", kek.value()));
      result.at().ifPresent(at -> json.put("time", StatusWriter.seconds(at)));
      if (!result.detail().isEmpty()) {
        json.put("detail", StatusWriter.bounded(result.detail()));
      }
      preflight.set("result", json);
    });
  }
}
