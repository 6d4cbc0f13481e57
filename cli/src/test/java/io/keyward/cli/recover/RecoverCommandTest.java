package io.keyward.cli.recover;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.cli.Cli;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

final class RecoverCommandTest {
  @TempDir private Path directory;

  @BeforeEach
  void unpack() {
    Cli.vector("public-cluster.db", directory);
    Cli.vector("public-cluster-config.json", directory);
  }

  @Test
  void aSecretComesOutAsKubectlTakesIt() {
    Cli.Result result = recover("/registry/secrets/default/aescbc-0", "--stdout");
    assertThat(result.exit()).as(result.err()).isZero();
    var secret = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(result.out());
    assertThat(secret.get("apiVersion")).isEqualTo("v1");
    assertThat(secret.get("kind")).isEqualTo("Secret");
    var metadata = (Map<?, ?>) Objects.requireNonNull(secret.get("metadata"));
    assertThat(metadata.get("name")).isEqualTo("aescbc-0");
    assertThat(metadata.get("namespace")).isEqualTo("default");
    assertThat(metadata.containsKey("uid")).isFalse();
    assertThat(secret.containsKey("data")).isTrue();
  }

  @Test
  void aCustomResourceLosesWhatItsServerSet() throws Exception {
    Cli.Result result =
        recover(
            "/registry/awesome.bears.example/pandas/default/secretbox", "--stdout", "-o", "json");
    var panda = new ObjectMapper().readTree(result.out());
    assertThat(panda.get("kind").asText()).isEqualTo("Panda");
    assertThat(panda.get("metadata").has("resourceVersion")).isFalse();
    assertThat(panda.get("metadata").has("uid")).isFalse();
  }

  @Test
  void filesAreForTheOwnerAlone() throws Exception {
    Path target = directory.resolve("out");
    Cli.Result result = recover("/registry/secrets/default/*", "--to", target.toString());
    // The values of the KMS cannot open without its plugin.
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).contains("not recovered").contains("KMS_DECRYPT_FAILED");
    assertThat(mode(target)).isEqualTo("rwx------");
    List<Path> files = list(target);
    assertThat(files)
        .isNotEmpty()
        .allSatisfy(file -> assertThat(mode(file)).isEqualTo("rw-------"));
    assertThat(Files.readString(target.resolve("registry_secrets_default_aescbc-0.yaml"), UTF_8))
        .contains("kind: Secret");
    assertThat(recover("/registry/secrets/**", "--to", target.toString()).err())
        .contains("nothing is overwritten");
  }

  @Test
  void whatIsNoObjectStaysAsItIs() throws Exception {
    Path target = directory.resolve("out");
    Cli.Result result = recoverText("--to", target.toString());
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).contains("not decoded, raw").contains("unknown type");
    assertThat(list(target)).hasSize(1).allMatch(file -> file.toString().endsWith(".raw"));
  }

  @Test
  void rawBytesOnStdoutAreNotRecovered() {
    Cli.Result result = recoverText("--stdout");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("NOT_DECODED").contains("recovered 0 objects, failed 1");
  }

  @Test
  void everyProtobufOfARealClusterIsDecoded() throws Exception {
    Path target = directory.resolve("out");
    Cli.Result result = recover("/registry/**", "--to", target.toString());
    assertThat(result.err()).doesNotContain("not decoded").doesNotContain("incomplete");
    assertThat(list(target)).hasSizeGreaterThan(200).noneMatch(f -> f.toString().endsWith(".raw"));
  }

  @Test
  void aRecoveryOfNothingLeavesNoDirectory() {
    Path target = directory.resolve("out");
    assertThat(recover("/registry/nothing/*", "--to", target.toString()).exit()).isEqualTo(2);
    assertThat(target).doesNotExist();
  }

  @Test
  void storedFieldsStayWhereAsked() {
    assertThat(recover("/registry/namespaces/default", "--stdout", "--as-stored").out())
        .contains("uid:")
        .contains("phase: Active");
    assertThat(recover("/registry/namespaces/default", "--stdout").out())
        .contains("kind: Namespace")
        .doesNotContain("uid:")
        .doesNotContain("status");
  }

  @Test
  void nothingChosenIsAFailure() {
    assertThat(recover("/registry/secrets/nobody/*", "--stdout").exit()).isEqualTo(2);
  }

  @Test
  void theTargetMustBeSaid() {
    assertThat(recover("/registry/secrets/default/*").exit()).isEqualTo(64);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # pattern | key   | matches
          /a/*      | /a/b  | true
          /a/*      | /a/b/c | false
          /a/**     | /a/b/c | true
          /a/b      | /a/bc | false
          /a/.      | /a/b  | false
          *         | abc   | true
          """)
  void choosesKeys(String pattern, String key, boolean matches) {
    assertThat(KeyPattern.of(List.of(pattern)).matches(key)).isEqualTo(matches);
  }

  private static String mode(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> list(Path target) throws Exception {
    try (Stream<Path> files = Files.list(target)) {
      return files.filter(file -> !file.endsWith("index.tsv")).toList();
    }
  }

  /// Of a file whose values are no objects.
  private Cli.Result recoverText(String... options) {
    Path file = Cli.vector("public-page16k.db", directory);
    return recoverFrom(file, "/registry/secrets/ns/0", options);
  }

  private Cli.Result recover(String key, String... options) {
    return recoverFrom(directory.resolve("public-cluster.db"), key, options);
  }

  private Cli.Result recoverFrom(Path file, String key, String... options) {
    String[] fixed = {
      "recover",
      "--snapshot",
      file.toString(),
      "--encryption-config",
      directory.resolve("public-cluster-config.json").toString(),
      "--key",
      key
    };
    return Cli.run(Stream.concat(Stream.of(fixed), Stream.of(options)).toArray(String[]::new));
  }
}
