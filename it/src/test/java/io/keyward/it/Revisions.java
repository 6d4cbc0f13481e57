package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.pod.NodeRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/// What a managed cluster runs, and what of it is left on disks and in the API.
final class Revisions {
  private final ManagedCluster cluster;
  private final Admin admin;

  Revisions(ManagedCluster cluster, Admin admin) {
    this.cluster = cluster;
    this.admin = admin;
  }

  void filesAreForTheirOwnerAlone(NodeRoot replaced) throws IOException {
    for (NodeRoot node : List.of(cluster.nodes().getFirst(), cluster.nodes().get(1), replaced)) {
      var files = new ArrayList<Path>();
      files.add(node.manifests().resolve("kube-apiserver.yaml"));
      Path resources = node.at(Path.of("/etc/kubernetes/static-pod-resources"));
      try (var all = Files.walk(resources)) {
        all.filter(Files::isRegularFile).forEach(files::add);
      }
      try (var revisions = Files.list(resources)) {
        assertThat(revisions)
            .as("the present one and the one before")
            .hasSizeBetween(node.equals(replaced) ? 1 : 2, 2);
      }
      for (Path file : files) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .isEqualTo("rw-------");
      }
    }
  }

  void everyNodeRunsTheNewestRevision(List<String> nodes) {
    JsonNode status = admin.operator().path("status");
    assertThat(NodeReplacement.names(admin)).containsExactlyInAnyOrderElementsOf(nodes);
    assertThat(status.path("nodeStatuses"))
        .as(status::toPrettyString)
        .allMatch(node ->
            node.path("currentRevision").asLong() == status.path("latestAvailableRevision").asLong()
                && node.path("ready").asBoolean());
  }

  /// For a cluster that had more revisions than are kept.
  static void arePruned(Admin admin) {
    long latest = admin.operator().at("/status/latestAvailableRevision").asLong();
    assertThat(latest).isGreaterThan(5);
    assertThat(admin.client().get(revision(latest)).status()).isEqualTo(200);
    assertThat(admin.client().get(revision(1)).status()).isEqualTo(404);
  }

  private static String revision(long number) {
    return "/api/v1/namespaces/kube-system/secrets/encryption-config-" + number;
  }
}
