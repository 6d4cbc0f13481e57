package io.keyward.node.host;

import io.keyward.core.rollout.node.ApiServerProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// What a revision is on this node's disk. All of it is for its owner alone, and every file is
/// replaced in one step.
public sealed interface Host extends PluginSource permits CommandHost, StaticPodHost, KubeadmHost {
  /// 0 where nothing was brought here yet.
  long revision();

  /// An API server that started after this time has read it. Clocks may lie.
  Instant writtenAt();

  /// The API server that ran when it was written; absent where none was seen.
  Optional<ApiServerProcess> before();

  /// This one must not run any more. Kept for whoever reads these files next.
  void remember(ApiServerProcess before);

  /// Whether its configuration differs from the one before, so that an API server which says that
  /// it has loaded it needs no other proof.
  boolean isNewConfig();

  /// Whether the configuration in its files is the one that was written. Someone may have edited
  /// it, or put another one in its place.
  boolean isIntact();

  /// An encryption configuration that a write would replace, or that the API server reads now, and
  /// that was not written by an agent. Empty where nothing depends on it.
  Optional<ExistingEncryption> existing();

  /// Writes a revision.
  ///
  /// @param config the files of its encryption configuration, by name
  /// @param manifest of its pod
  /// @param before the API server that runs now
  void write(
      long revision,
      Map<String, byte[]> config,
      Optional<String> manifest,
      Optional<ApiServerProcess> before);

  /// The API server is ready with what was written: nothing reads what was there before.
  default void arrived() {}

  /// Whether the kubelet restarts the API server after a write.
  boolean restartsItself();

  /// Restores what the API server needs to read its data, if another program removed it. Depends on
  /// no API server: the one of this node may be down because of it.
  ///
  /// @return what was done
  default Optional<String> repair() {
    return Optional.empty();
  }

  /// Starts the API server anew; where that fails, says why.
  Optional<String> restart(Duration patience) throws InterruptedException;
}
