package io.keyward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.codec.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands and the examples of the quick start fit this version.
final class QuickStartTest {
  private static final Path GUIDE = Path.of("../docs/guides/quick-start.md");
  private static final Path EXAMPLES = Path.of("../deploy/examples");
  private static final Pattern TESTED =
      Pattern.compile("<!-- test: (\\S+) -->\n```sh\n(.*?)```", Pattern.DOTALL);
  private static final Pattern SHELL =
      Pattern.compile("^ *```sh\n(.*?)^ *```", Pattern.DOTALL | Pattern.MULTILINE);

  @TempDir private Path directory;

  @Test
  void theWayToEncryptedDataIsShort() throws IOException {
    var blocks = new TreeMap<String, String>();
    Matcher tested = TESTED.matcher(Files.readString(GUIDE));
    while (tested.find()) {
      assertThat(blocks.put(tested.group(1), tested.group(2))).as(tested.group(1)).isNull();
    }
    assertThat(blocks).containsOnlyKeys("quick-start", "quick-start-remove", "quick-start-vault");
    assertThat(blocks.values()).allSatisfy(block -> assertThat(block.lines()).hasSizeBetween(3, 8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"../docs/guides/quick-start.md", "../README.md"})
  void everyCommandOfAGuideIsUnderstood(String file) throws IOException {
    var commands = new ArrayList<List<String>>();
    Matcher blocks = SHELL.matcher(Files.readString(Path.of(file)));
    while (blocks.find()) {
      blocks
          .group(1)
          .lines()
          .map(String::strip)
          .filter(line -> line.startsWith("keyward "))
          .forEach(line -> commands.add(List.of(line.split(" +", -1))));
    }
    assertThat(commands).isNotEmpty();
    for (List<String> command : commands) {
      String[] words = command.subList(1, command.size()).toArray(String[]::new);
      // Throws where an option is unknown.
      assertThat(Keyward.commandLine().parseArgs(words).hasSubcommand()).as("%s", command).isTrue();
    }
  }

  @Test
  void thePluginAcceptsItsExample() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret-id"), "secret\n");
    String config =
        Files.readString(EXAMPLES.resolve("vault-plugin.yaml"))
            .replace("/etc/keyward/secret-id", secret.toString())
            .replaceAll("(?m)^ *caFile: .*\n", "")
            .replace("/var/run/kmsplugin", directory.toString())
            .replaceAll("(?m)^listen: .*\n", "");
    Path file = Files.writeString(directory.resolve("plugin.yaml"), config);
    Cli.Result result = Cli.run("plugin", "--config", file.toString(), "--check");
    assertThat(result.exit()).as(result.err()).isZero();
  }

  @Test
  void theExamplePodSharesTheSocketOfItsConfiguration() throws IOException {
    JsonNode pod =
        Json.read(Files.readString(EXAMPLES.resolve("vault-plugin-pod.yaml"))).orElseThrow();
    JsonNode config =
        Json.read(Files.readString(EXAMPLES.resolve("vault-plugin.yaml"))).orElseThrow();
    String socket = config.at("/keys/0/socket").asText();
    assertThat(Files.readString(GUIDE)).contains("unix://" + socket);
    String sockets = socket.substring(0, socket.lastIndexOf('/'));
    assertThat(pod.at("/spec/containers/0/volumeMounts").findValuesAsText("mountPath"))
        .contains(sockets, "/etc/keyward");
    assertThat(pod.at("/spec/volumes").findValuesAsText("path")).contains(sockets, "/etc/keyward");
  }
}
