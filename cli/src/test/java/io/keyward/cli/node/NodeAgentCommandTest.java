package io.keyward.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeAgentCommandTest {
  @TempDir private Path directory;

  private Cli.Result agent(String... more) throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("operator.yaml"),
            "apiServers: [{operatorResource: kubeapiservers, nodes: [a]}]\n");
    var words = new ArrayList<>(List.of("node-agent", "--node", "a"));
    words.addAll(List.of("--config", config.toString(), "--server", "https://127.0.0.1:1"));
    words.addAll(List.of("--kubeconfig", directory.resolve("missing").toString()));
    words.addAll(List.of(more));
    return Cli.run(words.toArray(String[]::new));
  }

  @Test
  void theRestartCommandFollowsTwoDashes() throws IOException {
    Cli.Result result =
        agent("--encryption-config", "/x", "--", "systemctl", "restart", "--now", "remove");
    assertThat(result.err()).contains("missing does not exist");
    assertThat(result.exit()).isEqualTo(2);
  }

  @Test
  void aWordWithoutTheDashesIsAMistake() throws IOException {
    Cli.Result result = agent("--encryption-config", "/x", "systemctl");
    assertThat(result.exit()).isEqualTo(64);
    assertThat(result.err())
        .contains("unexpected argument: systemctl; write the restart command after --");
  }

  @Test
  void withoutACommandNothingCouldRestartTheApiServer() throws IOException {
    Cli.Result result = agent("--encryption-config", "/x");
    assertThat(result.exit()).isEqualTo(64);
    assertThat(result.err()).contains("set --encryption-config and a restart command after --");
  }
}
