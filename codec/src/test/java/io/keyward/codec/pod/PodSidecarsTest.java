package io.keyward.codec.pod;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.sidecar.PluginContainer;
import io.keyward.core.sidecar.Sidecars;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PodSidecarsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PodSidecars.Source HERE =
      new PodSidecars.Source.OnNode("/etc/kubernetes/keyward/kms-plugin/3");

  private static Sidecars sidecars(int containers) {
    var all = new ArrayList<PluginContainer>();
    for (int i = 0; i < containers; i++) {
      boolean isLast = i == containers - 1;
      all.add(
          new PluginContainer(
              isLast ? "keyward-kms-plugin" : "vault-kms-plugin-" + i,
              "image:" + i,
              isLast ? List.of("java") : List.of(),
              List.of("plugin"),
              isLast ? List.of("java", "ready") : List.of(),
              isLast,
              new TreeSet<>(isLast ? List.of("/usr/lib/hsm") : List.of())));
    }
    return new Sidecars(all, new TreeSet<>(List.of("/var/run/keyward-kms")));
  }

  /// Any pod is again what it was, and adding twice is adding once.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void whatIsAddedCanBeRemoved(int containers) {
    for (long seed = 0; seed < 500; seed++) {
      ObjectNode pod = pod(new Random(seed));
      ObjectNode before = pod.deepCopy();
      apply(pod, sidecars(containers));
      ObjectNode once = pod.deepCopy();
      assertThat(PodSidecars.has(pod, sidecars(containers), HERE)).as("seed %d", seed).isTrue();
      apply(pod, sidecars(containers));
      assertThat(pod).as("seed %d", seed).isEqualTo(once);
      apply(pod, sidecars(containers % 3 + 1));
      apply(pod, Sidecars.NONE);
      assertThat(pod).as("seed %d", seed).isEqualTo(before);
      assertThat(PodSidecars.has(pod, Sidecars.NONE, HERE)).isTrue();
      assertThat(PodSidecars.has(pod, sidecars(1), HERE)).isFalse();
    }
  }

  /// What the controllers of OpenShift left in a pod leaves with the first change.
  @Test
  void containersOfOpenShiftLeave() throws Exception {
    var pod =
        (ObjectNode)
            JSON.readTree(
                """
                {"kind":"Pod","metadata":{"name":"a"},"spec":{
                  "initContainers":[{"name":"setup"},{"name":"vault-kms-plugin-4"},{"name":"kms-health-reporter"}],
                  "containers":[{"name":"a","volumeMounts":[{"name":"kms-plugin-socket","mountPath":"/var/run/kmsplugin"},
                    {"name":"certs","mountPath":"/c"}]}],
                  "volumes":[{"name":"kms-plugin-socket"},{"name":"kms-plugins-data"},{"name":"certs"}]}}
                """);
    apply(pod, Sidecars.NONE);
    assertThat(pod)
        .isEqualTo(
            JSON.readTree(
                """
                {"kind":"Pod","metadata":{"name":"a"},"spec":{"initContainers":[{"name":"setup"}],
                  "containers":[{"name":"a","volumeMounts":[{"name":"certs","mountPath":"/c"}]}],
                  "volumes":[{"name":"certs"}]}}
                """));
  }

  /// W16, W20
  @Test
  void w16TheApiServerSeesSocketsAndNoCredentials() {
    ObjectNode pod = pod(new Random(1));
    apply(pod, sidecars(2));
    var seen = new ArrayList<String>();
    pod.at("/spec/containers/0/volumeMounts")
        .forEach(mount -> seen.add(mount.path("mountPath").asText()));
    assertThat(seen).contains("/var/run/keyward-kms").doesNotContain("/var/run/secrets/kms-plugin");
    for (JsonNode one : pod.at("/spec/initContainers")) {
      if (one.path("name").asText().contains("kms-plugin")) {
        assertThat(one.path("restartPolicy").asText()).isEqualTo("Always");
        assertThat(one.has("env")).isFalse();
        assertThat(one.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(one.at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(one.at("/securityContext/capabilities/drop/0").asText()).isEqualTo("ALL");
        assertThat(one.at("/resources/limits/memory").asText()).isNotEmpty();
      }
    }
  }

  @Test
  void theContainersOfARevisionAreReadAsTheyWereWritten() {
    for (int containers = 0; containers < 4; containers++) {
      Sidecars planned = containers == 0 ? Sidecars.NONE : sidecars(containers);
      assertThat(SidecarCodec.decode(SidecarCodec.encode(planned))).isEqualTo(planned);
    }
    assertThat(SidecarCodec.decode("no JSON")).isEqualTo(Sidecars.NONE);
  }

  private static void apply(ObjectNode pod, Sidecars sidecars) {
    PodSidecars.apply(pod, (ObjectNode) pod.at("/spec/containers/0"), sidecars, HERE);
  }

  /// With or without lists and annotations; a list that is there is not empty.
  private static ObjectNode pod(Random random) {
    ObjectNode pod = JSON.createObjectNode().put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata").put("name", "a");
    if (random.nextBoolean()) {
      metadata.putObject("annotations").put("of", "a user");
    }
    ObjectNode spec = pod.putObject("spec").put("hostNetwork", random.nextBoolean());
    list(spec, "initContainers", random);
    ArrayNode containers = spec.putArray("containers");
    ObjectNode server = containers.addObject().put("name", "a");
    list(server, "volumeMounts", random);
    list(spec, "volumes", random);
    return pod;
  }

  private static void list(ObjectNode owner, String member, Random random) {
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      owner
          .withArray(member)
          .addObject()
          .put("name", "own-" + random.nextInt(100))
          .put("mountPath", "/m" + random.nextInt(100));
    }
  }
}
