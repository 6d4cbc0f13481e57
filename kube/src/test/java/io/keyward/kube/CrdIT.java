package io.keyward.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a real API server accepts and refuses with our definitions, and in which words.
///
/// A row is a base object, changes to it, and what the answer says. A change is `path=value`;
/// without a value the member is removed. `DIGEST` stands for a digest of an image.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CrdIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);
  private static final String CONFIG = "/apis/config.openshift.io/v1/apiservers";
  private static final String OPERATOR = "/apis/operator.openshift.io/v1/";
  private static final List<String> OPERATORS =
      List.of("kubeapiservers", "openshiftapiservers", "authentications");
  private static final Path CRDS = Path.of("../deploy/crds");

  private final AtomicInteger changes = new AtomicInteger();
  private ControlPlane plane;
  private Api api;
  private Watches watches;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    plane = ControlPlane.builder(directory.resolve("plane")).start();
    api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
    var component =
        new Component(
            "kube-apiserver",
            "kube-system",
            "kubeapiservers",
            Workload.RESTART_COMMAND,
            new TreeSet<>(List.of(Resource.parse("secrets"))),
            new TreeSet<>(List.of("a")));
    // What is not served yet is no reason to fail.
    watches = new Watches(api, List.of(component), Migrator.Kind.OURS, changes::incrementAndGet);
    try (var files = Files.list(CRDS)) {
      for (Path file : files.sorted().toList()) {
        Answer made =
            plane
                .apiServer(0)
                .client()
                .postYaml(
                    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                    Files.readString(file));
        assertThat(made.status()).as("%s %s", file, made.body()).isEqualTo(201);
      }
    }
    assertThat(
            Waiting.until(
                () ->
                    plane.apiServer(0).get(CONFIG).isOk()
                        && OPERATORS.stream()
                            .allMatch(name -> plane.apiServer(0).get(OPERATOR + name).isOk()),
                Duration.ofSeconds(60)))
        .isTrue();
    for (String name : OPERATORS) {
      String kind =
          switch (name) {
            case "kubeapiservers" -> "KubeAPIServer";
            case "openshiftapiservers" -> "OpenShiftAPIServer";
            default -> "Authentication";
          };
      ObjectNode object = object("operator.openshift.io/v1", kind);
      assertThat(plane.apiServer(0).client().post(OPERATOR + name, object.toString()).status())
          .isEqualTo(201);
    }
  }

  @AfterAll
  void stop() {
    watches.close();
    api.close();
    plane.close();
  }

  @Test
  void whatWasNotServedAtFirstIsWatchedWhenItIs() {
    assertThat(Waiting.until(() -> changes.get() > 0, Duration.ofSeconds(60))).isTrue();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # base   | changes                                                     | answer
          plain    | type=aescbc                                                 | accepted
          plain    | type=aesgcm                                                 | accepted
          plain    | type=identity                                               | accepted
          plain    | type=                                                       | accepted
          plain    | type=rot13                                                  | Unsupported value: "rot13"
          plain    | type=KMS                                                    | kms config is required when encryption type is KMS, and forbidden otherwise
          Vault    | type=aescbc                                                 | kms config is required when encryption type is KMS, and forbidden otherwise
          Vault    | -                                                           | accepted
          Vault    | kms.vault.kmsPluginImage=quay.io/vault/kms-plugin@DIGEST    | accepted
          Vault    | kms.vault.vaultNamespace=my-team kms.vault.vaultAuthNamespace=central-auth kms.vault.tls.caBundle.name=vault-ca-bundle kms.vault.tls.serverName=vault.example.com kms.vault.authentication.appRole.secret.name=vault-approle-credentials kms.vault.vaultKeyPath=custom/transit/path/keys/production-encryption-key | accepted
          Vault    | kms.vault.kmsPluginImage=registry.example.com/org/team/vault-plugin@DIGEST | accepted
          Vault    | kms.vault.kmsPluginImage=registry.io/org_name/team.name/project/subproject/vault_plugin@DIGEST | accepted
          Vault    | kms.vault.vaultKeyPath=transit/test/keys/my-key             | accepted
          Vault    | kms.vault.vaultKeyPath=transit.v1/keys/my-key               | accepted
          Vault    | kms.vault.vaultKeyPath=transit~backup/keys/my-key           | accepted
          Vault    | kms.vault.vaultKeyPath=transit/keys/encryption.key.v1       | accepted
          Vault    | kms.vault.vaultKeyPath=transit/my-key                       | vaultKeyPath must follow the format <mount>/keys/<key-name>
          Vault    | kms.vault.vaultKeyPath=/transit/keys/my-key                 | vaultKeyPath cannot start with a forward slash
          Vault    | kms.vault.vaultKeyPath=transit/keys/my-key/                 | vaultKeyPath cannot end with a forward slash
          Vault    | kms.vault.vaultKeyPath=transit//keys/my-key                 | vaultKeyPath cannot contain consecutive forward slashes
          Vault    | kms.vault.vaultKeyPath=transit/./keys/my-key                | vaultKeyPath must not contain '.' or '..' path segments
          Vault    | kms.vault.vaultKeyPath=transit/../keys/my-key               | vaultKeyPath must not contain '.' or '..' path segments
          Vault    | kms.vault.vaultKeyPath=transit@test/keys/my-key             | vaultKeyPath must only contain RFC 3986 unreserved characters
          Vault    | kms.vault.vaultKeyPath=transit/keys/-bad                    | vaultKeyPath must follow the format
          Vault    | kms.vault.vaultKeyPath=transit/keys/bad-                    | vaultKeyPath must follow the format
          Vault    | kms.vault.vaultKeyPath=transit/keys/key~backup              | vaultKeyPath must follow the format
          Vault    | kms.vault.vaultKeyPath                                      | spec.encryption.kms.vault.vaultKeyPath: Required value
          Vault    | kms.vault.vaultAddress                                      | spec.encryption.kms.vault.vaultAddress: Required value
          Vault    | kms.vault.kmsPluginImage                                    | spec.encryption.kms.vault.kmsPluginImage: Required value
          Vault    | kms.vault                                                   | vault config is required when kms provider type is Vault, and forbidden otherwise
          Vault    | kms.type                                                    | spec.encryption.kms.type: Required value
          Vault    | kms.type=HSM                                                | Unsupported value: "HSM"
          Vault    | kms.vault.authentication.appRole                            | appRole config is required when authentication type is AppRole, and forbidden otherwise
          Vault    | kms.vault.authentication.type=Token                         | Unsupported value: "Token"
          Vault    | kms.vault.kmsPluginImage=registry.example.com/vault-plugin-with-a-name-that-is-long-enough-to-pass:latest | '@sha256:<digest>' suffix
          Vault    | kms.vault.kmsPluginImage=registry.example.com/vault-plugin:latest | should be at least 75
          Vault    | kms.vault.kmsPluginImage=vault-plugin@DIGEST                | host[:port][/namespace]/name format
          Vault    | kms.vault.kmsPluginImage=registry.example.com/organisation/a-team/vault-kms-plugin@sha256:abc123 | '<digest>' is 64 characters long
          Vault    | kms.vault.vaultAddress=http://vault.example.com:8200        | must use the 'https' scheme
          Vault    | kms.vault.vaultAddress=https://vault.example.com:8200/v1    | must not contain a path
          Vault    | kms.vault.vaultAddress=https://vault.example.com:8200?key=value | must not have a query
          Vault    | kms.vault.vaultAddress=https://vault.example.com:8200#fragment | must not have a fragment
          Vault    | kms.vault.vaultAddress=https://user:password@vault.example.com:8200 | must not have user info
          Vault    | kms.vault.vaultAddress=vault                                | must be a valid URL
          Vault    | kms.vault.vaultNamespace=my-namespace/                      | vaultNamespace cannot end with a forward slash
          Vault    | kms.vault.vaultNamespace=my%20namespace                     | vaultNamespace cannot contain spaces
          Vault    | kms.vault.vaultNamespace=root                               | vaultNamespace cannot be a reserved string
          Vault    | kms.vault.vaultNamespace=sys                                | vaultNamespace cannot be a reserved string
          Vault    | kms.vault.vaultNamespace=audit                              | vaultNamespace cannot be a reserved string
          Vault    | kms.vault.vaultNamespace=auth                               | vaultNamespace cannot be a reserved string
          Vault    | kms.vault.vaultNamespace=cubbyhole                          | vaultNamespace cannot be a reserved string
          Vault    | kms.vault.vaultNamespace=identity                           | vaultNamespace cannot be a reserved string
          Vault    | kms.vault.vaultNamespace=transit-ns kms.vault.vaultAuthNamespace=auth-ns | accepted
          Vault    | kms.vault.vaultAuthNamespace=my-auth-ns/                    | vaultAuthNamespace cannot end with a forward slash
          Vault    | kms.vault.vaultAuthNamespace=my%20auth%20ns                 | vaultAuthNamespace cannot contain spaces
          Vault    | kms.vault.vaultAuthNamespace=root                           | vaultAuthNamespace cannot be a reserved string
          Vault    | kms.vault.vaultAuthNamespace=identity                       | vaultAuthNamespace cannot be a reserved string
          Vault    | kms.vault.tls.serverName=invalid_hostname!                  | serverName must be a valid DNS hostname
          Vault    | kms.vault.tls={}                                            | should have at least 1 properties
          Vault    | kms.vault.authentication.appRole.secret.name=invalid_secret_name! | name must be a valid DNS subdomain name
          Vault    | kms.vault.tls.caBundle.name=invalid_configmap!              | name must be a valid DNS subdomain name
          Vault    | kms.external.endpoint=unix:///run/kms.sock                  | external config is required when kms provider type is External, and forbidden otherwise
          External | -                                                           | accepted
          External | kms.external                                                | external config is required when kms provider type is External, and forbidden otherwise
          External | kms.external.endpoint                                       | spec.encryption.kms.external.endpoint: Required value
          External | kms.external.endpoint=http://localhost:80                   | endpoint must be unix:/// and the absolute path of a socket
          External | kms.external.endpoint=unix:///@abstract                     | abstract sockets are not supported
          External | kms.external.endpoint=unix:///run/../etc/kms.sock           | endpoint must not contain '.' or '..' path segments
          External | kms.external.endpoint=unix:///run//kms.sock                 | endpoint must not end with a slash or contain consecutive slashes
          External | kms.external.endpoint=unix:///run/kms%20x.sock              | endpoint must only contain letters
          External | kms.external.timeout=60s                                    | accepted
          External | kms.external.timeout=61s                                    | timeout must be whole seconds from 1s to 60s
          External | kms.external.timeout=0s                                     | timeout must be whole seconds from 1s to 60s
          AWS      | -                                                           | accepted
          AWS      | kms.aws.keyARN=arn:aws:kms:eu-west-1:123456789012:alias/mine | not an alias
          AWS      | kms.aws.authentication.type=AccessKey                       | secret is required when authentication type is AccessKey, and forbidden otherwise
          AWS      | kms.aws.authentication.type=AccessKey kms.aws.authentication.secret.name=aws | accepted
          AWS      | kms.aws.authentication.type=AssumeRole                      | roleARN is required when authentication type is AssumeRole, and forbidden otherwise
          AWS      | kms.aws.endpoint=http://kms.example.com                     | must use the 'https' scheme
          Azure    | -                                                           | accepted
          Azure    | kms.azure.keyName=with/version                              | keyName must only contain letters, digits and hyphens
          Azure    | kms.azure.tenantID=00000000-0000-0000-0000-00000000000x     | tenantID must be a GUID
          Azure    | kms.azure.authentication.type=WorkloadIdentity              | clientID is required when authentication type is WorkloadIdentity or ClientSecret
          GCP      | -                                                           | accepted
          GCP      | kms.gcp.keyName=projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1 | without a version
          IBMCloud | -                                                           | accepted
          IBMCloud | kms.ibmCloud.rootKeyID=mine                                 | should be at least 36
          PKCS11   | -                                                           | accepted
          PKCS11   | kms.pkcs11.tokenLabel                                       | tokenSerial or tokenLabel is required
          PKCS11   | kms.pkcs11.keyLabel                                         | keyLabel or keyID is required
          PKCS11   | kms.pkcs11.modulePath=../lib/hsm.so                         | modulePath must be an absolute path without '..'
          """)
  void apiServer(String base, String changes, String answer) throws JsonProcessingException {
    ObjectNode object = object("config.openshift.io/v1", "APIServer");
    ObjectNode encryption = object.withObject("/spec/encryption");
    encryption.setAll((ObjectNode) JSON.readTree(base(base)));
    change(encryption, changes);
    judge(plane.apiServer(0).client().post(CONFIG + "?dryRun=All", object.toString()), answer);
  }

  @Test
  void theAuditProfileHasADefaultAndOtherMembersAreKept() throws JsonProcessingException {
    ObjectNode object = object("config.openshift.io/v1", "APIServer");
    object.withObject("/spec/encryption").put("type", "aescbc");
    object.withObject("/spec/clientCA").put("name", "mine");
    Answer made = plane.apiServer(0).client().post(CONFIG + "?dryRun=All", object.toString());
    JsonNode spec = JSON.readTree(made.body()).path("spec");
    assertThat(spec.at("/audit/profile").asText()).isEqualTo("Default");
    assertThat(spec.at("/clientCA/name").asText()).isEqualTo("mine");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # status                                                                            | answer
          "healthReports":[A]                                                                 | accepted
          "healthReports":[A,{"nodeName":"node-a","keyID":"key-2","status":"Unhealthy","lastCheckedTime":"2026-01-01T00:00:00Z","remoteKeyID":"kek-1","detail":"slow"},{"nodeName":"node-b","keyID":"key-1","status":"Error","lastCheckedTime":"2026-01-01T00:00:00Z","remoteKeyID":"arn:aws:kms:eu-west-1:123456789012:key/1","detail":"gone"}] | accepted
          "healthReports":[{"nodeName":"node-a","keyID":"key-1","status":"Error","lastCheckedTime":"2026-01-01T00:00:00Z","detail":"W1: it never answered"}] | accepted
          "healthReports":[A,A]                                                               | Duplicate value
          "healthReports":[]                                                                  | should have at least 1 items
          "healthReports":[{"nodeName":"INVALID","keyID":"key-1","status":"Healthy","lastCheckedTime":"2026-01-01T00:00:00Z"}] | nodeName must be a lowercase RFC 1123 subdomain
          "healthReports":[{"nodeName":"a","keyID":"1","status":"Fine","lastCheckedTime":"2026-01-01T00:00:00Z"}] | Unsupported value: "Fine"
          "healthReports":[{"nodeName":"a","keyID":"1","status":"Healthy"}]                   | lastCheckedTime: Required value
          "healthReports":[{"nodeName":"a","keyID":"1","status":"Healthy","lastCheckedTime":"now"}] | must be of type date-time
          "preflight":{"observedConfigHash":"AQAAAA=="}                                       | accepted
          "preflight":{"observedConfigHash":"AQAAAA==","result":{"status":"Succeeded","configHash":"AQAAAA==","remoteKeyID":"vault-transit-key-v3"}} | accepted
          "preflight":{"observedConfigHash":"AQAAAA==","result":{"status":"Failed","configHash":"AQAAAA==","remoteKeyID":"vault-transit-key-v3"}} | accepted
          "preflight":{"observedConfigHash":"AQAAAA==","result":{"status":"Failed","configHash":"AQAAAA==","detail":"W1: no answer","attempt":2,"time":"2026-01-01T00:00:00Z"}} | accepted
          "preflight":{"observedConfigHash":"AQAAAA=="},"healthReports":[A]                   | accepted
          "preflight":{}                                                                      | should have at least 1 properties
          "preflight":{"observedConfigHash":"short"}                                          | should be at least 8
          "preflight":{"observedConfigHash":"TOOLONGXX"}                                      | may not be more than 8
          "preflight":{"observedConfigHash":"AA!@#$%^"}                                       | must be a valid base64url encoded value
          "preflight":{"observedConfigHash":"AQAAAA==","result":{"status":"Unknown","configHash":"AQAAAA=="}} | Unsupported value: "Unknown"
          "preflight":{"observedConfigHash":"AQAAAA==","result":{"status":"Failed","configHash":"short"}} | should be at least 8
          "preflight":{"observedConfigHash":"AQAAAA==","result":{"status":"Failed","configHash":"TOOLONGXX"}} | may not be more than 8
          "preflight":{"observedConfigHash":"AQAAAA==","result":{"status":"Failed","configHash":"AA!@#$%^"}} | must be a valid base64url encoded value
          "preflight":{"observedConfigHash":"AQAAAA==","result":{"status":"Failed","configHash":"AQAAAA==","remoteKeyID":""}} | should be at least 1
          "migrations":[{"resource":"secrets","writeKey":"3","state":"Running","done":5,"total":9}] | accepted
          "migrations":[{"resource":"secrets","writeKey":"3","state":"Running","done":-1}]    | should be greater than or equal to 0
          """)
  void encryptionStatus(String status, String answer) {
    String one =
        """
        {"nodeName":"node-a","keyID":"key-1","status":"Healthy",\
        "lastCheckedTime":"2026-01-01T00:00:00Z","remoteKeyID":"kek-1"}\
        """;
    String inner =
        "{\"encryptionStatus\":{"
            + status.replace("[A", "[" + one).replace(",A]", "," + one + "]")
            + "}}";
    for (String name : OPERATORS) {
      String whole =
          name.equals("authentications")
              ? "{\"status\":{\"oauthAPIServer\":" + inner + "}}"
              : "{\"status\":" + inner + "}";
      judge(
          plane
              .apiServer(0)
              .client()
              .mergePatch(OPERATOR + name + "/cluster/status?dryRun=All", whole),
          answer);
    }
  }

  private static void judge(Answer given, String expected) {
    if (expected.equals("accepted")) {
      assertThat(given.isOk()).as(given.body()).isTrue();
    } else {
      assertThat(given.status()).as(given.body()).isEqualTo(422);
      assertThat(message(given)).contains(expected);
    }
  }

  private static String message(Answer answer) {
    try {
      return JSON.readTree(answer.body()).path("message").asText();
    } catch (JsonProcessingException e) {
      throw new AssertionError(answer.body(), e);
    }
  }

  private static ObjectNode object(String apiVersion, String kind) {
    ObjectNode object = JSON.createObjectNode().put("apiVersion", apiVersion).put("kind", kind);
    object.putObject("metadata").put("name", "cluster");
    object.putObject("spec");
    return object;
  }

  private static String base(String name) {
    String guid = "00000000-0000-0000-0000-000000000001";
    String members =
        switch (name) {
          case "plain" -> "";
          case "Vault" ->
              """
              "vault":{"kmsPluginImage":"registry.example.com/vault-plugin@%s",\
              "vaultAddress":"https://vault.example.com:8200","vaultKeyPath":"transit/keys/my-key",\
              "authentication":{"type":"AppRole","appRole":{"secret":{"name":"vault-approle"}}}}\
              """
                  .formatted(DIGEST);
          case "AWS" ->
              """
              "aws":{"keyARN":"arn:aws:kms:eu-west-1:123456789012:key/%s"}\
              """
                  .formatted(guid);
          case "Azure" ->
              """
              "azure":{"keyVaultURL":"https://mine.vault.azure.net","keyName":"etcd"}\
              """;
          case "GCP" ->
              """
              "gcp":{"keyName":"projects/p/locations/l/keyRings/r/cryptoKeys/k"}\
              """;
          case "IBMCloud" ->
              """
              "ibmCloud":{"instanceID":"%1$s","rootKeyID":"%1$s"}\
              """
                  .formatted(guid);
          case "PKCS11" ->
              """
              "pkcs11":{"modulePath":"/usr/lib/hsm.so","tokenLabel":"t","keyLabel":"k",\
              "authentication":{"type":"PIN","secret":{"name":"pin"}}}\
              """;
          case "External" ->
              """
              "external":{"endpoint":"unix:///var/run/kmsplugin/mine.sock"}\
              """;
          default -> throw new IllegalArgumentException(name);
        };
    return members.isEmpty()
        ? "{}"
        : "{\"type\":\"KMS\",\"kms\":{\"type\":\"" + name + "\"," + members + "}}";
  }

  private static void change(ObjectNode root, String changes) throws JsonProcessingException {
    for (String one : changes.equals("-") ? new String[0] : changes.split(" ", -1)) {
      int equals = one.indexOf('=');
      String path = equals < 0 ? one : one.substring(0, equals);
      String[] steps = path.split("\\.", -1);
      ObjectNode node = root;
      for (int i = 0; i < steps.length - 1; i++) {
        node = node.withObject("/" + steps[i]);
      }
      String last = steps[steps.length - 1];
      if (equals < 0) {
        node.remove(last);
      } else if (one.endsWith("={}")) {
        node.set(last, JSON.readTree("{}"));
      } else {
        String value = one.substring(equals + 1).replace("%20", " ").replace("DIGEST", DIGEST);
        node.put(last, value);
      }
    }
    assertThat(root.toString().toLowerCase(Locale.ROOT)).doesNotContain("%20");
  }
}
