package io.keyward.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.plugin.RevisionFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// What commands print for programs is what the schemas in `docs/reference/schemas` describe: no
/// field more and none less.
final class SchemasTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String UNREACHABLE =
      """
      apiVersion: v1
      kind: Config
      clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
      users: [{name: u, user: {token: t}}]
      contexts: [{name: x, context: {cluster: c, user: u}}]
      current-context: x
      """;

  @TempDir private Path directory;

  @Test
  void aSchemaAllowsNoOtherFields() throws IOException {
    for (Path file : Schemas.all()) {
      JsonNode schema = JSON.readTree(file.toFile());
      String kind = file.getFileName().toString().replace(".json", "");
      assertThat(schema.at("/properties/kind/const").asText()).isEqualTo(kind);
      assertClosed(kind, schema);
    }
    ObjectNode version = (ObjectNode) JSON.readTree(Cli.run("version", "-o", "json").out());
    assertThat(Schemas.problems("Version", version)).isEmpty();
    assertThat(Schemas.problems("Version", version.deepCopy().put("more", 1))).hasSize(1);
    assertThat(Schemas.problems("Version", version.deepCopy().remove(List.of("jdk")))).hasSize(1);
  }

  /// No field of ours is called properties.
  private static void assertClosed(String kind, JsonNode node) {
    if (node.has("properties")) {
      assertThat(node.path("additionalProperties").toString()).as(kind).isEqualTo("false");
      assertThat(node.has("required")).as(kind).isTrue();
    }
    node.forEach(one -> assertClosed(kind, one));
  }

  @Test
  void version() {
    check("Version", "version");
  }

  @Test
  void audit() throws IOException {
    String snapshot = Cli.vector("public-cluster.db", directory).toString();
    String config = Cli.vector("public-cluster-config.json", directory).toString();
    Path cut = directory.resolve("cut.db");
    byte[] bytes = Files.readAllBytes(Path.of(snapshot));
    Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    check("AuditReport", "audit", "--snapshot", snapshot);
    check("AuditReport", "audit", "--snapshot", snapshot, "--encryption-config", config);
    check("AuditReport", "audit", "--snapshot", snapshot, "--max-findings", "1");
    check("AuditReport", "audit", "--snapshot", cut.toString());
    check("NeededKeys", "audit", "--snapshot", snapshot, "--needs");
  }

  @Test
  void configValidate() throws IOException {
    String good = Cli.vector("public-cluster-config.json", directory).toString();
    Path wrong = directory.resolve("wrong.json");
    Files.writeString(wrong, Files.readString(Path.of(good)).replace("\"secret\":", "\"x\":"));
    JsonNode checked = check("ConfigValidation", "config", "validate", good, wrong.toString());
    assertThat(checked.at("/files/0/ok").asBoolean()).isTrue();
    assertThat(checked.at("/files/1/errors")).isNotEmpty();
    assertThat(checked.findValues("warnings")).anyMatch(list -> !list.isEmpty());
  }

  @Test
  void inspect() throws IOException {
    String config = Cli.vector("public-cluster-config.json", directory).toString();
    String[] with = {"--encryption-config", config, "--reveal"};
    for (String[] options : new String[][] {new String[0], with}) {
      String json = inspected("json", options).out();
      JsonNode list = Schemas.checked("StoredValueList", json);
      assertThat(list.get("values")).hasSizeGreaterThan(5);
      assertThat(parsed(inspected("yaml", options).out())).isEqualTo(list);
      inspected("jsonl", options)
          .out()
          .lines()
          .forEach(line -> Schemas.checked("StoredValue", line));
    }
    assertThat(Schemas.checked("StoredValueList", piped("{}", "inspect", "-o", "json").out()))
        .isEqualTo(parsed(piped("{}", "inspect", "-o", "yaml").out()));
  }

  @Test
  void keystoreList() throws IOException {
    Path password = Files.writeString(directory.resolve("password"), "correct horse\n");
    String[] store = {
      "--keystore", directory.resolve("keys.p12").toString(), "--password-file", "" + password
    };
    assertThat(Cli.run(join(new String[] {"keystore", "create"}, store)).exit()).isZero();
    JsonNode listed = check("KeyStoreKeys", join(new String[] {"keystore", "list"}, store));
    assertThat(listed.get("keys")).hasSize(1);
  }

  @Test
  void preflight() throws IOException {
    Path password = Files.writeString(directory.resolve("password"), "correct horse\n");
    Path keys = directory.resolve("keys.p12");
    Cli.run("keystore", "create", "--keystore", "" + keys, "--password-file", "" + password);
    Path config =
        Files.writeString(
            directory.resolve("plugin.yaml"),
            """
            keys:
              - name: good
                socket: %1$s/good
                provider: local
                local: {keystore: %1$s/keys.p12, passwordFile: %1$s/password}
              - name: bad
                socket: %1$s/bad
                provider: vault
                vault:
                  address: https://127.0.0.1:1
                  key: k
                  auth: token
                  tokenFile: %1$s/password
            """
                .formatted(directory));
    String out = Cli.run("preflight", "--config", config.toString(), "-o", "json").out();
    JsonNode checked = Schemas.checked("ProviderPreflight", out);
    assertThat(checked.findValuesAsText("passed")).contains("true", "false");
    String[] dead = {"preflight", "--endpoint", "unix:///nowhere", "--timeout", "10ms"};
    JsonNode failed = Schemas.checked("PluginPreflight", Cli.run(join(dead, "-o", "json")).out());
    assertThat(failed.get("passed").asBoolean()).isFalse();
    assertThat(failed.get("remedy").asText()).isNotEmpty();
  }

  @Test
  void preflightOfARevision() throws IOException {
    RevisionFiles files = RevisionFiles.in(directory).keys(1, 2).vault(1, "https://v.kms.svc");
    String[] command = {"preflight", "--revision", "" + files.directory(), "--timeout", "10ms"};
    JsonNode failed =
        Schemas.checked(
            "RevisionPreflight", Cli.run(join(command, "--key", "1", "-o", "json")).out());
    assertThat(failed.get("plugins")).hasSize(2);
    assertThat(failed.get("warnings")).hasSize(1);
    JsonNode unread = check("RevisionPreflight", join(command, "--key", "3"));
    assertThat(unread.get("detail").asText()).contains("names no KMS key 3");
  }

  /// Also without a cluster: the documents list what could not be read.
  @Test
  void statusAndExplain() throws IOException {
    Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), UNREACHABLE);
    Path config =
        Files.writeString(
            directory.resolve("operator.yaml"),
            "apiServers: [{operatorResource: kubeapiservers}]\n");
    String[] cluster = {"--kubeconfig", kubeconfig.toString(), "--config", config.toString()};
    JsonNode status = check("Status", join(new String[] {"status"}, cluster));
    assertThat(status.at("/verdict/state").asText()).isEqualTo("Unknown");
    assertThat(status.at("/unread/0/problem").asText()).contains("the connection is refused");
    JsonNode explanation = check("Explanation", join(new String[] {"explain"}, cluster));
    assertThat(explanation.at("/unread")).hasSize(1);
  }

  /// On a machine that is no node, with a kubeconfig of a cluster that does not respond.
  @Test
  void nodeAgentCheck() throws IOException {
    Path kubernetes = Files.createDirectories(directory.resolve("etc/kubernetes"));
    Files.writeString(kubernetes.resolve("kubelet.conf"), UNREACHABLE);
    JsonNode checked =
        check("NodeCheck", "node-agent", "check", "--host-root", directory.toString());
    assertThat(checked.get("passed").asBoolean()).isFalse();
    assertThat(checked.findValuesAsText("result")).contains("failed");
  }

  /// The JSON of a command follows the schema, and its YAML has the same content.
  private static JsonNode check(String kind, String... command) {
    JsonNode json = Schemas.checked(kind, Cli.run(join(command, "-o", "json")).out());
    assertThat(parsed(Cli.run(join(command, "-o", "yaml")).out())).isEqualTo(json);
    return json;
  }

  /// Through text, so that numbers of the same value have the same type.
  private static JsonNode parsed(String yaml) {
    try {
      Object data = new Load(LoadSettings.builder().build()).loadFromString(yaml);
      return JSON.readTree(JSON.writeValueAsString(data));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String[] join(String[] first, String... more) {
    var all = new ArrayList<>(List.of(first));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private Cli.Result inspected(String format, String... options) throws IOException {
    return piped(StoredValues.of(directory), join(new String[] {"inspect", "-o", format}, options));
  }

  private static Cli.Result piped(String input, String... arguments) throws IOException {
    InputStream before = System.in;
    try (var in = new ByteArrayInputStream(input.getBytes(UTF_8))) {
      System.setIn(in);
      return Cli.run(arguments);
    } finally {
      System.setIn(before);
    }
  }
}
