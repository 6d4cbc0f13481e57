package io.keyward.testbed;

import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Keyward's own plugin as a process, started from a distribution as it is in production.
public final class KeywardPlugin implements AutoCloseable {
  private final ServerProcess process;

  private KeywardPlugin(ServerProcess process) {
    this.process = process;
  }

  /// Starts it and returns at once; a preflight tells when it can be used.
  ///
  /// @param home the directory of the distribution
  /// @param config the plugin's configuration file; its log is written beside it
  public static KeywardPlugin start(Path home, Path config, Map<String, String> environment) {
    List<String> command =
        List.of(
            home.resolve("bin").resolve("keyward").toString(),
            "plugin",
            "--config",
            config.toString());
    Path log = config.resolveSibling(config.getFileName() + ".log");
    return new KeywardPlugin(
        ServerProcess.start(
            new Launch("keyward plugin", command, environment, log, Launch.Lifetime.WITH_JVM)));
  }

  public ServerProcess process() {
    return process;
  }

  @Override
  public void close() {
    process.kill();
  }
}
