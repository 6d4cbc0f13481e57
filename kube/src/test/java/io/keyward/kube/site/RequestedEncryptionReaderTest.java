package io.keyward.kube.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.Mode;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public final class RequestedEncryptionReaderTest {
  private static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(List.of(new Resource("", "secrets"))),
          new TreeSet<>());

  private static RequestedEncryption read(Optional<String> spec, FeatureGates gates)
      throws JsonProcessingException {
    Optional<ObjectNode> apiServer = Optional.empty();
    if (spec.isPresent()) {
      apiServer =
          Optional.of((ObjectNode) Api.JSON.readTree("{\"spec\":" + spec.orElseThrow() + "}"));
    }
    return RequestedEncryptionReader.read(
        apiServer, Api.JSON.createObjectNode(), COMPONENT, gates, DataValue.copyOf(new byte[32]));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                    | spec                              | mode
          nothing was ever asked    | {}                                | IDENTITY
          an empty type             | {"encryption":{"type":""}}        | IDENTITY
          plaintext                 | {"encryption":{"type":"identity"}}| IDENTITY
          a local key               | {"encryption":{"type":"aescbc"}}  | AESCBC
          """)
  void whatAnAdminAsksForIsRead(String name, String spec, Mode mode)
      throws JsonProcessingException {
    RequestedEncryption wanted = read(Optional.of(spec), FeatureGates.DEFAULT);
    assertThat(wanted.mode()).as(name).isEqualTo(mode);
    assertThat(wanted.problem()).isEmpty();
  }

  /// A deleted object, or a deleted definition of it, must not decrypt a cluster.
  @Test
  void whereNobodySaysWhatIsWantedNothingIs() throws JsonProcessingException {
    assertThat(read(Optional.empty(), FeatureGates.DEFAULT).problem())
        .hasValueSatisfying(words ->
            assertThat(words).contains("APIServer cluster is missing", "keyward operator install"));
  }

  @Test
  void aGateThatIsOffIsNamed() throws JsonProcessingException {
    String external =
        "{\"encryption\":{\"type\":\"KMS\",\"kms\":{\"type\":\"External\",\"external\":{\"endpoint\":\"unix:///run/k.sock\"}}}}";
    assertThat(read(Optional.of(external), FeatureGates.DEFAULT).problem()).isEmpty();
    assertThat(read(Optional.of(external), new FeatureGates(false)).problem())
        .hasValueSatisfying(words -> assertThat(words).contains("KMSEncryptionProvider"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case               | spec                                                                  | mode     | resources             | reason | problem
          nothing requested    | {}                                                                    | IDENTITY | [secrets]             |        |
          a local key          | {"encryption":{"type":"aescbc"}}                                      | AESCBC   | [secrets]             |        |
          other resources      | {"encryption":{"type":"aescbc"},"resources":["widgets.example.com"]}  | AESCBC   | [widgets.example.com] |        |
          a reason             | {"encryption":{"type":"aesgcm"},"rotationReason":"yearly"}            | AESGCM   | [secrets]             | yearly |
          not a resource       | {"encryption":{"type":"aescbc"},"resources":["Secrets"]}              | KMS      | [secrets]             |        | spec.resources
          a reason of no text  | {"rotationReason":7}                                                  | KMS      | [secrets]             |        | spec.rotationReason
          """)
  void aClusterEncryptionHoldsTheWholeRequest(
      String name, String spec, Mode mode, String resources, String reason, String problem)
      throws JsonProcessingException {
    var request = (ObjectNode) Api.JSON.readTree("{\"spec\":" + spec + "}");
    var component =
        new Component(
            "kube-apiserver",
            "keyward-revisions",
            "clusterencryptions",
            Workload.KUBEADM,
            new TreeSet<>(List.of(new Resource("", "secrets"))),
            new TreeSet<>());
    RequestedEncryption wanted =
        RequestedEncryptionReader.read(
            Optional.of(request),
            request,
            component,
            FeatureGates.DEFAULT,
            DataValue.copyOf(new byte[32]));
    assertThat(wanted.mode()).as(name).isEqualTo(mode);
    assertThat(wanted.resources()).hasToString(resources);
    assertThat(wanted.externalReason()).isEqualTo(Optional.ofNullable(reason).orElse(""));
    assertThat(wanted.problem().orElse("")).startsWith(Optional.ofNullable(problem).orElse(""));
    assertThat(wanted.problem().isPresent()).isEqualTo(problem != null);
  }
}
