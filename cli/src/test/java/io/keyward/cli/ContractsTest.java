package io.keyward.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.etcd.snapshot.EtcdFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Names of fields that scripts rely on, letter by letter. Whoever changes one must mean it.
final class ContractsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;
  private String snapshot = "";
  private String config = "";

  @BeforeEach
  void unpack() {
    snapshot = Cli.vector("public-cluster.db", directory).toString();
    config = Cli.vector("public-cluster-config.json", directory).toString();
  }

  @Test
  void inspectWithoutKeys() throws IOException {
    List<JsonNode> values = inspect("-o", "jsonl");
    assertThat(values).extracting(value -> value.get("key").asText()).isEqualTo(keys());
    assertThat(names(values.get(0)))
        .containsExactly(
            "apiVersion", "kind", "key", "resource", "encrypted", "provider", "name", "size");
    assertThat(names(values.get(1)))
        .containsExactly(
            "apiVersion",
            "kind",
            "key",
            "resource",
            "encrypted",
            "provider",
            "name",
            "keyId",
            "keyIdHash",
            "encryptedDEKSourceType",
            "encryptedDEKSource",
            "dekFingerprint",
            "encryptedDataLen",
            "size");
    assertThat(names(values.get(2)))
        .containsExactly(
            "apiVersion", "kind", "key", "resource", "encrypted", "provider", "payload", "size");
    assertThat(names(values.get(3)))
        .containsExactly(
            "apiVersion",
            "kind",
            "key",
            "resource",
            "encrypted",
            "provider",
            "name",
            "parseError",
            "problem",
            "size");
    assertThat(values.get(3).get("parseError").isBoolean()).isTrue();
  }

  @Test
  void inspectWithAConfiguration() throws IOException {
    List<JsonNode> values = inspect("-o", "jsonl", "--encryption-config", config, "--reveal");
    assertThat(values.get(0).get("ok").asBoolean()).isTrue();
    assertThat(values.get(0).get("stale").isBoolean()).isTrue();
    assertThat(names(values.get(0).get("matched")))
        .containsExactly("resourcesIndex", "providerIndex", "keyName");
    assertThat(Base64.getDecoder().decode(values.get(0).get("plaintext").asText())).isNotEmpty();
    assertThat(values.get(1).get("ok").asBoolean()).isFalse();
    assertThat(values.get(1).get("errorClass").asText()).isEqualTo("KMS_DECRYPT_FAILED");
    assertThat(values.get(1).has("plaintext")).isFalse();
  }

  @Test
  void inspectTakesTheResourceFromTheOption() throws IOException {
    List<JsonNode> values =
        inspect("-o", "jsonl", "--encryption-config", config, "--resource", "nothing.example.com");
    assertThat(values)
        .allSatisfy(value -> assertThat(value.get("resource").asText()).contains("nothing"));
  }

  @Test
  void auditAsJson() throws IOException {
    JsonNode report = JSON.readTree(Cli.run("audit", "--snapshot", snapshot, "-o", "json").out());
    assertThat(names(report))
        .contains(
            "revision",
            "liveKeys",
            "revisions",
            "tombstones",
            "trailer",
            "resources",
            "findings",
            "residue");
    assertThat(names(report.get("trailer"))).containsExactly("present", "valid");
    assertThat(names(report.get("resources").get(0))).contains("resource", "objects", "providers");
    assertThat(names(report.get("resources").get(0).get("providers").get(0)))
        .contains("provider", "name", "keyId", "objects", "bytes", "wrappedDeks");
    assertThat(names(report.get("findings").get(0)))
        .containsExactly("rule", "severity", "key", "detail");
    assertThat(names(report.get("residue"))).containsExactly("history", "freePages", "wal");
  }

  @Test
  void configValidateAsJson() throws IOException {
    Path wrong = directory.resolve("wrong.yaml");
    Files.writeString(
        wrong, Files.readString(Path.of(config)).replace("\"secret\":", "\"geheim\":"));
    Cli.Result result = Cli.run("config", "validate", config, wrong.toString(), "-o", "json");
    JsonNode verdicts = JSON.readTree(result.out()).get("files");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(verdicts).hasSize(2);
    assertThat(verdicts.get(0).get("ok").asBoolean()).isTrue();
    assertThat(names(verdicts.get(1))).containsExactly("file", "ok", "stage", "errors", "warnings");
    assertThat(names(verdicts.get(1).get("errors").get(0))).contains("field", "type", "detail");
    assertThat(verdicts.get(1).get("stage").asText()).isEqualTo("decode");
  }

  @Test
  void sarifPointsToTheFileAndTheKey() throws IOException {
    Path spaced = Files.copy(Path.of(snapshot), directory.resolve("a backup.db"));
    JsonNode sarif =
        JSON.readTree(Cli.run("audit", "--snapshot", spaced.toString(), "-o", "sarif").out());
    assertThat(sarif.get("version").asText()).isEqualTo("2.1.0");
    JsonNode run = sarif.get("runs").get(0);
    assertThat(run.at("/tool/driver/version").asText()).isEqualTo(Version.current().version());
    assertThat(run.at("/tool/driver/rules").findValuesAsText("id"))
        .containsAll(run.get("results").findValuesAsText("ruleId"));
    JsonNode result = run.get("results").get(0);
    assertThat(names(result)).containsExactly("ruleId", "level", "message", "locations");
    assertThat(result.at("/locations/0/physicalLocation/artifactLocation/uri").asText())
        .endsWith("/a%20backup.db");
    assertThat(result.at("/locations/0/logicalLocations/0/fullyQualifiedName").asText())
        .startsWith("/registry/secrets/");
    assertThat(shape(sarif))
        .as("as it was checked against the schema of SARIF 2.1.0")
        .containsExactlyInAnyOrder(
            "$schema",
            "version",
            "runs/tool/driver/name",
            "runs/tool/driver/version",
            "runs/tool/driver/rules/id",
            "runs/tool/driver/rules/shortDescription/text",
            "runs/tool/driver/rules/defaultConfiguration/level",
            "runs/results/ruleId",
            "runs/results/level",
            "runs/results/message/text",
            "runs/results/locations/physicalLocation/artifactLocation/uri",
            "runs/results/locations/logicalLocations/fullyQualifiedName",
            "runs/results/locations/logicalLocations/kind");
    assertThat(sarif.findValuesAsText("level")).containsOnly("error", "warning");
  }

  /// The paths of all leaves; places in arrays do not count.
  private static Set<String> shape(JsonNode node) {
    var paths = new TreeSet<String>();
    for (JsonNode child : node.isArray() ? node : JSON.createArrayNode()) {
      paths.addAll(shape(child));
    }
    node.properties()
        .forEach(field -> {
          Set<String> below = shape(field.getValue());
          below.forEach(path -> paths.add(field.getKey() + "/" + path));
          if (below.isEmpty()) {
            paths.add(field.getKey());
          }
        });
    return paths;
  }

  private static List<String> names(JsonNode object) {
    var names = new ArrayList<String>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static List<String> keys() {
    return List.of(
        "/registry/secrets/default/aescbc-0",
        "/registry/secrets/default/kms-0",
        "/registry/secrets/default/plain-1",
        "/registry/secrets/default/broken");
  }

  private List<JsonNode> inspect(String... options) throws IOException {
    Map<String, byte[]> stored = new TreeMap<>();
    try (EtcdFile file = EtcdFile.open(Path.of(snapshot))) {
      file.mvcc()
          .forEach((record, live) -> {
            if (live) {
              stored.put(record.key().utf8().orElse(""), record.value().toArray());
            }
          });
    }
    stored.put("/registry/secrets/default/broken", "k8s:enc:kms:v2:kms-public:?".getBytes(UTF_8));
    var answer = JSON.createObjectNode();
    for (String key : keys()) {
      answer
          .withArray("kvs")
          .addObject()
          .put("key", key.getBytes(UTF_8))
          .put("value", stored.get(key));
    }
    var arguments = new ArrayList<>(List.of("inspect"));
    arguments.addAll(List.of(options));
    InputStream before = System.in;
    try (var in = new ByteArrayInputStream(JSON.writeValueAsBytes(answer))) {
      System.setIn(in);
      Cli.Result result = Cli.run(arguments.toArray(String[]::new));
      assertThat(result.exit()).as("one value is broken").isEqualTo(1);
      var values = new ArrayList<JsonNode>();
      for (String line : result.out().lines().toList()) {
        values.add(JSON.readTree(line));
      }
      return values;
    } finally {
      System.setIn(before);
    }
  }
}
