package io.keyward.cli.plugin;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;

import io.keyward.cli.output.Durations;
import io.keyward.kms.plugin.config.ConfigProblem;
import io.keyward.kms.plugin.config.ConfigReader;
import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.MonitorConfig;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.plugin.config.Sidecar;
import io.keyward.kms.plugin.config.SocketAccess;
import io.keyward.kms.plugin.revision.KeySelection;
import io.keyward.kms.plugin.revision.ManagedKeys;
import io.keyward.kms.plugin.revision.RevisionDirectory;
import io.keyward.kms.plugin.revision.RevisionSocket;
import io.keyward.kms.plugin.revision.RevisionSockets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// A plugin in the pod of an API server: the keys of a revision that it serves, and the plugins
/// that it monitors.
final class RevisionFlags {
  private static final String NONE = "none";
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  @Option(
      names = "--revision",
      paramLabel = "DIR",
      description =
          "Serve the KMS keys of the revision with these files, in the pod of the API server: any"
              + " user of the pod may use the sockets.")
  private @Nullable Path directory;

  @Option(
      names = "--keys",
      paramLabel = "N",
      split = ",",
      description =
          "With --revision, the numbers of the keys to serve, or none (default: all except those"
              + " with a plugin of the user or with an image of their own).")
  private Set<String> keys = new TreeSet<>();

  @Option(
      names = "--monitor-file",
      paramLabel = "FILE",
      description =
          "With --revision, monitor all plugins of the pod, and write their Status to this file.")
  private @Nullable Path monitorFile;

  @Option(
      names = "--monitor-interval",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How often the plugins are monitored, 1s to 10m (default: 10s).")
  private @Nullable Duration interval;

  @Option(
      names = "--component",
      paramLabel = "NAME",
      description = "The API server in the metrics of the monitored plugins (default: empty).")
  private @Nullable String component;

  Optional<Path> directory() {
    return Optional.ofNullable(directory);
  }

  /// What is wrong with their combination.
  Optional<String> misuse() {
    if (directory == null
        && (!keys.isEmpty() || monitorFile != null || interval != null || component != null)) {
      return Optional.of("use --keys and the options of the monitor with --revision");
    }
    if (monitorFile == null && (interval != null || component != null)) {
      return Optional.of("use --monitor-interval and --component with --monitor-file");
    }
    if (interval != null && (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0)) {
      return Optional.of("--monitor-interval must be between 1s and 10m");
    }
    if (!keys.contains(NONE)) {
      return Optional.empty();
    }
    return keys.size() > 1
        ? Optional.of("use --keys with numbers or with none, not with both")
        : Optional.ofNullable(monitorFile == null ? "use --keys none with --monitor-file" : null);
  }

  /// Reads the files of the revision. Keys that cannot be served are left out.
  PluginConfig read(Path files, KeyFlags flags, ConfigReader reader) {
    var revision = new RevisionDirectory(files.toAbsolutePath());
    ManagedKeys.Found found = ManagedKeys.read(revision, selection());
    ConfigReader.Partial read = flags.readWith(found.keys(), reader);
    var leftOut = new TreeMap<String, String>();
    found.leftOut().forEach((key, problems) -> leftOut.put(key, words(problems)));
    leftOut.putAll(byKey(read.problems()));
    PluginConfig config = flags.nameUsers() ? read.config() : inPod(read.config());
    return config.with(new Sidecar(leftOut, monitor(revision)));
  }

  private static PluginConfig inPod(PluginConfig config) {
    return config.with(
        config.keys().stream()
            .map(key ->
                new KeyConfig(
                    key.name(),
                    key.socket(),
                    SocketAccess.POD,
                    key.provider(),
                    key.settings(),
                    key.options()))
            .toList());
  }

  private static String words(List<ConfigProblem> problems) {
    return problems.stream().map(ConfigProblem::toString).collect(joining("; "));
  }

  private static Map<String, String> byKey(List<ConfigProblem> problems) {
    return problems.stream()
        .collect(
            groupingBy(
                problem -> problem.place().substring(KeyFlags.KEY.length()),
                mapping(ConfigProblem::problem, joining("; "))));
  }

  private KeySelection selection() {
    if (keys.isEmpty()) {
      return new KeySelection.Usual();
    }
    return new KeySelection.Only(keys.contains(NONE) ? Set.of() : keys);
  }

  /// All plugins in the pod. What a user runs outside of it, the node agent monitors.
  private Optional<MonitorConfig> monitor(RevisionDirectory revision) {
    if (monitorFile == null) {
      return Optional.empty();
    }
    var endpoints = new TreeMap<String, String>();
    for (RevisionSocket socket : RevisionSockets.read(revision)) {
      if (!socket.isExternal()) {
        endpoints.put(socket.serial(), socket.endpoint());
      }
    }
    return Optional.of(
        new MonitorConfig(
            monitorFile,
            interval == null ? MonitorConfig.DEFAULT_INTERVAL : interval,
            component == null ? "" : component,
            endpoints));
  }
}
