package io.keyward.node.setup;

import io.keyward.codec.object.ContentDigest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The static pod of the node agent.
///
/// @param image of Keyward
/// @param clusterServer the URL of the API while the API server of the node is down
/// @param pluginDirectories directories of the node with sockets of KMS plugins
/// @param config the configuration of the agent; another one is another pod
record AgentPod(String image, String clusterServer, List<String> pluginDirectories, String config) {
  private static final String TEMPLATE = "keyward-node-agent.yaml";

  AgentPod {
    pluginDirectories = List.copyOf(pluginDirectories);
  }

  String manifest() {
    var mounts = new StringBuilder();
    var volumes = new StringBuilder();
    for (int i = 0; i < pluginDirectories.size(); i++) {
      String name = "plugins-" + i;
      String directory = pluginDirectories.get(i);
      mounts.append("        - name: ").append(name).append('\n');
      mounts.append("          mountPath: ").append(directory).append('\n');
      volumes.append("    - name: ").append(name).append('\n');
      volumes.append("      hostPath:\n        path: ").append(directory).append('\n');
      volumes.append("        type: DirectoryOrCreate\n");
    }
    return template()
        .replace("${image}", image)
        .replace("${clusterServer}", clusterServer)
        .replace("${configDigest}", "\"" + ContentDigest.of(config).substring(0, 16) + "\"")
        .replace("${pluginMounts}\n", mounts)
        .replace("${pluginVolumes}\n", volumes);
  }

  private static String template() {
    try (InputStream in = AgentPod.class.getResourceAsStream(TEMPLATE)) {
      if (in == null) {
        throw new IllegalStateException("the distribution lacks " + TEMPLATE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
