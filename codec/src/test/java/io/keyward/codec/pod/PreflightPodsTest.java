package io.keyward.codec.pod;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.PreflightState.Run;
import io.keyward.core.preflight.PreflightCandidate;
import io.keyward.core.sidecar.Sidecars;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PreflightPodsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PASSED = "{'passed':true,'remoteKeyID':'kek-1','detail':''}";
  private static final String OTHER = "{'passed':true,'remoteKeyID':'kek-2','detail':''}";
  private static final String FAILED = "{'passed':false,'detail':'login refused'}";

  private static ObjectNode pod(String node) {
    var candidate =
        new PreflightCandidate(
            new Fingerprint("AAAAAAAA"),
            Key.unbacked(new KeySerial(4), Mode.KMS, Key.NULL_MATERIAL, Optional.empty()),
            EncryptionLayout.EMPTY);
    ObjectNode pod =
        PreflightPods.pod(
            "kube-apiserver", "keyward-system", node, candidate, "keyward:1", Sidecars.NONE);
    pod.withObject("/metadata").put("creationTimestamp", "2026-01-01T00:00:00Z");
    return pod;
  }

  private static String ended(String message) {
    return "{'phase':'Succeeded','containerStatuses':[{'name':'kms-preflight-check','state':"
        + "{'terminated':{'exitCode':0,'reason':'Completed','message':\""
        + message.replace("'", "\\'")
        + "\"}}}]}";
  }

  private static ObjectNode status(String text) throws JsonProcessingException {
    return (ObjectNode) JSON.readTree(text.replace("\\'", "\\\"").replace('\'', '"'));
  }

  /// The status of each node's pod, by a word or as JSON.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # case                               | node a | node b | passed | words
          both run                             | {}     | {}     |        | on node a: the kubelet has not started pod kms-preflight-a
          one has ended                        | PASSED | {'phase':'Running'} |  |
          both passed                          | PASSED | PASSED | true   |
          one failed                           | PASSED | FAILED | false  | on node b: login refused
          one failure is enough                | FAILED | {}     | false  | on node a: login refused
          they see different keys              | PASSED | OTHER  | false  | the plugins of the nodes report different key_ids
          W3 no image                          | PASSED | {'phase':'Pending','initContainerStatuses':[{'name':'keyward-kms-plugin','state':{'waiting':{'reason':'ImagePullBackOff','message':'no such image'}}}]} |  | container keyward-kms-plugin does not start: ImagePullBackOff: no such image
          W3 not scheduled                     | PASSED | {'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False','message':'no node'}]} | | the pod is not scheduled: no node
          evicted                              | PASSED | {'phase':'Failed','reason':'Evicted','message':'low on memory'} | false | pod kms-preflight-b failed: Evicted: low on memory
          killed                               | PASSED | {'phase':'Failed','containerStatuses':[{'name':'kms-preflight-check','state':{'terminated':{'exitCode':137,'reason':'OOMKilled'}}}]} | false | the check ended without a result: OOMKilled, exit code 137
          """)
  void combinesTheAnswersOfAllNodes(
      String name, String a, String b, @Nullable Boolean passed, @Nullable String words)
      throws JsonProcessingException {
    var pods = new ArrayList<ObjectNode>();
    for (String node : List.of("a", "b")) {
      ObjectNode pod = pod(node);
      pod.set("status", status(word(node.equals("a") ? a : b)));
      pods.add(pod);
    }
    Run run = PreflightPods.run(pods, new TreeSet<>(List.of("a", "b"))).orElseThrow();
    assertThat(run.config()).contains(new Fingerprint("AAAAAAAA"));
    assertThat(run.startedAt().orElseThrow()).hasToString("2026-01-01T00:00:00Z");
    assertThat(run.report().map(one -> one.succeeded()))
        .as(name)
        .isEqualTo(Optional.ofNullable(passed));
    String said = run.report().map(one -> one.detail()).orElse("") + run.stuckOn().orElse("");
    assertThat(said).contains(Optional.ofNullable(words).orElse(""));
    assertThat(words == null && !said.isEmpty()).as(said).isFalse();
  }

  private static String word(String status) {
    return switch (status) {
      case "PASSED" -> ended(PASSED);
      case "OTHER" -> ended(OTHER);
      case "FAILED" -> ended(FAILED);
      default -> status;
    };
  }

  /// Such pods are deleted, and the preflight starts again.
  @Test
  void podsThatAreNoWholePreflightAreOfNoConfiguration() {
    var both = new TreeSet<>(List.of("a", "b"));
    assertThat(PreflightPods.run(List.of(), both)).isEmpty();
    assertThat(config(both, pod("a"), pod("b"))).isPresent();
    assertThat(config(both, pod("a"))).as("a crash between two pods, or a new node").isEmpty();
    ObjectNode deleted = pod("b");
    deleted.withObject("/metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
    assertThat(config(both, pod("a"), deleted)).as("W3 deletion is waited for").isEmpty();
    ObjectNode old = pod("b");
    old.withObject("/metadata/annotations")
        .put("encryption.apiserver.operator.openshift.io/kms-preflight-config-hash", "BBBBBBBB");
    assertThat(config(both, pod("a"), old)).isEmpty();
  }

  private static Optional<Fingerprint> config(SortedSet<String> nodes, ObjectNode... pods) {
    return PreflightPods.run(List.of(pods), nodes).orElseThrow().config();
  }

  @Test
  void thePodRunsInTheEnvironmentOfTheApiServerAndHasNoToken() {
    ObjectNode pod = pod("node-1");
    assertThat(pod.at("/metadata/name").asText()).isEqualTo("kms-preflight-node-1");
    assertThat(pod.at("/metadata/labels/app").asText()).isEqualTo("openshift-kms-preflight");
    assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("node-1");
    assertThat(pod.at("/spec/hostNetwork").asBoolean()).isTrue();
    assertThat(pod.at("/spec/automountServiceAccountToken").asBoolean(true)).isFalse();
    assertThat(pod.at("/spec/containers/0/args").toString()).contains("--key=4");
    assertThat(pod("n".repeat(253)).at("/metadata/name").asText()).hasSizeLessThanOrEqualTo(253);
  }
}
