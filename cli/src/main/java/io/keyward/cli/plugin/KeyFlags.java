package io.keyward.cli.plugin;

import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.ConfigProblem;
import io.keyward.kms.plugin.config.ConfigReader;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.plugin.revision.ManagedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// A plugin told by flags: with one key, or with the keys of a revision. Flags are turned into the
/// lines of a file and read like one, so that flags and files cannot disagree about what is
/// allowed.
final class KeyFlags {
  /// Before the number of a key of a revision, in the place of a problem.
  static final String KEY = "key ";

  private static final String FLAGS = "flags";

  @Option(names = "--socket", paramLabel = "PATH", description = "The socket to serve the key on.")
  private @Nullable String socket;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "What holds the key (for example: local).")
  private @Nullable String provider;

  @Option(
      names = "--set",
      paramLabel = "SETTING=VALUE",
      description = "A setting of the provider; may be given more than once.")
  private Map<String, String> settings = new TreeMap<>();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The key's name in metrics, logs and health (default: default).")
  private @Nullable String name;

  @Option(names = "--socket-mode", paramLabel = "MODE", description = "Default: 0600.")
  private @Nullable String socketMode;

  @Option(
      names = "--socket-owner",
      paramLabel = "USER:GROUP",
      description = "Owner and group of the socket, by name or number.")
  private @Nullable String socketOwner;

  @Option(
      names = "--socket-peers",
      paramLabel = "USER",
      split = ",",
      description = "Users who may connect (default: root and this user).")
  private List<String> socketPeers = new ArrayList<>();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where health and metrics are served (default: nowhere).")
  private @Nullable String listen;

  @Option(
      names = "--listen-tls-cert",
      paramLabel = "FILE",
      description = "Serve them over HTTPS with this certificate chain (PEM).")
  private @Nullable String listenTlsCert;

  @Option(
      names = "--listen-tls-key",
      paramLabel = "FILE",
      description = "The private key of the certificate (PEM, PKCS#8).")
  private @Nullable String listenTlsKey;

  @Option(
      names = "--listen-token-file",
      paramLabel = "FILE",
      description = "Require one of the bearer tokens in this file for /metrics.")
  private @Nullable String listenTokenFile;

  @Option(
      names = "--listen-insecure",
      description = "Allow an address that other machines can reach without TLS or a token.")
  private boolean listenInsecure;

  @Option(names = "--log-format", paramLabel = "FORMAT", description = "text or json.")
  private @Nullable String logFormat;

  @Option(
      names = "--call-budget",
      paramLabel = "TIME",
      description = "The longest a call may take (default: 2500ms).")
  private @Nullable String callBudget;

  @Option(
      names = "--probe-interval",
      paramLabel = "TIME",
      description = "How often the key is tried (default: 10s).")
  private @Nullable String probeInterval;

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      description = "How long calls may go on after SIGTERM (default: 5s).")
  private @Nullable String drain;

  @Option(names = "--kms-v1", description = "Serve KMS v1beta1 on the same socket too.")
  private boolean kmsV1;

  boolean isEmpty() {
    return lines().size() == 2; // the two that are always there
  }

  /// Whether they say who may use the sockets.
  boolean nameUsers() {
    return socketMode != null || socketOwner != null || !socketPeers.isEmpty();
  }

  /// Whether they describe a key of their own.
  boolean describeAKey() {
    return socket != null || provider != null || name != null || !settings.isEmpty();
  }

  /// @throws ConfigException that names the flags
  PluginConfig read(ConfigReader reader) {
    return read(lines(), yaml -> reader.read(FLAGS, yaml));
  }

  /// The same for the keys of a revision. Their problems are told by their places, such as `key 3`.
  ///
  /// @throws ConfigException that names the flags
  ConfigReader.Partial readWith(List<ManagedKey> keys, ConfigReader reader) {
    List<Line> lines = common();
    if (keys.isEmpty()) {
      lines.set(lines.size() - 1, new Line(FLAGS, "keys: []"));
    }
    keys.forEach(key -> {
      String place = KEY + key.serial();
      lines.add(new Line(place, "  - name: " + quoted(key.serial())));
      add(lines, place, "    socket: ", key.socket());
      access(lines);
      provider(lines, place, key.provider(), key.settings(), _ -> place);
    });
    ConfigReader.Partial read = read(lines, yaml -> reader.readPartially(FLAGS, yaml));
    List<ConfigProblem> problems = placed(read.problems(), lines);
    List<ConfigProblem> ofFlags =
        problems.stream().filter(problem -> !problem.place().startsWith(KEY)).distinct().toList();
    if (!ofFlags.isEmpty()) {
      throw new ConfigException(ofFlags);
    }
    return new ConfigReader.Partial(read.config(), problems);
  }

  private static <T> T read(List<Line> lines, Function<String, T> reader) {
    var yaml = new StringBuilder();
    lines.forEach(line -> yaml.append(line.yaml()).append('\n'));
    try {
      return reader.apply(yaml.toString());
    } catch (ConfigException e) {
      throw new ConfigException(placed(e.problems(), lines));
    }
  }

  private static List<ConfigProblem> placed(List<ConfigProblem> problems, List<Line> lines) {
    return problems.stream()
        .map(problem -> new ConfigProblem(flag(problem.place(), lines), problem.problem()))
        .toList();
  }

  private record Line(String flag, String yaml) {}

  private static final Pattern PLACE = Pattern.compile("flags:([0-9]+)");

  private static String flag(String place, List<Line> lines) {
    Matcher matcher = PLACE.matcher(place);
    return matcher.matches() ? lines.get(Integer.parseInt(matcher.group(1)) - 1).flag() : FLAGS;
  }

  private List<Line> lines() {
    List<Line> lines = common();
    lines.add(new Line("--name", "  - name: " + quoted(name == null ? "default" : name)));
    add(lines, "--socket", "    socket: ", socket);
    access(lines);
    if (provider != null) {
      provider(lines, "--provider", provider, settings, setting -> "--set " + setting);
    }
    return lines;
  }

  /// For all keys.
  private List<Line> common() {
    var lines = new ArrayList<Line>();
    add(lines, "--listen", "listen: ", listen);
    add(lines, "--listen-tls-cert", "listenTlsCert: ", listenTlsCert);
    add(lines, "--listen-tls-key", "listenTlsKey: ", listenTlsKey);
    add(lines, "--listen-token-file", "listenTokenFile: ", listenTokenFile);
    add(lines, "--listen-insecure", "listenInsecure: ", listenInsecure ? "true" : null);
    add(lines, "--log-format", "logFormat: ", logFormat);
    add(lines, "--call-budget", "callBudget: ", callBudget);
    add(lines, "--probe-interval", "probeInterval: ", probeInterval);
    add(lines, "--drain", "drain: ", drain);
    add(lines, "--kms-v1", "kmsV1: ", kmsV1 ? "true" : null);
    lines.add(new Line(FLAGS, "keys:"));
    return lines;
  }

  private void access(List<Line> lines) {
    add(lines, "--socket-mode", "    socketMode: ", socketMode);
    add(lines, "--socket-owner", "    socketOwner: ", socketOwner);
    if (!socketPeers.isEmpty()) {
      var peers = socketPeers.stream().map(KeyFlags::quoted).toList();
      lines.add(new Line("--socket-peers", "    socketPeers: [" + String.join(", ", peers) + "]"));
    }
  }

  /// @param place of a setting, for messages
  private static void provider(
      List<Line> lines,
      String owner,
      String name,
      Map<String, String> settings,
      UnaryOperator<String> place) {
    add(lines, owner, "    provider: ", name);
    if (!settings.isEmpty()) {
      lines.add(new Line(owner, "    " + quoted(name) + ":"));
      settings.forEach((setting, value) ->
          lines.add(
              new Line(place.apply(setting), "      " + quoted(setting) + ": " + quoted(value))));
    }
  }

  private static void add(List<Line> lines, String flag, String yaml, @Nullable String value) {
    if (value != null) {
      lines.add(new Line(flag, yaml + quoted(value)));
    }
  }

  private static String quoted(String value) {
    return "'" + value.replace("'", "''").replace("\n", " ") + "'";
  }
}
