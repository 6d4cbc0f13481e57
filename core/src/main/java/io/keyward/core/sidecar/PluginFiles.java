package io.keyward.core.sidecar;

import java.util.List;

/// Where a plugin container finds what it needs. The same for every kind of workload, so that the
/// arguments of a container do not depend on where it runs.
public final class PluginFiles {
  /// The files of the revision: the encryption configuration, configurations of plugins, and what
  /// they refer to.
  public static final String DIRECTORY = "/var/run/secrets/kms-plugin";

  /// Where the monitor of an API server writes what it saw, for the agent of the node.
  public static final String MONITOR = "/run/keyward/monitor";

  /// Files of a revision on a node: one directory for each, so that a container that restarts never
  /// reads those of another revision.
  public static final String ON_NODE = "/etc/kubernetes/keyward/kms-plugin";

  /// The data key of a revision with the containers.
  public static final String SIDECARS = "keyward-sidecars";

  /// Health and metrics of the container, where it shares the network of its node.
  public static final String LISTEN = "127.0.0.1:8446";

  /// The user of Keyward's image, and its group. Files of plugins are readable for this group.
  public static final int USER = 65532;

  static final String JAVA = "/opt/keyward/runtime/bin/java";
  static final String ARGUMENTS = "@/opt/keyward/lib/";

  private static final String SECRET = "kms-plugin-secret-";
  private static final String CONFIG_MAP = "kms-plugin-configmap-";

  private PluginFiles() {}

  /// What the monitor of an API server writes.
  public static String monitor(String component) {
    return MONITOR + "/" + component + ".json";
  }

  static String ofSecret(String name, String dataKey, Object serial) {
    return DIRECTORY + "/" + SECRET + name + "_" + dataKey + "-" + serial;
  }

  static String ofConfigMap(String name, String dataKey, Object serial) {
    return DIRECTORY + "/" + CONFIG_MAP + name + "_" + dataKey + "-" + serial;
  }

  public static List<String> program(String arguments) {
    return List.of(JAVA, ARGUMENTS + arguments + ".args");
  }
}
