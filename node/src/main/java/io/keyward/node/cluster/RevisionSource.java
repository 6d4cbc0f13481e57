package io.keyward.node.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.object.SecretJson;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.node.host.Hex;
import java.util.Map;
import java.util.Optional;

/// The parts of revisions, as the operator stored them.
public final class RevisionSource {
  public static final String CONFIG = "encryption-config";

  private final Api cluster;
  private final Component component;

  public RevisionSource(Api cluster, Component component) {
    this.cluster = cluster;
    this.component = component;
  }

  /// One revision.
  ///
  /// @param config the files of its encryption configuration, by name
  /// @param manifest of its pod
  public record Parts(Map<String, byte[]> config, Optional<String> manifest) {}

  public Parts read(long revision) {
    Map<String, byte[]> config = config(revision);
    if (config.getOrDefault(CONFIG, new byte[0]).length == 0) {
      throw new ClusterFailure("revision " + revision + " holds no configuration");
    }
    return new Parts(config, manifest(revision));
  }

  /// The files of its encryption configuration, by name.
  public Map<String, byte[]> config(long revision) {
    return SecretJson.files(part(component.secrets() + "/" + component.revision(revision)));
  }

  /// Of its configuration.
  public String digest(long revision) {
    return Hex.sha256(read(revision).config().getOrDefault(CONFIG, new byte[0]));
  }

  private Optional<String> manifest(long revision) {
    return component.workload() == Workload.STATIC_POD
        ? Optional.of(
            ObjectMeta.data(
                part(component.configMaps() + "/" + component.podRevision(revision)),
                Component.POD_KEY))
        : Optional.empty();
  }

  private JsonNode part(String path) {
    return cluster.get(path).orElseThrow(() -> new ClusterFailure(path + " is not there yet"));
  }
}
