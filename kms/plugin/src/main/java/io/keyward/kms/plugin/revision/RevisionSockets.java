package io.keyward.kms.plugin.revision;

import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.ConfigProblem;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads which sockets the configuration of an API server names.
public final class RevisionSockets {
  static final String CONFIG = "encryption-config";
  static final String PLUGIN = "kms-plugin-config-";
  private static final Pattern NAME = Pattern.compile("([0-9]{1,18})_.+");

  private RevisionSockets() {}

  /// Those of all KMS keys, in the order of their numbers.
  ///
  /// @throws ConfigException if the configuration of the API server cannot be read
  public static List<RevisionSocket> read(RevisionDirectory files) {
    Object config =
        tree(files, CONFIG)
            .orElseThrow(() ->
                new ConfigException(
                    List.of(
                        new ConfigProblem(
                            files.file(CONFIG).toString(),
                            "does not exist or is not a JSON document that can be read"))));
    var found = new ArrayList<RevisionSocket>();
    endpoints(config).forEach((serial, endpoint) -> found.add(socket(files, serial, endpoint)));
    found.sort(Comparator.comparingLong(one -> Long.parseLong(one.serial())));
    return List.copyOf(found);
  }

  /// By number. A key has one socket for all resources.
  static Map<String, String> endpoints(Object config) {
    var found = new TreeMap<String, String>();
    for (Object entry : JsonTree.list(config, "resources")) {
      for (Object provider : JsonTree.list(entry, "providers")) {
        Matcher name = NAME.matcher(JsonTree.text(provider, "kms", "name"));
        if (name.matches()) {
          found.put(name.group(1), JsonTree.text(provider, "kms", "endpoint"));
        }
      }
    }
    return found;
  }

  /// A key whose KMS cannot be read has a socket all the same.
  private static RevisionSocket socket(RevisionDirectory files, String serial, String endpoint) {
    Optional<Object> document = tree(files, PLUGIN + serial);
    if (document.isEmpty()) {
      return new RevisionSocket(serial, endpoint, "", Optional.empty());
    }
    Object kms = JsonTree.at(document.orElseThrow(), "spec", "encryption", "kms");
    String type = JsonTree.text(kms, "type");
    Optional<String> host =
        KmsType.parse(type)
            .flatMap(known ->
                known.addressField().map(field -> JsonTree.text(kms, known.member(), field)))
            .flatMap(RevisionSockets::host);
    return new RevisionSocket(serial, endpoint, type, host);
  }

  /// An address may have no scheme, for example `kms.example.com:443`.
  private static Optional<String> host(String address) {
    try {
      String given = address.strip();
      return Optional.ofNullable(new URI(given.contains("://") ? given : "x://" + given).getHost());
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  private static Optional<Object> tree(RevisionDirectory files, String name) {
    try {
      Optional<String> text = files.text(name);
      return text.isEmpty() ? Optional.empty() : Optional.of(JsonTree.parse(text.orElseThrow()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
