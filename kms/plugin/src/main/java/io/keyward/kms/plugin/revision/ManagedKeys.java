package io.keyward.kms.plugin.revision;

import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.ConfigProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Reads which keys of a revision this plugin serves: all that the configuration of the API server
/// names, except those that a user's plugin or another image serves.
///
/// A key that cannot be read is left out and reported: the others protect data as well.
public final class ManagedKeys {
  private final RevisionDirectory files;
  private final KeySelection selection;
  private final List<ManagedKey> keys = new ArrayList<>();
  private final List<ConfigProblem> problems = new ArrayList<>();
  private final Map<String, List<ConfigProblem>> leftOut = new TreeMap<>();

  /// The keys of a revision.
  ///
  /// @param leftOut keys that cannot be served, by number, with what is wrong with them
  public record Found(List<ManagedKey> keys, Map<String, List<ConfigProblem>> leftOut) {
    public Found {
      keys = List.copyOf(keys);
      leftOut = Map.copyOf(leftOut);
    }
  }

  private ManagedKeys(RevisionDirectory files, KeySelection selection) {
    this.files = files;
    this.selection = selection;
  }

  /// Reads the files of a revision.
  ///
  /// @throws ConfigException if the configuration of the API server cannot be read
  public static Found read(RevisionDirectory files, KeySelection selection) {
    var reader = new ManagedKeys(files, selection);
    Object config =
        reader.json(RevisionSockets.CONFIG).orElseThrow(() -> new ConfigException(reader.problems));
    Map<String, String> sockets = RevisionSockets.endpoints(config);
    if (selection instanceof KeySelection.Only(var serials)) {
      for (String serial : serials) {
        if (!sockets.containsKey(serial)) {
          reader.wrong(RevisionSockets.CONFIG, "names no KMS key " + serial);
          reader.leaveOut(serial);
        }
      }
    }
    sockets.forEach((serial, socket) -> {
      if (selection.includes(serial, false)) {
        reader.key(serial, socket);
        reader.leaveOut(serial);
      }
    });
    return new Found(reader.keys, reader.leftOut);
  }

  /// Keeps what was found wrong since the key before.
  private void leaveOut(String serial) {
    if (!problems.isEmpty()) {
      leftOut.put(serial, List.copyOf(problems));
      problems.clear();
    }
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

  private void key(String serial, String socket) {
    String file = RevisionSockets.PLUGIN + serial;
    json(file).ifPresent(document -> key(serial, socket, file, document));
  }

  private void key(String serial, String socket, String file, Object document) {
    Object kms = JsonTree.at(document, "spec", "encryption", "kms");
    String word = JsonTree.text(kms, "type");
    if (word.equals(RevisionSocket.EXTERNAL)) {
      return;
    }
    Optional<KmsType> type = KmsType.parse(word);
    if (type.isEmpty()) {
      wrong(file, "has the KMS type '" + word + "', which this plugin does not serve");
      return;
    }
    Map<String, String> fields = JsonTree.fields(JsonTree.at(kms, type.orElseThrow().member()));
    if (!selection.includes(serial, fields.containsKey("kmsPluginImage"))) {
      return;
    }
    Map<String, String> settings =
        new FieldReader(files, serial, this::wrong).settings(file, type.orElseThrow(), fields);
    if (problems.isEmpty()) {
      keys.add(new ManagedKey(serial, socket, type.orElseThrow().provider(), settings));
    }
  }
}
