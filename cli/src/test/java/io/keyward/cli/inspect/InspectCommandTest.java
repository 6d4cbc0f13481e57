package io.keyward.cli.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.cli.Cli;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InspectCommandTest {
  private static final String KEY = "/registry/secrets/carbon5322/ember7321";
  private static final String VALUE =
      "azhzOmVuYzphZXNjYmM6djE6a2V5MToztqAgNOzAU2c0Z0cfbNZvIcNqu1c76N8qdcRrx2NeSg==";
  private static final String CONFIG =
      """
      {"apiVersion":"apiserver.config.k8s.io/v1","kind":"EncryptionConfiguration","resources":[
      {"resources":["secrets"],"providers":[{"aescbc":{"keys":[
      {"name":"key1","secret":"nxQNEaIhWKrM7uMOq1TNM2BREudCKA6BgW4+0m83J7E="}]}}]}]}
      """;

  @TempDir private Path directory;

  @Test
  void readsWhatEtcdctlPrints() throws IOException {
    Cli.Result result = piped(etcdctl(), "inspect", "-o", "jsonl");
    JsonNode json = new ObjectMapper().readTree(result.out());
    assertThat(result.exit()).isZero();
    assertThat(json.get("key").asText()).isEqualTo(KEY);
    assertThat(json.get("provider").asText()).isEqualTo("aescbc");
    assertThat(json.get("name").asText()).isEqualTo("key1");
    assertThat(json.get("resource").asText()).isEqualTo("secrets");
    assertThat(json.has("ok")).isFalse();
  }

  @Test
  void aConfigurationOpensAndOnlyRevealPrints() throws IOException {
    String config = write(CONFIG);
    Cli.Result hidden = piped(etcdctl(), "inspect", "--encryption-config", config, "-o", "jsonl");
    assertThat(hidden.out()).contains("\"ok\":true").contains("\"stale\":false");
    assertThat(hidden.out()).doesNotContain("\"plaintext\"");
    Cli.Result shown =
        piped(etcdctl(), "inspect", "--encryption-config", config, "--reveal", "-o", "jsonl");
    assertThat(shown.out()).contains("\"plaintext\":\"\"");
    assertThat(shown.err()).contains("DECRYPTED SECRETS");
  }

  @Test
  void whatDoesNotOpenIsExitOne() throws IOException {
    String config = write(CONFIG.replace("key1", "other"));
    Cli.Result result = piped(etcdctl(), "inspect", "--encryption-config", config, "-o", "jsonl");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out()).contains("\"errorClass\":\"NO_MATCHING_KEY\"");
  }

  @Test
  void readsARawValue() throws IOException {
    Path raw = directory.resolve("value.bin");
    Files.write(raw, Base64.getDecoder().decode(VALUE));
    Cli.Result result = Cli.run("inspect", "--key", KEY, raw.toString());
    assertThat(result.exit()).isZero();
    assertThat(result.out()).contains("PROVIDER").contains("aescbc").contains(KEY);
  }

  @Test
  void aRawValueNeedsItsKeyAndRevealNeedsAConfiguration() {
    assertThat(Cli.run("inspect", "value.bin").exit()).isEqualTo(64);
    assertThat(Cli.run("inspect", "--reveal").exit()).isEqualTo(64);
  }

  @Test
  void otherInputIsNotTakenForEtcdctls() throws IOException {
    Cli.Result result = piped("hello", "inspect");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("not what etcdctl prints");
    assertThat(piped("{\"kvs\":[{\"key\":\"!!\"}]}", "inspect").exit()).isEqualTo(2);
    assertThat(piped("{\"count\":0}", "inspect").out()).contains("no values");
  }

  private static String etcdctl() {
    String key = Base64.getEncoder().encodeToString(KEY.getBytes(UTF_8));
    return "{\"header\":{\"revision\":7},\"kvs\":[{\"key\":\""
        + key
        + "\",\"create_revision\":2,\"mod_revision\":2,\"version\":1,\"value\":\""
        + VALUE
        + "\"}],\"count\":1}\n";
  }

  private String write(String config) throws IOException {
    return Files.writeString(directory.resolve("config.json"), config).toString();
  }

  private static Cli.Result piped(String input, String... args) throws IOException {
    InputStream before = System.in;
    try (var in = new ByteArrayInputStream(input.getBytes(UTF_8))) {
      System.setIn(in);
      return Cli.run(args);
    } finally {
      System.setIn(before);
    }
  }
}
