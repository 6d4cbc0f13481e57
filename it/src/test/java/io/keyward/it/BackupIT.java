package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.EncryptionConfigYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A backup of a cluster whose every resource is encrypted by Keyward's plugin: what the commands
/// tell about it, and what comes out of it again.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BackupIT {
  private static final List<String> SERVERS_OWN =
      List.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation");

  private static final List<String> CLAIM_DEFAULTS = List.of("kind", "apiVersion", "status");

  private Path directory;
  private Path config;
  private Path snapshot;
  private LocalPlugin plugin;
  private ControlPlane plane;
  private Kinds kinds;
  private final Map<String, JsonNode> served = new HashMap<>();

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    directory = temporary;
    kinds = Kinds.read();
    plugin = new LocalPlugin(Files.createDirectory(directory.resolve("p")), "on");
    String text =
        EncryptionConfigYaml.writes("keyward", plugin.socket()).replace("[secrets]", "['*.*']");
    config = Files.writeString(directory.resolve("config.yaml"), text);
    plane = ControlPlane.builder(directory.resolve("plane")).create();
    plane.apiServer(0).writeEncryptionConfig(text);
    plane.start();
    for (Kinds.Kind kind : kinds.all()) {
      var answer = plane.apiServer(0).client().post(kind.path(), kind.object().toString());
      assertThat(answer.isOk()).as(kind.id() + ": " + answer.body()).isTrue();
      kind.waitUntilServed(plane.apiServer(0));
      served.put(kind.id(), kind.read(plane.apiServer(0)));
    }
    snapshot = directory.resolve("backup.db");
    plane.etcdctl("snapshot", "save", snapshot.toString());
    // What follows goes through a process that has never seen the local KEK and makes none.
    plugin.replace("off");
  }

  @AfterAll
  void stop() {
    plane.close();
    plugin.close();
  }

  @Test
  void everyKindIsRecoveredAsTheServerShowsIt() throws IOException {
    Path target = directory.resolve("as-stored");
    Keyward run = recover("--to", target.toString(), "-o", "json", "--as-stored");
    assertThat(run.exitCode()).as(run.err()).isZero();
    Map<String, JsonNode> recovered = new HashMap<>();
    for (Path file : files(target)) {
      assertThat(file.toString()).as(run.err()).doesNotEndWith(".raw");
      JsonNode object = Kinds.parse(Files.readString(file));
      recovered.put(Kinds.id(object), object);
    }
    var differences = new ArrayList<String>();
    served.forEach((id, object) -> {
      JsonNode found = recovered.getOrDefault(id, NullNode.instance);
      // Definitions are stored in an older version than they are served in.
      if (!id.contains("CustomResourceDefinition")
          && (found.isNull() || !withoutVersion(found).equals(withoutVersion(object)))) {
        differences.add(id + "\n  served    " + object + "\n  recovered " + found);
      }
    });
    assertThat(differences).isEmpty();
  }

  @Test
  void whatIsRecoveredAppliesToAFreshServerAndIsTheSame() throws IOException {
    Path target = directory.resolve("to-apply");
    assertThat(recover("--to", target.toString()).exitCode()).isZero();
    Map<String, String> texts = new HashMap<>();
    for (Path file : files(target)) {
      texts.put(file.getFileName().toString(), Files.readString(file));
    }
    try (ControlPlane fresh = ControlPlane.builder(directory.resolve("fresh")).start()) {
      var differences = new ArrayList<String>();
      for (Kinds.Kind kind : kinds.all()) {
        var answer =
            fresh.apiServer(0).client().apply(kind.path() + "/" + kind.name(), text(texts, kind));
        assertThat(answer.isOk()).as(kind.id() + ": " + answer.body()).isTrue();
        kind.waitUntilServed(fresh.apiServer(0));
        JsonNode applied = portable(kind.read(fresh.apiServer(0)));
        JsonNode original = portable(served.get(kind.id()));
        if (!applied.equals(original)) {
          differences.add(kind.id() + "\n  original " + original + "\n  applied  " + applied);
        }
      }
      assertThat(differences).isEmpty();
    }
  }

  /// By kind and name: etcd keys have their own spelling of resources.
  private static String text(Map<String, String> texts, Kinds.Kind kind) {
    return texts.entrySet().stream()
        .filter(entry -> entry.getKey().endsWith("_" + kind.name() + ".yaml"))
        .map(Map.Entry::getValue)
        .filter(text -> text.contains("kind: " + kind.object().get("kind").asText() + "\n"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("not recovered: " + kind.id()));
  }

  @Test
  void thePluginOpensValuesForInspect() throws IOException {
    Path answer = directory.resolve("etcdctl.json");
    Files.write(
        answer, plane.etcdctl("get", "/registry/secrets/shop/card", "-w", "json", "--prefix"));
    Keyward shut = inspect(answer);
    assertThat(shut.exitCode()).isZero();
    JsonNode closed = Kinds.parse(shut.out());
    assertThat(closed.path("ok").asBoolean()).isTrue();
    assertThat(closed.path("stale").asBoolean()).isFalse();
    assertThat(closed.has("plaintext")).isFalse();
    assertThat(closed.path("keyId").asText()).isEqualTo(plugin.status().keyId());
    Keyward open = inspect(answer, "--reveal");
    assertThat(open.err()).contains("DECRYPTED SECRETS FOLLOW");
    byte[] plaintext =
        Base64.getDecoder().decode(Kinds.parse(open.out()).get("plaintext").asText());
    assertThat(new String(plaintext, UTF_8)).startsWith("k8s\0").contains("Secret", "card");
  }

  @Test
  void thePluginOpensValuesForTheAudit() {
    Keyward audit =
        Keyward.run(
            "audit",
            "--snapshot",
            snapshot.toString(),
            "--encryption-config",
            config.toString(),
            "--kms",
            kms(),
            "--expect-encrypted",
            "secrets,configmaps,widgets.example.com",
            "--expect-key",
            "keyward",
            "-o",
            "json");
    JsonNode report = Kinds.parse(audit.out());
    assertThat(report.path("findings")).as(audit.out()).isEmpty();
    assertThat(audit.exitCode()).isZero();
    assertThat(report.at("/trailer/valid").asBoolean()).isTrue();
  }

  @Test
  void aDeadPluginIsQuoted() throws IOException {
    String gone = "keyward=unix://" + directory.resolve("gone");
    Keyward recovery =
        Keyward.run(
            "recover",
            "--snapshot",
            snapshot.toString(),
            "--encryption-config",
            config.toString(),
            "--kms",
            gone,
            "--key",
            "/registry/secrets/shop/card",
            "--stdout");
    assertThat(recovery.exitCode()).isEqualTo(1);
    assertThat(recovery.err())
        .contains("KMS_DECRYPT_FAILED")
        .contains("the plugin says: UNAVAILABLE");
    Path answer = directory.resolve("dead.json");
    Files.write(answer, plane.etcdctl("get", "/registry/secrets/shop/card", "-w", "json"));
    Keyward inspection =
        Keyward.fed(
            answer,
            "inspect",
            "--encryption-config",
            config.toString(),
            "--kms",
            gone,
            "-o",
            "jsonl");
    assertThat(inspection.exitCode()).isEqualTo(1);
    assertThat(inspection.out()).contains("the plugin says: UNAVAILABLE");
  }

  /// Also where the build runs in the background of a shell, which lets its children ignore Ctrl-C.
  private static List<String> interruptible(String... arguments) {
    var command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(Keyward.command(arguments));
    return command;
  }

  @Test
  void ctrlCInTheMiddleOfARecoveryLeavesNothingBehind() throws Exception {
    Path target = directory.resolve("interrupted");
    plugin.pause();
    try {
      Process recovery =
          new ProcessBuilder(
                  interruptible(
                      "recover",
                      "--snapshot",
                      snapshot.toString(),
                      "--encryption-config",
                      config.toString(),
                      "--kms",
                      kms(),
                      "--key",
                      "/registry/**",
                      "--to",
                      target.toString()))
              .redirectErrorStream(true)
              .start();
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(target));
      new ProcessBuilder("kill", "-INT", Long.toString(recovery.pid())).start().waitFor();
      assertThat(recovery.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(recovery.exitValue()).isEqualTo(130);
    } finally {
      plugin.goOn();
    }
    assertThat(target).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"html", "json"})
  void ctrlCInTheMiddleOfAnAuditLeavesNothingBehind(String form) throws Exception {
    Path report = directory.resolve("interrupted." + form);
    Path temporary = Files.createDirectory(directory.resolve("tmp-" + form));
    List<String> command =
        interruptible(
            "audit",
            "--snapshot",
            snapshot.toString(),
            "--encryption-config",
            config.toString(),
            "--kms",
            kms(),
            "-o",
            form);
    var builder = new ProcessBuilder(command).directory(temporary.toFile());
    builder.environment().put("KEYWARD_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary);
    plugin.pause();
    try {
      Process audit = builder.redirectErrorStream(true).redirectOutput(report.toFile()).start();
      Path mapped = Path.of("/proc", Long.toString(audit.pid()), "maps");
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.readString(mapped).contains(snapshot.toString()));
      new ProcessBuilder("kill", "-INT", Long.toString(audit.pid())).start().waitFor();
      assertThat(audit.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(audit.exitValue()).isEqualTo(130);
    } finally {
      plugin.goOn();
    }
    assertThat(report).as("half a report is none").isEmptyFile();
    assertThat(files(temporary)).isEmpty();
  }

  @Test
  void aTerminalSeesProgressAndAFileDoesNot() throws Exception {
    Path report = directory.resolve("report.json");
    String audit =
        String.join(" ", Keyward.command("audit", "--snapshot", snapshot.toString(), "-o", "json"));
    var builder = new ProcessBuilder("script", "-qec", audit + " > " + report, "/dev/null");
    // No audit of a small file takes two seconds.
    builder.environment().put("KEYWARD_JAVA_OPTS", "-Dkeyward.progress.after=0");
    Process terminal = builder.redirectErrorStream(true).start();
    terminal.getOutputStream().close();
    String seen = new String(terminal.getInputStream().readAllBytes(), UTF_8);
    assertThat(terminal.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(seen)
        .containsPattern("\\[#+\\.*] +\\d+ %  .* of .*/s  .* s left")
        .endsWith("\r\u001b[K");
    assertThat(Kinds.parse(Files.readString(report)).path("liveKeys").asInt()).isPositive();
  }

  private Keyward recover(String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "recover",
                "--snapshot",
                snapshot.toString(),
                "--encryption-config",
                config.toString()));
    arguments.addAll(List.of("--kms", kms(), "--key", "/registry/**"));
    arguments.addAll(List.of(options));
    return Keyward.run(arguments.toArray(String[]::new));
  }

  private Keyward inspect(Path answer, String... options) {
    List<String> arguments =
        new ArrayList<>(List.of("inspect", "--encryption-config", config.toString()));
    arguments.addAll(List.of("--kms", kms(), "-o", "jsonl"));
    arguments.addAll(List.of(options));
    return Keyward.fed(answer, arguments.toArray(String[]::new));
  }

  private String kms() {
    return "keyward=unix://" + plugin.socket();
  }

  private static List<Path> files(Path target) throws IOException {
    try (Stream<Path> files = Files.list(target)) {
      return files.filter(file -> !file.endsWith("index.tsv")).toList();
    }
  }

  /// The server makes it up for each answer; etcd does not hold it. Nor does it hold what servers
  /// fill in when they read: the phase of claims, and the labels of jobs.
  private static JsonNode withoutVersion(JsonNode object) {
    ObjectNode copy = object.deepCopy();
    ((ObjectNode) copy.get("metadata")).remove("resourceVersion");
    switch (copy.path("kind").asText()) {
      case "PersistentVolumeClaim" -> copy.remove("status");
      case "Job" -> ((ObjectNode) copy.get("metadata")).remove("labels");
      case "StatefulSet" ->
          ((ObjectNode) copy.at("/spec/volumeClaimTemplates/0")).remove(CLAIM_DEFAULTS);
      default -> {}
    }
    return copy;
  }

  /// Without what each server decides by itself.
  private static JsonNode portable(JsonNode object) {
    ObjectNode copy = object.deepCopy();
    ((ObjectNode) copy.get("metadata")).remove(SERVERS_OWN);
    if (!copy.path("kind").asText().equals("Widget")) {
      copy.remove("status");
    }
    if (copy.path("kind").asText().equals("Job")) {
      ((ObjectNode) copy.get("spec")).remove("selector");
      ((ObjectNode) copy.at("/spec/template/metadata")).remove("labels");
      ((ObjectNode) copy.get("metadata")).remove("labels");
    }
    return copy;
  }
}
