package io.keyward.kube.install;

import java.util.List;
import java.util.regex.Pattern;

/// How Keyward itself runs on a cluster.
///
/// @param image of Keyward
/// @param version of Keyward
/// @param config the configuration of the operator and the node agents
/// @param replicas of the operator
/// @param clusterServer an URL of the API that outlives a single API server
/// @param pluginDirectories directories of nodes in which KMS plugins have their sockets
public record Deployed(
    String image,
    String version,
    String config,
    int replicas,
    String clusterServer,
    List<String> pluginDirectories) {
  private static final Pattern IMAGE = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._:/@-]{0,446}");
  private static final Pattern URL = Pattern.compile("https://[a-zA-Z0-9.:\\[\\]_-]{1,255}");
  private static final Pattern DIRECTORY = Pattern.compile("(/[a-zA-Z0-9._-]{1,255}){1,20}");

  public Deployed {
    if (!IMAGE.matcher(image).matches()) {
      throw new IllegalArgumentException("not the name of an image: " + image);
    }
    if (!URL.matcher(clusterServer).matches()) {
      throw new IllegalArgumentException("not the URL of an API server: " + clusterServer);
    }
    if (replicas < 1 || replicas > 9) {
      throw new IllegalArgumentException("replicas must be 1 to 9");
    }
    pluginDirectories = List.copyOf(pluginDirectories);
    for (String directory : pluginDirectories) {
      if (!DIRECTORY.matcher(directory).matches() || directory.contains("/..")) {
        throw new IllegalArgumentException("not a directory of a node: " + directory);
      }
    }
  }
}
