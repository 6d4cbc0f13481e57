package io.keyward.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.Cli;
import io.keyward.codec.Json;
import io.keyward.testbed.binary.ServerBinary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The chart, rendered by real helm, has the objects that `keyward operator install` creates.
final class HelmChartIT {
  private static final String CHART = "../deploy/chart";

  /// `helm uninstall` keeps these objects, because they hold the keys and the request. The policy
  /// is the only difference.
  private static final Set<String> KEPT =
      Set.of(
          "ClusterEncryption//cluster",
          "Namespace//keyward-revisions",
          "Namespace//keyward-system");

  private static final String POLICY = "helm.sh/resource-policy";

  @TempDir private Path directory;

  @Test
  void theDefaultsGiveTheManifests() throws Exception {
    String manifests = Files.readString(Path.of("../deploy/manifests/keyward.yaml"));
    assertSame(rendered(), objects(manifests));
  }

  @Test
  void valuesMeanWhatOptionsOfTheInstallerMean() throws Exception {
    Path config =
        Files.writeString(
            directory.resolve("config.yaml"),
            """
            apiServers:
              - component: kube-apiserver
                operatorResource: clusterencryptions
                workload: kubeadm
                resources: [secrets, widgets.example.com, gadgets.example.com]
            """);
    Cli.Result installed =
        Cli.run(
            "operator",
            "install",
            "--dry-run",
            "--config",
            config.toString(),
            "--image=registry.example.com/keyward:7",
            "--replicas=3",
            "--cluster-server=https://api.example.com:6443",
            "--plugin-dir=/run/a",
            "--plugin-dir=/run/b");
    assertThat(installed.exit()).as(installed.err()).isZero();
    assertSame(
        rendered(
            "--set=image.repository=registry.example.com/keyward",
            "--set-string=image.tag=7",
            "--set=replicas=3",
            "--set=clusterServer=https://api.example.com:6443",
            "--set=pluginDirectories={/run/a,/run/b}",
            "--set=resources={secrets,widgets.example.com,gadgets.example.com}"),
        objects(installed.out()));
  }

  @ParameterizedTest
  @CsvSource({
    "workload=restartCommand,workload",
    "replicas=0,replicas",
    "clusterServer=http://a,clusterServer",
    "pluginDirectories={run},pluginDirectories",
    "resources={},resources",
    "replica=2,replica"
  })
  void valuesThatCannotWorkAreRejected(String value, String name) throws Exception {
    ClientProgram.Run run = helm("template", "keyward", CHART, "--set=" + value);
    assertThat(run.exit()).isNotZero();
    assertThat(run.err()).contains(name);
  }

  /// One object at a time: the definition alone fills a screen.
  private static void assertSame(Map<String, JsonNode> found, Map<String, JsonNode> expected) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    found.forEach((name, object) -> assertThat(object).as(name).isEqualTo(expected.get(name)));
  }

  private Map<String, JsonNode> rendered(String... options) throws Exception {
    var words = new ArrayList<>(List.of("template", "keyward", CHART, "--include-crds"));
    words.addAll(List.of(options));
    ClientProgram.Run run = helm(words.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
    Map<String, JsonNode> found = objects(run.out());
    for (String name : KEPT) {
      ObjectNode metadata =
          (ObjectNode) Objects.requireNonNull(found.get(name), name).path("metadata");
      assertThat(metadata.path("annotations").path(POLICY).asText()).isEqualTo("keep");
      metadata.remove("annotations");
    }
    return found;
  }

  private static Map<String, JsonNode> objects(String yaml) {
    var found = new TreeMap<String, JsonNode>();
    Arrays.stream(yaml.split("(?m)^---$"))
        .flatMap(one -> Json.read(one).stream())
        .forEach(one -> {
          JsonNode metadata = one.path("metadata");
          String name =
              one.path("kind").asText()
                  + ("/" + metadata.path("namespace").asText(""))
                  + ("/" + metadata.path("name").asText());
          assertThat(found.put(name, one)).as("twice: " + name).isNull();
        });
    assertThat(found).isNotEmpty();
    return found;
  }

  private ClientProgram.Run helm(String... words) throws Exception {
    return ClientProgram.of(ServerBinary.HELM, directory).run(words);
  }
}
