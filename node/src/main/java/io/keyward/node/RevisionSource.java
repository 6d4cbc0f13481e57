package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.kube.Api;
import io.keyward.kube.ClusterFailure;
import io.keyward.kube.Component;
import io.keyward.kube.Workload;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The parts of revisions, as the operator stored them.
final class RevisionSource {
  private static final String CONFIG = "encryption-config";

  private final Api cluster;
  private final Component component;

  RevisionSource(Api cluster, Component component) {
    this.cluster = cluster;
    this.component = component;
  }

  /// One revision.
  ///
  /// @param config the files of its encryption configuration, by name
  /// @param manifest of its pod
  record Parts(Map<String, byte[]> config, Optional<String> manifest) {}

  Parts read(long revision) {
    JsonNode secret = part(component.secrets() + "/" + component.revision(revision));
    Map<String, byte[]> config = new TreeMap<>();
    secret
        .path("data")
        .properties()
        .forEach(
            one -> config.put(one.getKey(), Base64.getDecoder().decode(one.getValue().asText(""))));
    if (config.getOrDefault(CONFIG, new byte[0]).length == 0) {
      throw new ClusterFailure("revision " + revision + " holds no configuration");
    }
    return new Parts(config, manifest(revision));
  }

  /// Of its configuration.
  String digest(long revision) {
    return Hex.sha256(read(revision).config().getOrDefault(CONFIG, new byte[0]));
  }

  private Optional<String> manifest(long revision) {
    return component.workload() == Workload.STATIC_POD
        ? Optional.of(
            part(component.configMaps() + "/" + component.podRevision(revision))
                .path("data")
                .path(Component.POD_KEY)
                .asText(""))
        : Optional.empty();
  }

  private JsonNode part(String path) {
    return cluster.get(path).orElseThrow(() -> new ClusterFailure(path + " is not there yet"));
  }
}
