package io.keyward.dev.cluster;

import io.keyward.cli.CommandFailure;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.dev.DevCluster;
import io.keyward.testbed.process.TestbedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What all `dev` commands share: which cluster is meant, and how its failures are told.
final class DevOptions {
  @Option(
      names = "--dir",
      paramLabel = "DIRECTORY",
      description =
          "Where the cluster lives. Default: $XDG_STATE_HOME/keyward/dev, or"
              + " ~/.local/state/keyward/dev.")
  private @Nullable Path directory;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  /// Runs an action on the cluster; what the cluster has to tell goes to `err`.
  <T> T with(PrintWriter err, Function<DevCluster, T> action) {
    Path chosen = directory != null ? directory : defaultDirectory(System.getenv());
    try {
      return action.apply(
          new DevCluster(
              chosen, ServerBinaries.ofThisMachine(), line -> err.println("keyward: " + line)));
    } catch (TestbedException e) {
      throw new CommandFailure(e.problem(), remedy(e), e);
    }
  }

  static Path defaultDirectory(Map<String, String> environment) {
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    // Where HOME is not set, for example in a systemd unit, the user database knows it.
    String set = environment.getOrDefault("HOME", "");
    String home = set.isEmpty() ? System.getProperty("user.home", ".") : set;
    Path root = state.isEmpty() ? Path.of(home, ".local", "state") : Path.of(state);
    return root.resolve("keyward").resolve("dev");
  }

  private static String remedy(TestbedException e) {
    var text = new StringBuilder(e.remedy());
    e.logTail().forEach(line -> text.append(System.lineSeparator()).append("  | ").append(line));
    return text.toString();
  }
}
