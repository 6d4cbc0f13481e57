package io.keyward.kube.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.Labels;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.Mode;
import io.keyward.core.sidecar.PluginImages;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.ClusterApi;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
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
    return read(apiServer, COMPONENT, gates, Map.of());
  }

  /// @param objects by their paths
  private static RequestedEncryption read(
      Optional<ObjectNode> request,
      Component component,
      FeatureGates gates,
      Map<String, String> objects) {
    DataValue salt = DataValue.copyOf(new byte[32]);
    return RequestedEncryptionReader.read(
        request,
        component.api() == ClusterApi.KEYWARD ? request.orElseThrow() : Api.JSON.createObjectNode(),
        component,
        gates,
        salt,
        new ReferenceReader(stored(objects), component, salt),
        new PluginImages(Optional.of("keyward:1"), new TreeSet<>()));
  }

  private static Reads stored(Map<String, String> objects) {
    return new Reads() {
      @Override
      public Optional<ObjectNode> get(String path) {
        return Optional.ofNullable(objects.get(path)).map(RequestedEncryptionReaderTest::json);
      }

      @Override
      public List<ObjectNode> list(String path, Labels labels) {
        return List.of();
      }
    };
  }

  private static ObjectNode json(String text) {
    try {
      return (ObjectNode) Api.JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static final String VAULT =
      "{'spec':{'encryption':{'type':'KMS','kms':{'type':'Vault','vault':{'vaultAddress':"
          + "'https://v:8200','vaultKeyPath':'transit/keys/k','tls':{'caBundle':{'name':'ca'}},"
          + "'authentication':{'type':'AppRole','appRole':{'secret':{'name':'login'}}}}}}}}";
  private static final String IN = "/api/v1/namespaces/keyward-system/";

  /// What is missing is named, so that an administrator can create it.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          # case              | workload   | secret                                      | configmap                 | problem
          everything exists   | KUBEADM    | {'data':{'role-id':'cg==','secret-id':'cw=='}} | {'data':{'ca-bundle.crt':'c'}} |
          no Secret           | KUBEADM    |                                             | {'data':{'ca-bundle.crt':'c'}} | secret login in keyward-system does not exist
          no data key         | KUBEADM    | {'data':{'role-id':'cg=='}}                 | {'data':{'ca-bundle.crt':'c'}} | secret login in keyward-system is missing required key "secret-id"
          an empty value      | KUBEADM    | {'data':{'role-id':'cg==','secret-id':''}}  | {'data':{'ca-bundle.crt':'c'}} | secret login in keyward-system is missing required key "secret-id"
          no ConfigMap        | KUBEADM    | {'data':{'role-id':'cg==','secret-id':'cw=='}} |                           | configmap ca in keyward-system does not exist
          nobody runs it here | STATIC_POD | {'data':{'role-id':'cg==','secret-id':'cw=='}} | {'data':{'ca-bundle.crt':'c'}} | use type External
          """)
  void readsWhatAKmsRefersTo(
      String name,
      Workload workload,
      @Nullable String secret,
      @Nullable String configMap,
      @Nullable String problem) {
    var objects = new HashMap<String, String>();
    if (secret != null) {
      objects.put(IN + "secrets/login", secret.replace('\'', '"'));
    }
    if (configMap != null) {
      objects.put(IN + "configmaps/ca", configMap.replace('\'', '"'));
    }
    RequestedEncryption wanted =
        read(
            Optional.of(json(VAULT.replace('\'', '"'))),
            plain(workload),
            FeatureGates.DEFAULT,
            objects);
    if (problem == null) {
      assertThat(wanted.problem()).as(name).isEmpty();
      assertThat(wanted.kms().orElseThrow().secrets().entries())
          .containsOnlyKeys("login_role-id", "login_secret-id");
      assertThat(wanted.kms().orElseThrow().configMaps().entries())
          .containsOnlyKeys("ca_ca-bundle.crt");
    } else {
      assertThat(wanted.problem().orElse("")).as(name).endsWith(problem);
    }
  }

  private static Component plain(Workload workload) {
    return new Component(
        "kube-apiserver",
        "keyward-revisions",
        "clusterencryptions",
        workload,
        new TreeSet<>(List.of(new Resource("", "secrets"))),
        new TreeSet<>());
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
    RequestedEncryption wanted =
        read(Optional.of(request), plain(Workload.KUBEADM), FeatureGates.DEFAULT, Map.of());
    assertThat(wanted.mode()).as(name).isEqualTo(mode);
    assertThat(wanted.resources()).hasToString(resources);
    assertThat(wanted.externalReason()).isEqualTo(Optional.ofNullable(reason).orElse(""));
    assertThat(wanted.problem().orElse("")).startsWith(Optional.ofNullable(problem).orElse(""));
    assertThat(wanted.problem().isPresent()).isEqualTo(problem != null);
  }
}
