package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What scripts rely on, on the built program: names of fields and exit codes, over all vectors.
final class AuditContractsIT {
  private static final Path VECTORS = Path.of("../storage/src/test/resources/vectors");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  @Test
  void inspectTellsOfEveryStoredValueWhatTheVectorsTell() throws IOException {
    List<JsonNode> vectors = lines("public.jsonl");
    ObjectNode answer = JSON.createObjectNode();
    for (JsonNode vector : vectors) {
      answer
          .withArray("kvs")
          .addObject()
          .put("key", vector.get("etcdKey").asText().getBytes(UTF_8))
          .put("value", vector.get("storedValue").asText());
    }
    Path input = directory.resolve("etcdctl.json");
    JSON.writeValue(input.toFile(), answer);
    Keyward inspect = Keyward.fed(input, "inspect", "-o", "jsonl");
    List<String> told = inspect.out().lines().toList();
    assertThat(told).as(inspect.err()).hasSameSizeAs(vectors);
    for (int i = 0; i < told.size(); i++) {
      JsonNode json = JSON.readTree(told.get(i));
      JsonNode vector = vectors.get(i);
      assertThat(json.get("key")).isEqualTo(vector.get("etcdKey"));
      vector
          .get("inspect")
          .properties()
          .forEach(field ->
              assertThat(json.get(field.getKey()))
                  .as(vector.get("id") + " " + field.getKey())
                  .isEqualTo(field.getValue()));
    }
    assertThat(inspect.exitCode()).as("some values do not parse").isEqualTo(1);
  }

  @Test
  void configValidateJudgesEveryDocumentAsTheVectorsDo() throws IOException {
    List<JsonNode> wanted =
        lines("public-config.jsonl").stream()
            .filter(vector -> !vector.get("reload").asBoolean())
            .filter(vector -> vector.get("kmsV1Gate").asBoolean())
            .toList();
    var words =
        new ArrayList<>(
            List.of("config", "validate", "--feature-gates", "KMSv1=true", "-o", "json"));
    for (JsonNode vector : wanted) {
      String name = vector.get("id").asText().replace('/', '-');
      words.add(
          Files.writeString(directory.resolve(name), vector.get("document").asText()).toString());
    }
    Keyward validate = Keyward.run(words.toArray(String[]::new));
    JsonNode verdicts = JSON.readTree(validate.out()).get("files");
    assertThat(verdicts).hasSameSizeAs(wanted);
    for (int i = 0; i < wanted.size(); i++) {
      JsonNode verdict = verdicts.get(i);
      JsonNode vector = wanted.get(i);
      assertThat(verdict.get("ok")).as(vector.get("id").asText()).isEqualTo(vector.get("ok"));
      assertThat(names(verdict)).contains("errors", "warnings");
      assertThat(verdict.path("stage").asText()).isEqualTo(vector.path("stage").asText());
      assertThat(errors(verdict)).containsAll(errors(vector));
    }
    assertThat(validate.exitCode()).isEqualTo(1);
    String good =
        wanted.stream()
            .filter(vector -> vector.get("ok").asBoolean())
            .map(vector -> vector.get("id").asText().replace('/', '-'))
            .findFirst()
            .orElseThrow();
    String file = directory.resolve(good).toString();
    Keyward valid = Keyward.run("config", "validate", "--feature-gates", "KMSv1=true", file);
    assertThat(valid.exitCode()).as(valid.out() + valid.err()).isZero();
  }

  @Test
  void auditAnswersByItsFieldsAndExitCodes() throws IOException {
    String cluster = unpack("public-cluster.db").toString();
    Keyward found = Keyward.run("audit", "--snapshot", cluster, "-o", "json");
    assertThat(found.exitCode()).isEqualTo(1);
    JsonNode report = JSON.readTree(found.out());
    assertThat(names(report))
        .containsExactly(
            "apiVersion",
            "kind",
            "source",
            "revision",
            "compactedRevision",
            "liveKeys",
            "revisions",
            "tombstones",
            "trailer",
            "coverage",
            "resources",
            "unapplied",
            "residue",
            "needs",
            "findings",
            "unlistedFindings",
            "findingCounts");
    assertThat(names(report.get("coverage"))).containsExactly("complete", "reasons", "limits");
    assertThat(names(report.get("trailer"))).containsExactly("present", "valid");
    assertThat(names(report.at("/resources/0")))
        .containsExactly("resource", "objects", "providers", "namespaces");
    assertThat(names(report.at("/resources/0/providers/0")))
        .contains("provider", "name", "keyId", "objects", "bytes", "wrappedDeks");
    assertThat(names(report.at("/findings/0")))
        .containsExactly("rule", "severity", "key", "detail");
    assertThat(names(report.get("residue"))).containsExactly("history", "freePages", "wal");

    Keyward clean =
        Keyward.run("audit", "--snapshot", cluster, "--expect-encrypted", "x", "--needs");
    assertThat(clean.exitCode()).as(clean.err()).isZero();
    Keyward failed = Keyward.run("audit", "--snapshot", directory.toString(), "-o", "json");
    assertThat(failed.exitCode()).isEqualTo(2);
    assertThat(failed.out()).isEmpty();
  }

  private static List<String> errors(JsonNode verdict) {
    var errors = new ArrayList<String>();
    for (JsonNode error : verdict.path("errors")) {
      errors.add(error.get("field") + " " + error.get("type") + " " + error.get("detail"));
    }
    return errors;
  }

  private static List<String> names(JsonNode object) {
    var names = new ArrayList<String>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private List<JsonNode> lines(String vector) throws IOException {
    var lines = new ArrayList<JsonNode>();
    for (String line : Files.readAllLines(unpack(vector))) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  private Path unpack(String vector) throws IOException {
    Path unpacked = directory.resolve(vector);
    try (var packed = new GZIPInputStream(Files.newInputStream(VECTORS.resolve(vector + ".gz")))) {
      Files.copy(packed, unpacked);
    }
    return unpacked;
  }
}
