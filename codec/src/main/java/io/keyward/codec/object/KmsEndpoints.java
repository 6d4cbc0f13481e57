package io.keyward.codec.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.keyward.codec.WireNames;
import io.keyward.core.model.key.KeySerial;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The sockets in an encryption configuration, without anything else of it.
public final class KmsEndpoints {
  private static final Pattern NAME = Pattern.compile("([0-9]{1,18})_.*");

  private static final String SCHEME = "unix://";

  private KmsEndpoints() {}

  /// The paths of the sockets of all KMS providers, of whichever name.
  public static SortedSet<String> sockets(byte[] config) {
    var found = new TreeSet<String>();
    try {
      for (JsonNode entry : new ObjectMapper().readTree(config).path("resources")) {
        for (JsonNode provider : entry.path("providers")) {
          String endpoint = provider.path("kms").path("endpoint").asText("");
          if (endpoint.startsWith(SCHEME)) {
            found.add(endpoint.substring(SCHEME.length()));
          }
        }
      }
    } catch (IOException _) {
      return Collections.emptySortedSet();
    }
    return found;
  }

  /// A file of a revision as plugins get it: the configuration of the API server without its local
  /// keys, which are not for them, and everything else as it is.
  public static byte[] forPlugins(String name, byte[] content) {
    return name.equals(WireNames.CONFIG_DATA) ? withoutLocalKeys(content) : content;
  }

  /// Empty where the text is no JSON.
  private static byte[] withoutLocalKeys(byte[] config) {
    try {
      JsonNode root = new ObjectMapper().readTree(config);
      for (JsonNode entry : root.path("resources")) {
        if (entry.path("providers") instanceof ArrayNode providers) {
          for (int i = providers.size() - 1; i >= 0; i--) {
            if (!providers.get(i).has("kms")) {
              providers.remove(i);
            }
          }
        }
      }
      return root.toString().getBytes(StandardCharsets.UTF_8);
    } catch (IOException _) {
      return new byte[0];
    }
  }

  /// By key. Empty where the text is no JSON: then no agent wrote it, and it names no key of
  /// Keyward.
  public static SortedMap<KeySerial, String> of(byte[] config) {
    var found = new TreeMap<KeySerial, String>();
    try {
      for (JsonNode entry : new ObjectMapper().readTree(config).path("resources")) {
        for (JsonNode provider : entry.path("providers")) {
          JsonNode kms = provider.path("kms");
          Matcher name = NAME.matcher(kms.path("name").asText(""));
          if (name.matches()) {
            found.put(
                new KeySerial(Long.parseLong(name.group(1))), kms.path("endpoint").asText(""));
          }
        }
      }
    } catch (IOException _) {
      return Collections.emptySortedMap();
    }
    return found;
  }
}
