package io.keyward.dev.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class DevCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # command                                 | exit | out                     | err
          status                                    | 1    | There is no cluster in  | ''
          status -o json                            | 1    | "state" : "none"        | ''
          status -o yaml                            | 1    | kind: DevCluster        | ''
          status -o xml                             | 2    | ''                      | xml
          down                                      | 0    | ''                      | there is no cluster
          kubeconfig                                | 1    | ''                      | there is no cluster in
          logs                                      | 1    | ''                      | there is no cluster in
          logs etcd                                 | 1    | ''                      | there is no cluster in
          up --api-servers 0                        | 2    | ''                      | --api-servers takes 1 to 5, not 0
          up --api-servers 6                        | 2    | ''                      | --api-servers takes 1 to 5, not 6
          up --encryption-config /no/such/file.yaml | 1    | ''                      | cannot read /no/such/file.yaml
          """)
  void withoutAClusterEveryCommandSaysSo(
      String command, int exitCode, String data, String talk, @TempDir Path directory) {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of("--dir", directory.resolve("none").toString()));
    var line =
        new CommandLine(new DevCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));

    assertThat(line.execute(arguments.toArray(String[]::new))).isEqualTo(exitCode);

    assertThat(out.toString()).contains(data);
    assertThat(err.toString()).contains(talk);
  }

  @Test
  void theDefaultDirectoryFollowsTheUsualVariables() {
    assertThat(DevOptions.defaultDirectory(Map.of()))
        .as("finding 26: without HOME")
        .isEqualTo(Path.of(System.getProperty("user.home"), ".local/state/keyward/dev"));
    assertThat(DevOptions.defaultDirectory(Map.of("HOME", "/home/kim")))
        .isEqualTo(Path.of("/home/kim/.local/state/keyward/dev"));
    assertThat(DevOptions.defaultDirectory(Map.of("HOME", "/home/kim", "XDG_STATE_HOME", "/state")))
        .isEqualTo(Path.of("/state/keyward/dev"));
  }
}
