package io.keyward.core.rollout.manifest;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What counts of a Deployment's pod template, or of one of its pods, for encryption.
///
/// @param configFlag what the API server's `--encryption-provider-config` says
/// @param secrets where the API server's container sees a Secret, and which one
/// @param directories where it sees a volume, and which directory of the node that is; empty where
///   it is none
/// @param label the text of the label `revision`, empty where there is none
public record PodTemplate(
    Optional<String> configFlag,
    SortedMap<String, String> secrets,
    SortedMap<String, String> directories,
    String label) {
  /// Where the container sees the Secret of its revision.
  public static final String CONFIG_DIRECTORY = "/var/run/secrets/encryption-config";

  /// Where the container sees its encryption configuration.
  public static final String CONFIG_FILE = CONFIG_DIRECTORY + "/encryption-config";

  public PodTemplate {
    secrets = Collections.unmodifiableSortedMap(new TreeMap<>(secrets));
    directories = Collections.unmodifiableSortedMap(new TreeMap<>(directories));
  }
}
