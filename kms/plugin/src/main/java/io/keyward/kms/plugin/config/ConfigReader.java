package io.keyward.kms.plugin.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.plugin.config.PluginConfig.LogFormat;
import io.keyward.kms.plugin.config.PluginConfig.Reporting;
import io.keyward.kms.plugin.config.PluginConfig.Timing;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.SettingsException;
import io.keyward.serve.ListenSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/// Reads a plugin configuration. Pure: text in, a configuration or all its problems out.
public final class ConfigReader {
  private static final Set<String> TOP =
      Set.of(
          "keys", "logFormat", "callBudget", "probeInterval", "drain", "reportInterval", "kmsV1");
  private static final Set<String> KEY =
      Set.of("name", "socket", "socketMode", "socketOwner", "socketPeers", "provider");
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  private final Map<String, KmsProviderFactory> providers;

  public ConfigReader(Map<String, KmsProviderFactory> providers) {
    this.providers = Map.copyOf(providers);
  }

  /// Reads the text of a file that is called `file`.
  ///
  /// @throws ConfigException with every problem found
  public PluginConfig read(String file, String yaml) {
    var problems = new ArrayList<ConfigProblem>();
    Optional<PluginConfig> config =
        compose(file, yaml, problems).map(top -> plugin(top, file, problems));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return config.orElseThrow();
  }

  /// What could be read, and what is wrong with the keys that are not in it.
  public record Partial(PluginConfig config, List<ConfigProblem> problems) {
    public Partial {
      problems = List.copyOf(problems);
    }
  }

  /// Reads keys that must not stop each other, of which there may be none.
  ///
  /// @throws ConfigException if something is wrong that concerns all of them
  public Partial readPartially(String file, String yaml) {
    var problems = new ArrayList<ConfigProblem>();
    Optional<YamlMap> top = compose(file, yaml, problems);
    top.ifPresent(ConfigReader::checkNames);
    var keys = new ArrayList<KeyConfig>();
    var ofKeys = new ArrayList<ConfigProblem>();
    for (Node item : top.map(found -> found.items("keys")).orElse(List.of())) {
      int before = ofKeys.size();
      Optional<KeyConfig> key = key(new YamlMap(file, item, ofKeys), keys);
      if (ofKeys.size() == before) {
        key.ifPresent(keys::add);
      }
    }
    Optional<PluginConfig> config = top.map(found -> plugin(found, keys));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new Partial(config.orElseThrow(), ofKeys);
  }

  private static Optional<YamlMap> compose(String file, String yaml, List<ConfigProblem> problems) {
    var settings =
        LoadSettings.builder()
            .setLabel(file)
            .setCodePointLimit(1 << 20)
            .setMaxAliasesForCollections(0)
            .build();
    try {
      Optional<Node> node = new Compose(settings).composeString(yaml);
      if (node.isEmpty()) {
        problems.add(new ConfigProblem(file, "the file is empty"));
      }
      return node.map(found -> new YamlMap(file, found, problems));
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      problems.add(new ConfigProblem(file + ":" + line, "not YAML: " + e.getProblem()));
    } catch (YamlEngineException e) {
      problems.add(new ConfigProblem(file, "not YAML"));
    }
    return Optional.empty();
  }

  private PluginConfig plugin(YamlMap top, String file, List<ConfigProblem> problems) {
    checkNames(top);
    var keys = new ArrayList<KeyConfig>();
    if (top.items("keys").isEmpty()) {
      top.wrong("keys", "the plugin needs at least one entry under 'keys'");
    }
    for (Node item : top.items("keys")) {
      key(new YamlMap(file, item, problems), keys).ifPresent(keys::add);
    }
    return plugin(top, keys);
  }

  private static void checkNames(YamlMap top) {
    var known = new TreeSet<>(TOP);
    known.addAll(ListenReader.NAMES);
    top.allow(known, "the plugin");
  }

  private static PluginConfig plugin(YamlMap top, List<KeyConfig> keys) {
    return new PluginConfig(keys, timing(top), reporting(top), top.flag("kmsV1"));
  }

  private Optional<KeyConfig> key(YamlMap map, List<KeyConfig> before) {
    String owner = "the key";
    Optional<String> provider = map.requiredText("provider", owner);
    var known = new TreeSet<>(KEY);
    known.addAll(KeyOptionsReader.NAMES);
    provider.ifPresent(known::add);
    map.allow(known, owner);
    Optional<String> name =
        map.requiredText("name", owner).filter(given -> nameIsGood(map, given, before));
    Optional<Path> socket =
        map.requiredText("socket", owner).flatMap(given -> socket(map, given, before));
    SocketAccess access = access(map);
    KeyOptions options = KeyOptionsReader.read(map);
    Optional<ProviderSettings> settings = provider.flatMap(given -> settings(map, given));
    if (name.isEmpty() || socket.isEmpty() || provider.isEmpty() || settings.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new KeyConfig(name.get(), socket.get(), access, provider.get(), settings.get(), options));
  }

  private static boolean nameIsGood(YamlMap map, String name, List<KeyConfig> before) {
    if (!NAME.matcher(name).matches()) {
      map.wrong("name", "a key's name has 1 to 63 lower-case letters, digits and dashes: " + name);
      return false;
    }
    if (before.stream().anyMatch(key -> key.name().equals(name))) {
      map.wrong("name", "two keys have the name '" + name + "'");
      return false;
    }
    return true;
  }

  private static Optional<Path> socket(YamlMap map, String given, List<KeyConfig> before) {
    String path = given.startsWith("unix://") ? given.substring("unix://".length()) : given;
    if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
      map.wrong("socket", "setting 'socket' must be an absolute path: " + given);
      return Optional.empty();
    }
    Path socket = Path.of(path).normalize();
    if (socket.toString().getBytes(UTF_8).length > KeyConfig.MAX_SOCKET_BYTES) {
      map.wrong(
          "socket",
          "the path of the socket is too long, at most "
              + KeyConfig.MAX_SOCKET_BYTES
              + " bytes: "
              + socket);
      return Optional.empty();
    }
    if (before.stream().anyMatch(key -> key.socket().equals(socket))) {
      map.wrong("socket", "two keys have the socket " + socket);
      return Optional.empty();
    }
    return Optional.of(socket);
  }

  private static SocketAccess access(YamlMap map) {
    try {
      return new SocketAccess(
          map.text("socketMode").orElse(SocketAccess.OWNER_ONLY.mode()),
          map.text("socketOwner"),
          map.texts("socketPeers"));
    } catch (IllegalArgumentException e) {
      map.wrong("socketMode", "setting 'socketMode' " + e.getMessage());
      return SocketAccess.OWNER_ONLY;
    }
  }

  /// The provider's own settings stand under its name: `provider: local` and `local: {keystore:
  /// …}`.
  private Optional<ProviderSettings> settings(YamlMap map, String provider) {
    KmsProviderFactory factory = providers.get(provider);
    if (factory == null) {
      map.wrong(
          "provider",
          "unknown provider '" + provider + "'" + NearestName.hint(provider, providers.keySet()));
      return Optional.empty();
    }
    List<Setting> known;
    try {
      known = factory.settings();
    } catch (SettingsException e) { // its jars cannot be used
      map.wrong("provider", "provider '" + provider + "' cannot be loaded: " + e.problem());
      return Optional.empty();
    }
    var values = new HashMap<String, String>();
    map.map(provider).ifPresent(own -> collect(own, provider, known, values));
    var missing = new HashSet<String>();
    for (Setting setting : known) {
      if (setting.required() && !values.containsKey(setting.name())) {
        missing.add(setting.name());
        map.wrong(
            provider,
            "provider "
                + provider
                + " lacks the setting '"
                + setting.name()
                + "' ("
                + setting.help()
                + ")");
      }
    }
    return missing.isEmpty() ? Optional.of(new ProviderSettings(values)) : Optional.empty();
  }

  private static void collect(
      YamlMap own, String provider, List<Setting> settings, Map<String, String> values) {
    var known = new TreeSet<String>();
    settings.forEach(setting -> known.add(setting.name()));
    own.allow(known, "provider " + provider);
    for (String name : own.names()) {
      own.text(name).ifPresent(value -> values.put(name, value));
    }
  }

  private static Timing timing(YamlMap top) {
    var otherwise = Timing.DEFAULT;
    return new Timing(
        top.duration(
            "callBudget", otherwise.callBudget(), Duration.ofMillis(50), Duration.ofMinutes(1)),
        top.duration(
            "probeInterval",
            otherwise.probeInterval(),
            Duration.ofMillis(100),
            Duration.ofMinutes(10)),
        top.duration("drain", otherwise.drain(), Duration.ZERO, Duration.ofMinutes(5)),
        top.duration(
            "reportInterval",
            otherwise.reportInterval(),
            Duration.ofMillis(100),
            Duration.ofHours(24)));
  }

  private static Reporting reporting(YamlMap top) {
    Optional<ListenSettings> listen = ListenReader.read(top);
    LogFormat format = LogFormat.TEXT;
    Optional<String> given = top.text("logFormat");
    if (given.isPresent()) {
      try {
        format = LogFormat.valueOf(given.get().toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        top.wrong("logFormat", "setting 'logFormat' must be text or json: " + given.get());
      }
    }
    return new Reporting(listen, format);
  }
}
