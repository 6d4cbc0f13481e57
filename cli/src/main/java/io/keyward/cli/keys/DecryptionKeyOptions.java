package io.keyward.cli.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.cli.CommandFailure;
import io.keyward.storage.config.ConfigLoader;
import io.keyward.storage.config.ConfigVerdict;
import io.keyward.storage.config.EncryptionConfig;
import io.keyward.storage.kms.PluginUnwrapper;
import io.keyward.storage.run.SourceFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of every command that may decrypt.
public final class DecryptionKeyOptions {
  private static final String SCHEME = "unix://";
  private static final int MAX_CONFIG = 32 << 20;

  @Option(
      names = "--encryption-config",
      paramLabel = "FILE",
      description = "The EncryptionConfiguration of the API server, as JSON or YAML.")
  private @Nullable Path config;

  @Option(
      names = "--kms",
      paramLabel = "NAME=unix:///SOCKET",
      description = "The socket of the plugin of a KMS provider; may be repeated.")
  private Map<String, String> kms = new LinkedHashMap<>();

  public Optional<EncryptionConfig> config() {
    return Optional.ofNullable(config).map(DecryptionKeyOptions::load);
  }

  /// The names of the KMS providers that can be asked.
  public Set<String> plugins() {
    return Set.copyOf(kms.keySet());
  }

  /// Close it when done.
  public PluginUnwrapper unwrapper() {
    var sockets = new LinkedHashMap<String, Path>();
    kms.forEach((name, endpoint) -> sockets.put(name, socket(endpoint)));
    return new PluginUnwrapper(sockets);
  }

  private static Path socket(String endpoint) {
    if (!endpoint.startsWith(SCHEME + "/")) {
      throw new CommandFailure(
          "not a unix socket: " + endpoint, "write --kms NAME=unix:///path/to/socket");
    }
    return Path.of(endpoint.substring(SCHEME.length()));
  }

  private static EncryptionConfig load(Path file) {
    return switch (ConfigLoader.lenient().load(readConfig(file))) {
      case ConfigVerdict.Accepted(var accepted, _) -> accepted;
      case ConfigVerdict.Refused(_, var errors) ->
          throw new CommandFailure(
              "no API server would start with this configuration: " + file,
              errors.getFirst().field()
                  + ": "
                  + errors.getFirst().detail()
                  + "; for all of it: keyward config validate "
                  + file);
    };
  }

  /// The bytes of an EncryptionConfiguration: even their encoding matters to the verdict. Bounded
  /// before anything is allocated, because kube-apiserver itself reads without a limit.
  public static byte[] readConfig(Path file) {
    try (var stream = Files.newInputStream(file)) {
      byte[] bytes = stream.readNBytes(MAX_CONFIG + 1);
      if (bytes.length > MAX_CONFIG) {
        throw new CommandFailure(
            file + " is larger than " + (MAX_CONFIG >> 20) + " MiB",
            "name a file that contains an EncryptionConfiguration");
      }
      return bytes;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /// A text file, or a failure in words.
  public static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), UTF_8);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /// Fails as [#read] does, without the content: it may be a private key.
  public static void requireReadable(Path file) {
    try (var _ = Files.newInputStream(file)) {
      // It opens.
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /// Why a file cannot be read, each reason in its own words.
  public static CommandFailure unreadable(Path file, IOException reason) {
    SourceFailure failure = SourceFailure.unreadable(file, reason);
    return new CommandFailure(failure.problem(), failure.remedy(), reason);
  }
}
