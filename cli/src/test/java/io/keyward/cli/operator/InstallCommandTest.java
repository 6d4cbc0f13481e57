package io.keyward.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `deploy/manifests` has what is installed on a cluster of kubeadm. To write the file again, run
/// this test with `KEYWARD_WRITE_MANIFESTS=1`.
final class InstallCommandTest {
  private static final Path SHOWN = Path.of("../deploy/manifests/keyward.yaml");

  @Test
  void theManifestsAreWhatIsInstalled() throws IOException {
    Cli.Result result = Cli.run("operator", "install", "--dry-run", "--workload", "kubeadm");
    assertThat(result.exit()).as(result.err()).isZero();
    String text =
        "# Printed by: keyward operator install --dry-run --workload kubeadm\n" + result.out();
    if (System.getenv("KEYWARD_WRITE_MANIFESTS") != null) {
      Files.createDirectories(SHOWN.getParent());
      Files.writeString(SHOWN, text);
    }
    assertThat(Files.readString(SHOWN)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --image 'a b'             | not the name of an image
          --replicas 0              | replicas must be 1 to 9
          --workload staticPod      | --workload is kubeadm or restartCommand
          --cluster-server http://a | not the URL of an API server
          --plugin-dir run          | not a directory of a node
          """)
  void mistakesAreWrongUsage(String options, String problem) {
    var words = new ArrayList<>(List.of("operator", "install", "--dry-run"));
    if (!options.contains("--workload")) {
      words.addAll(List.of("--workload", "kubeadm"));
    }
    for (String word : options.split(" ", 2)) {
      words.add(word.replace("'", ""));
    }
    Cli.Result result = Cli.run(words.toArray(String[]::new));
    assertThat(result.exit()).isEqualTo(64);
    assertThat(result.err()).contains(problem);
  }
}
