package io.keyward.cli.plugin;

import io.keyward.cli.ExitCode;
import io.keyward.kms.plugin.KeyProviders;
import io.keyward.kms.plugin.Providers;
import io.keyward.kms.plugin.config.ConfigReader;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.serve.ReportServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Runs the KMS plugin until it is told to stop.
@Command(
    name = "plugin",
    header = "Serve KMS keys to API servers over unix sockets.",
    mixinStandardHelpOptions = true,
    description = {
      "Serves keys to API servers: KMS v2 over unix sockets, each key on its own.",
      "Configured by a file, by flags for a single key, or by the files of a revision that the",
      "operator created: one file for each data key of its Secret encryption-config."
    },
    footer = {
      "",
      "Examples:",
      "  keyward plugin --config /etc/keyward/plugin.yaml",
      "  keyward plugin --config plugin.yaml --check",
      "  keyward plugin --socket /var/run/kmsplugin/key.sock --provider local \\",
      "      --set keystore=/etc/keyward/keys.p12 --set passwordFile=/etc/keyward/password",
      "  keyward plugin --revision /var/run/secrets/kms-plugin \\",
      "      --monitor-file /var/run/keyward-kms/status/kms.json",
      "",
      "SIGTERM lets calls in progress end and exits with 0."
    })
public final class PluginCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--config", paramLabel = "FILE", description = "The configuration of the plugin.")
  private @Nullable Path file;

  @Option(
      names = "--check",
      description = "Only say whether the plugin would start with this configuration.")
  private boolean check;

  @Mixin private RevisionFlags revision = new RevisionFlags();

  @Mixin private KeyFlags flags = new KeyFlags();

  @Override
  public Integer call() throws InterruptedException {
    if (check) {
      Map<String, KmsProviderFactory> providers = Providers.load();
      PluginConfig config = config(new ConfigReader(providers));
      PluginRun.explained(() -> {
        Map<String, String> leftOut = KeyProviders.check(config, providers);
        leftOut.forEach((key, reason) ->
            spec.commandLine().getErr().println("key " + key + " is left out: " + reason));
        config.reporting().listen().ifPresent(ReportServer::check);
        return true;
      });
      spec.commandLine().getErr().println("the configuration is good");
      return ExitCode.FINE;
    }
    PluginStop stop = PluginStop.install();
    try {
      Map<String, KmsProviderFactory> providers = Providers.load();
      PluginRun.untilStopped(config(new ConfigReader(providers)), providers, stop);
      return ExitCode.FINE;
    } catch (RuntimeException e) {
      stop.disarm();
      throw e;
    }
  }

  private PluginConfig config(ConfigReader reader) {
    revision
        .misuse()
        .ifPresent(problem -> {
          throw new ParameterException(spec.commandLine(), problem);
        });
    Optional<Path> directory = revision.directory();
    if (directory.isPresent()) {
      return revision(reader, directory.orElseThrow());
    }
    if (file != null && !flags.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "use --config or the flags of a single key, not both");
    }
    if (file == null && flags.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "use --config FILE, --revision DIR, or --socket and --provider");
    }
    return file == null
        ? PluginRun.explained(() -> flags.read(reader))
        : PluginRun.read(file, reader);
  }

  private PluginConfig revision(ConfigReader reader, Path directory) {
    if (file != null || flags.describeAKey()) {
      throw new ParameterException(
          spec.commandLine(), "use --revision without --config and without the flags of a key");
    }
    return PluginRun.explained(() -> revision.read(directory, flags, reader));
  }
}
