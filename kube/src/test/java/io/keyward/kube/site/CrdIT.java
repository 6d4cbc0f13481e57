package io.keyward.kube.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Installer;
import io.keyward.kube.migrate.Migrator;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a real API server accepts and refuses with our definitions, and in which words.
///
/// A row of the tables is a base object, changes to it as [CrdBodies] reads them, the field that
/// the server complains of, and what it says of it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public final class CrdIT {
  private static final String CONFIG = "/apis/config.openshift.io/v1/apiservers";
  private static final String OPERATOR = "/apis/operator.openshift.io/v1/";
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final String API_SERVERS = CRDS + "apiservers.config.openshift.io";
  private static final Path FILES = Path.of("../deploy/crds");
  private static final String TRIAL = "?dryRun=All";

  /// Without it a member that no definition knows is dropped, and the rest accepted.
  private static final String STRICT = "&fieldValidation=Strict";

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<Component> OPERATORS =
      Stream.of("kubeapiservers", "openshiftapiservers", "authentications")
          .map(CrdIT::component)
          .toList();

  private final AtomicInteger changes = new AtomicInteger();
  private final CrdBodies bodies = new CrdBodies();
  private ControlPlane plane;
  private ApiClient client;
  private Api api;
  private Watches watches;
  private List<String> made;

  private static Component component(String operator) {
    return new Component(
        operator,
        "kube-system",
        operator,
        Workload.RESTART_COMMAND,
        new TreeSet<>(List.of(Resource.parse("secrets"))),
        new TreeSet<>(List.of("a")));
  }

  @BeforeAll
  void start(@TempDir Path directory) {
    plane = ControlPlane.builder(directory.resolve("plane")).start();
    client = plane.apiServer(0).client();
    api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
    // What is not served yet is no reason to fail.
    watches = new Watches(api, OPERATORS, Migrator.Kind.OURS, _ -> changes.incrementAndGet());
    made = new Installer(api).install(OPERATORS, Migrator.Kind.OURS);
  }

  @AfterAll
  void stop() {
    watches.close();
    api.close();
    plane.close();
  }

  @Test
  void whatWasNotServedAtFirstIsWatchedWhenItIs() {
    assertThat(Waiting.until(() -> changes.get() > 0, PATIENCE)).isTrue();
  }

  @ParameterizedTest(name = "{0}: {1}: {3}")
  @CsvFileSource(
      resources = {
        "crd/modes.csv",
        "crd/vault.csv",
        "crd/vault-trust-and-login.csv",
        "crd/clouds.csv",
        "crd/on-nodes.csv"
      },
      delimiter = '|',
      quoteCharacter = '`')
  void whatAnAdminAsksForIsTakenOrRefusedInTheseWords(
      String base, String changes, String field, String words) {
    String body = bodies.apiServer(base, changes).toString();
    judge(client.post(CONFIG + mode(words), body), "spec." + field, words);
  }

  @ParameterizedTest(name = "{0}: {1}: {3}")
  @CsvFileSource(resources = "crd/status.csv", delimiter = '|', quoteCharacter = '`')
  void whatIsReportedIsTakenOrRefusedInTheseWords(
      String base, String changes, String field, String words) {
    for (Component one : OPERATORS) {
      String body = bodies.status(one, base, changes).toString();
      String above = one.statusMember().isEmpty() ? "status." : "status.oauthAPIServer.";
      judge(
          client.mergePatch(one.operatorPath() + "/status" + mode(words), body),
          above + field,
          words);
    }
  }

  /// Names that were given up: nobody may use them by mistake.
  @ParameterizedTest
  @ValueSource(strings = {"transitMount", "transitKey"})
  void aMemberThatWasGivenUpIsUnknown(String member) {
    String body = bodies.apiServer("Vault", "kms.vault." + member + "=t").toString();
    Answer strict = client.post(CONFIG + TRIAL + STRICT, body);
    assertThat(strict.status()).as(strict.body()).isEqualTo(400);
    assertThat(strict.body())
        .contains("unknown field \\\"spec.encryption.kms.vault." + member + "\\\"");
    Answer lenient = client.post(CONFIG + TRIAL, body);
    assertThat(lenient.status()).as(lenient.body()).isEqualTo(201);
    assertThat(spec(lenient).at("/encryption/kms/vault/vaultKeyPath").isTextual()).isTrue();
    assertThat(spec(lenient).at("/encryption/kms/vault").has(member)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"keyId", "kekId"})
  void aMemberOfAReportThatWasGivenUpIsUnknown(String member) {
    for (Component one : OPERATORS) {
      String body = bodies.status(one, "report", "healthReports.0." + member + "=1").toString();
      Answer strict = client.mergePatch(one.operatorPath() + "/status" + TRIAL + STRICT, body);
      // Of a patch the server says 422 where it says 400 of a whole object.
      assertThat(strict.status()).as(strict.body()).isEqualTo(422);
      assertThat(strict.body()).contains("unknown field").contains("healthReports[0]." + member);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "aescbc", "aesgcm"})
  void theAuditProfileHasADefaultAndOtherMembersAreKept(String mode) {
    ObjectNode object = bodies.apiServer("plain", "type=" + mode);
    object.withObject("/spec/clientCA").put("name", "mine");
    Answer answer = client.post(CONFIG + TRIAL + STRICT, object.toString());
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(spec(answer).at("/audit/profile").asText()).isEqualTo("Default");
    assertThat(spec(answer).at("/clientCA/name").asText()).isEqualTo("mine");
    assertThat(spec(answer).at("/encryption/type").asText()).isEqualTo(mode);
  }

  @ParameterizedTest
  @CsvSource({
    CONFIG + ", config.openshift.io/v1, APIServer",
    OPERATOR + "kubeapiservers, operator.openshift.io/v1, KubeAPIServer",
    OPERATOR + "openshiftapiservers, operator.openshift.io/v1, OpenShiftAPIServer",
    OPERATOR + "authentications, operator.openshift.io/v1, Authentication"
  })
  void noObjectIsTakenWithoutSpec(String path, String apiVersion, String kind) {
    ObjectNode object = CrdBodies.object(apiVersion, kind);
    assertThat(client.post(path + TRIAL + STRICT, object.toString()).status()).isEqualTo(201);
    object.remove("spec");
    judge(client.post(path + TRIAL, object.toString()), "spec", "Required value");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"managementState\":\"Managed\"}",
        "{\"managementState\":\"Unmanaged\"}",
        "{\"managementState\":\"Removed\"}",
        "{\"managementState\":\"Bogus\"}",
        "{\"unsupportedConfigOverrides\":{\"encryption\":{\"reason\":\"a leak\"}}}",
        "{\"unsupportedConfigOverrides\":{\"oauthAPIServer\":{\"encryption\":{\"reason\":\"x\"}}}}",
        "{\"unsupportedConfigOverrides\":null}"
      })
  void whatAnOperatorIsToldComesBackWhole(String spec) {
    for (Component one : OPERATORS) {
      ObjectNode object = CrdBodies.object("operator.openshift.io/v1", one.kind());
      object.set("spec", CrdBodies.json(spec));
      Answer answer =
          client.post(OPERATOR + one.operatorResource() + TRIAL + STRICT, object.toString());
      assertThat(answer.status()).as(answer.body()).isEqualTo(201);
      assertThat(spec(answer)).isEqualTo(object.path("spec"));
    }
  }

  @Test
  void overridesAreNoText() {
    for (Component one : OPERATORS) {
      ObjectNode object = CrdBodies.object("operator.openshift.io/v1", one.kind());
      object.withObject("/spec").put("unsupportedConfigOverrides", "encryption: {reason: a leak}");
      judge(
          client.post(OPERATOR + one.operatorResource() + TRIAL, object.toString()),
          "spec.unsupportedConfigOverrides",
          "must be of type object");
    }
  }

  /// No rule looks at what was before: whoever has to stop a change is a controller.
  @Test
  void everyModeCanBeLeftForEveryOther() {
    Answer first = client.post(CONFIG, bodies.apiServer("Vault", "-").toString());
    assertThat(first.status()).as(first.body()).isEqualTo(201);
    try {
      patched(
          200,
          """
          {"kms":{"vault":{"vaultAddress":"https://other.example.com",\
          "vaultKeyPath":"other/keys/key"}}}\
          """);
      Answer kept = patched(422, "{\"type\":\"aesgcm\"}");
      judge(kept, "spec.encryption", "kms config is required when encryption type is KMS");
      patched(200, "{\"type\":\"aescbc\",\"kms\":null}");
      patched(200, "{\"type\":\"identity\"}");
      Answer back =
          patched(200, bodies.apiServer("External", "-").at("/spec/encryption").toString());
      assertThat(spec(back).at("/encryption/kms/type").asText()).isEqualTo("External");
    } finally {
      client.delete(CONFIG + "/trial");
    }
  }

  private Answer patched(int status, String encryption) {
    Answer answer =
        client.mergePatch(
            CONFIG + "/trial?fieldValidation=Strict",
            "{\"spec\":{\"encryption\":" + encryption + "}}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    return answer;
  }

  /// The definition of plain Kubernetes is not created where OpenShift's are used.
  private static boolean isOpenShift(Path file) {
    return file.getFileName().toString().contains("openshift");
  }

  @Test
  void theInstallerMakesWhatTheFilesSay() throws IOException {
    var names = new ArrayList<String>();
    try (var files = Files.list(FILES)) {
      for (Path file : files.filter(CrdIT::isOpenShift).toList()) {
        JsonNode wanted =
            Api.JSON.valueToTree(Serialization.unmarshal(Files.readString(file), Object.class));
        String name = wanted.at("/metadata/name").asText();
        ObjectNode stands = (ObjectNode) api.get(CRDS + name).orElseThrow().path("spec");
        assertThat(stands.remove("conversion").toString()).isEqualTo("{\"strategy\":\"None\"}");
        assertThat(stands).isEqualTo(wanted.path("spec"));
        names.add("customresourcedefinition.apiextensions.k8s.io/" + name);
      }
    }
    assertThat(names).hasSize(4);
    assertThat(made).containsAll(names);
  }

  /// A cluster of OpenShift with its feature gate off has such a definition.
  @Test
  void theInstallerLeavesADefinitionWithoutKmsAlone() throws IOException {
    ObjectNode whole = api.get(API_SERVERS).orElseThrow();
    ObjectNode before = api.replace(API_SERVERS, withoutKms(whole));
    try {
      String unsupported =
          "Unsupported value: \"KMS\": supported values: \"\", \"identity\", \"aescbc\", \"aesgcm\"";
      String kms = bodies.apiServer("plain", "type=KMS").toString();
      assertThat(
              Waiting.until(
                  () -> client.post(CONFIG + TRIAL, kms).body().contains("Unsupported"), PATIENCE))
          .isTrue();
      judge(client.post(CONFIG + TRIAL, kms), "spec.encryption.type", unsupported);
      for (String mode : List.of("", "identity", "aescbc", "aesgcm")) {
        String body = bodies.apiServer("plain", "type=" + mode).toString();
        judge(client.post(CONFIG + mode("accepted"), body), "", "accepted");
      }
      assertThat(new Installer(api).install(OPERATORS, Migrator.Kind.OURS)).isEmpty();
      ObjectNode after = api.get(API_SERVERS).orElseThrow();
      assertThat(after.path("spec")).isEqualTo(before.path("spec"));
      assertThat(after.at("/metadata/generation")).isEqualTo(before.at("/metadata/generation"));
    } finally {
      // As `kubectl apply` does, so the server's own reading of the file counts.
      client.apply(
          API_SERVERS, Files.readString(FILES.resolve("config.openshift.io_apiservers.yaml")));
    }
    assertThat(api.get(API_SERVERS).orElseThrow().path("spec")).isEqualTo(whole.path("spec"));
    String vault = bodies.apiServer("Vault", "-").toString();
    assertThat(Waiting.until(() -> client.post(CONFIG + mode("accepted"), vault).isOk(), PATIENCE))
        .isTrue();
  }

  private static ObjectNode withoutKms(ObjectNode whole) {
    ObjectNode bare = whole.deepCopy();
    ObjectNode encryption =
        bare.withObject(
            "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/encryption");
    encryption.remove("x-kubernetes-validations");
    encryption.withObject("/properties").remove("kms");
    ArrayNode modes = encryption.withArray("/properties/type/enum");
    modes.removeIf(mode -> mode.asText().equals("KMS"));
    return bare;
  }

  private static String mode(String words) {
    return words.equals("accepted") ? TRIAL + STRICT : TRIAL;
  }

  private static void judge(Answer given, String field, String words) {
    if (words.equals("accepted")) {
      assertThat(given.isOk()).as(given.body()).isTrue();
      return;
    }
    assertThat(given.status()).as(given.body()).isEqualTo(422);
    var said = new ArrayList<String>();
    for (JsonNode cause : CrdBodies.json(given.body()).at("/details/causes")) {
      said.add(cause.path("field").asText() + ": " + cause.path("message").asText());
    }
    assertThat(said).anyMatch(one -> one.startsWith(field + ": ") && one.contains(words));
    // Nobody can act on the words of a rule that failed itself.
    assertThat(said).noneMatch(one -> one.contains("evaluating rule"));
  }

  private static JsonNode spec(Answer answer) {
    return CrdBodies.json(answer.body()).path("spec");
  }
}
