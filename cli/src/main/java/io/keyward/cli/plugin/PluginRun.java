package io.keyward.cli.plugin;

import io.keyward.cli.CommandFailure;
import io.keyward.kms.plugin.Plugin;
import io.keyward.kms.plugin.Providers;
import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.ConfigReader;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.plugin.report.LogSetup;
import io.keyward.kms.plugin.socket.SocketProblem;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.serve.ListenFailure;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The life of a plugin process. Knows nothing of command lines, so that a plugin that is told
/// everything by a file starts without the classes for them.
public final class PluginRun {
  private static final int MAX_CONFIG = 1 << 20;

  private PluginRun() {}

  /// Runs the plugin that `file` describes, until a signal ends it.
  public static void from(Path file) throws InterruptedException {
    PluginStop stop = PluginStop.install();
    try {
      Map<String, KmsProviderFactory> providers = Providers.load();
      untilStopped(read(file, new ConfigReader(providers)), providers, stop);
    } catch (RuntimeException e) {
      stop.disarm();
      throw e;
    }
  }

  static void untilStopped(
      PluginConfig config, Map<String, KmsProviderFactory> providers, PluginStop stop)
      throws InterruptedException {
    Consumer<String> lastLine = LogSetup.use(config.reporting().logFormat());
    stop.begin();
    try {
      stop.started(explained(() -> Plugin.start(config, providers)), lastLine);
    } finally {
      stop.settled();
    }
    new CountDownLatch(1).await();
  }

  /// What `file` says.
  ///
  /// @throws CommandFailure with everything that is wrong with it
  public static PluginConfig read(Path file, ConfigReader reader) {
    String text = text(file);
    return explained(() -> reader.read(file.toString(), text));
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > MAX_CONFIG) {
        throw new CommandFailure(file + " is too large to be a configuration", "");
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new CommandFailure("there is no file " + file, "correct the path after --config", e);
    } catch (CharacterCodingException e) {
      throw new CommandFailure(file + " is not text in UTF-8", "", e);
    } catch (IOException e) {
      throw new CommandFailure("cannot read " + file, "check its owner and mode", e);
    }
  }

  static <T> T explained(Supplier<T> action) {
    try {
      return action.get();
    } catch (ConfigException e) {
      String problems = String.valueOf(e.getMessage()).replace("\n", "\n  ");
      throw new CommandFailure("the configuration is refused", problems, e);
    } catch (SocketProblem e) {
      throw new CommandFailure(e.problem(), e.remedy(), e);
    } catch (ListenFailure e) {
      throw new CommandFailure(e.problem(), e.remedy(), e);
    }
  }
}
