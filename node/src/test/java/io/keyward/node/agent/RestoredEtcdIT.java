package io.keyward.node.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.testbed.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real etcd is set back to a moment before the last rotation, while the nodes run the rotated
/// configuration. The operator, the agents and the API server of the cluster are real.
public final class RestoredEtcdIT {
  private static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(List.of(new Resource("", "limitranges"))),
          new TreeSet<>(List.of("a", "b")));

  @TempDir Path home;

  @Test
  void nothingIsPublishedOverARevisionThatTheClusterDoesNotKnow() throws IOException {
    Files.createDirectories(home.resolve("a"));
    Files.createDirectories(home.resolve("b"));
    try (var plane = ControlPlane.builder(home.resolve("plane")).start();
        var admin = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
        var cluster = new OperatedCluster(admin, COMPONENT);
        var a = new FakeNode(admin, plane.kubeconfig(0), COMPONENT, "a", home, "true");
        var b = new FakeNode(admin, plane.kubeconfig(0), COMPONENT, "b", home, "true")) {
      cluster.encrypt("aescbc");
      cluster.awaitCondition("Encrypted", "True EncryptionCompleted");
      long backedUp = cluster.latest();
      Path backup = home.resolve("backup");
      plane.apiServer(0).stop();
      plane.etcd().stop();
      copy(plane.etcd().dataDirectory(), backup);
      plane.start();

      cluster.rotate("a leak");
      cluster.await(
          "rotated",
          () ->
              cluster.stored().contains("encryption-key-kube-apiserver-2")
                  && runs(cluster, "a") == cluster.latest()
                  && runs(cluster, "b") == cluster.latest()
                  && isFirst(config(a), secret(a, "2"), secret(a, "1")));
      long rotated = cluster.latest();
      String running = config(a);
      String material = secret(a, "2");

      plane.apiServer(0).stop();
      plane.etcd().stop();
      delete(plane.etcd().dataDirectory());
      copy(backup, plane.etcd().dataDirectory());
      plane.start();
      assertThat(cluster.stored()).doesNotContain("encryption-key-kube-apiserver-2");
      cluster.awaitCondition(
          "EncryptionKeyControllerDegraded",
          "True Error UnknownRevision: node a runs revision "
              + rotated
              + ", which the cluster does not know",
          "create the Secret of that revision again");
      cluster.awaitCondition("EncryptionWaiting", "True UnknownRevision");

      cluster.rotate("another leak");
      cluster.awaitTurns();
      assertThat(cluster.latest()).isEqualTo(backedUp);
      assertThat(cluster.stored()).doesNotContain("encryption-key-kube-apiserver-2");
      assertThat(cluster.node("a").path("targetRevision").asLong()).isLessThanOrEqualTo(backedUp);
      assertThat(config(a)).isEqualTo(running);
      assertThat(config(b)).isEqualTo(running);

      restoreSecret(admin, rotated, running);
      cluster.await("published again", () -> cluster.latest() > rotated);
      cluster.await(
          "rotated again",
          () ->
              cluster.stored().contains("encryption-key-kube-apiserver-3")
                  && runs(cluster, "b") > rotated);
      assertThat(config(a)).as("the key of the rotation is kept").contains(material);
    }
  }

  private static boolean isFirst(String config, String first, String second) {
    return config.contains(first) && config.indexOf(first) < config.indexOf(second);
  }

  /// The remedy that the condition names.
  private static void restoreSecret(Api admin, long revision, String config) {
    ObjectNode secret = new ObjectMapper().createObjectNode();
    secret.put("apiVersion", "v1").put("kind", "Secret");
    secret.putObject("metadata").put("name", COMPONENT.revision(revision));
    secret
        .putObject("data")
        .put("encryption-config", Base64.getEncoder().encodeToString(config.getBytes(UTF_8)));
    admin.create(COMPONENT.secrets(), secret);
  }

  private static long runs(OperatedCluster cluster, String node) {
    return cluster.node(node).path("currentRevision").asLong();
  }

  private static String config(FakeNode node) {
    try {
      return Files.readString(node.config());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String secret(FakeNode node, String name) {
    try {
      for (JsonNode entry : new ObjectMapper().readTree(config(node)).path("resources")) {
        for (JsonNode provider : entry.path("providers")) {
          JsonNode key = provider.at("/aescbc/keys/0");
          if (key.path("name").asText().equals(name)) {
            return key.path("secret").asText();
          }
        }
      }
      return "no key " + name;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path one : all.toList()) {
        Files.copy(one, to.resolve(from.relativize(one).toString()));
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }
}
