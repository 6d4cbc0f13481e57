package io.keyward.kms.plugin.revision;

import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.ConfigProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads which keys of a revision this plugin serves: all that the configuration of the API server
/// names, except those that a user's plugin or another image serves.
///
/// A key that cannot be read is left out and reported: the others protect data as well.
public final class ManagedKeys {
  private static final String CONFIG = "encryption-config";
  private static final String PLUGIN = "kms-plugin-config-";
  private static final String EXTERNAL = "External";
  private static final Pattern NAME = Pattern.compile("([0-9]{1,18})_.+");

  private final RevisionDirectory files;
  private final Set<String> only;
  private final List<ManagedKey> keys = new ArrayList<>();
  private final List<ConfigProblem> problems = new ArrayList<>();

  /// The keys of a revision.
  ///
  /// @param problems of keys that are left out
  public record Found(List<ManagedKey> keys, List<ConfigProblem> problems) {
    public Found {
      keys = List.copyOf(keys);
      problems = List.copyOf(problems);
    }
  }

  private ManagedKeys(RevisionDirectory files, Set<String> only) {
    this.files = files;
    this.only = Set.copyOf(only);
  }

  /// Reads the files of a revision.
  ///
  /// @param only the numbers of the keys to serve; empty for all that name no image
  /// @throws ConfigException if there is nothing to serve
  public static Found read(RevisionDirectory files, Set<String> only) {
    var reader = new ManagedKeys(files, only);
    Map<String, String> sockets = reader.sockets();
    var missing = new TreeSet<>(only);
    missing.removeAll(sockets.keySet());
    missing.forEach(serial -> reader.wrong(CONFIG, "names no KMS key " + serial));
    sockets.forEach((serial, socket) -> {
      if (only.isEmpty() || only.contains(serial)) {
        reader.key(serial, socket);
      }
    });
    if (reader.keys.isEmpty()) {
      if (reader.problems.isEmpty()) {
        reader.wrong(CONFIG, "names no KMS key that this plugin serves");
      }
      throw new ConfigException(reader.problems);
    }
    return new Found(reader.keys, reader.problems);
  }

  private void wrong(String file, String what) {
    problems.add(new ConfigProblem(files.file(file).toString(), what));
  }

  private Optional<Object> json(String file) {
    try {
      Optional<String> text = files.text(file);
      if (text.isEmpty()) {
        wrong(file, "does not exist");
        return Optional.empty();
      }
      return Optional.of(JsonTree.parse(text.orElseThrow()));
    } catch (IOException _) {
      wrong(file, "is not a JSON document that can be read");
      return Optional.empty();
    }
  }

  /// By number. A key has one socket for all resources.
  private Map<String, String> sockets() {
    var found = new TreeMap<String, String>();
    json(CONFIG)
        .ifPresent(config -> {
          for (Object entry : JsonTree.list(config, "resources")) {
            for (Object provider : JsonTree.list(entry, "providers")) {
              Matcher name = NAME.matcher(JsonTree.text(provider, "kms", "name"));
              if (name.matches()) {
                found.put(name.group(1), JsonTree.text(provider, "kms", "endpoint"));
              }
            }
          }
        });
    return found;
  }

  private void key(String serial, String socket) {
    String file = PLUGIN + serial;
    json(file).ifPresent(document -> key(serial, socket, file, document));
  }

  private void key(String serial, String socket, String file, Object document) {
    Object kms = JsonTree.at(document, "spec", "encryption", "kms");
    String word = JsonTree.text(kms, "type");
    if (word.equals(EXTERNAL)) {
      return;
    }
    Optional<KmsType> type = KmsType.parse(word);
    if (type.isEmpty()) {
      wrong(file, "has the KMS type '" + word + "', which this plugin does not serve");
      return;
    }
    Map<String, String> fields = JsonTree.fields(JsonTree.at(kms, type.orElseThrow().member()));
    if (only.isEmpty() && fields.containsKey("kmsPluginImage")) {
      return;
    }
    int before = problems.size();
    Map<String, String> settings =
        new FieldReader(files, serial, this::wrong).settings(file, type.orElseThrow(), fields);
    if (problems.size() == before) {
      keys.add(new ManagedKey(serial, socket, type.orElseThrow().provider(), settings));
    }
  }
}
