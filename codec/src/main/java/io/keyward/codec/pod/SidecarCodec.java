package io.keyward.codec.pod;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.sidecar.PluginContainer;
import io.keyward.core.sidecar.Sidecars;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/// The plugin containers of a revision, as the data key `keyward-sidecars` of its Secret. A node
/// agent adds them to the manifest of its node.
public final class SidecarCodec {
  private static final ObjectMapper JSON = new ObjectMapper();

  private SidecarCodec() {}

  /// The same containers are always the same text.
  public static String encode(Sidecars sidecars) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode containers = root.putArray("containers");
    for (PluginContainer one : sidecars.containers()) {
      ObjectNode container = containers.addObject().put("name", one.name());
      container.put("image", one.image()).put("monitors", one.monitors());
      texts(container.putArray("command"), one.command());
      texts(container.putArray("arguments"), one.arguments());
      texts(container.putArray("ready"), one.ready());
      texts(container.putArray("directories"), one.directories());
    }
    texts(root.putArray("sockets"), sidecars.sockets());
    return root.toString();
  }

  private static void texts(ArrayNode list, Collection<String> texts) {
    texts.forEach(list::add);
  }

  /// No containers where the text is empty or cannot be read.
  public static Sidecars decode(String text) {
    try {
      JsonNode root = JSON.readTree(text);
      var containers = new ArrayList<PluginContainer>();
      for (JsonNode one : root.path("containers")) {
        containers.add(
            new PluginContainer(
                one.path("name").asText(""),
                one.path("image").asText(""),
                texts(one.path("command")),
                texts(one.path("arguments")),
                texts(one.path("ready")),
                one.path("monitors").asBoolean(false),
                new TreeSet<>(texts(one.path("directories")))));
      }
      return new Sidecars(containers, new TreeSet<>(texts(root.path("sockets"))));
    } catch (JsonProcessingException _) {
      return Sidecars.NONE;
    }
  }

  private static List<String> texts(JsonNode list) {
    var texts = new ArrayList<String>();
    list.forEach(one -> texts.add(one.asText("")));
    return texts;
  }
}
