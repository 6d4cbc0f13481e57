package io.keyward.core.rollout.node;

import java.time.Instant;
import java.util.Optional;

/// What an agent knows of its node when it decides.
///
/// @param wanted the revision that the operator wants here, 0 where there is none
/// @param arrived the newest revision of which it was reported that it runs here
/// @param failure of a revision that could not be run, and was not corrected yet
/// @param existing an encryption configuration that was not written by an agent, in words
public record NodeView(
    long wanted,
    OnDisk disk,
    Server server,
    long arrived,
    RestartWait restartWait,
    Optional<NodeFailure> failure,
    Optional<String> existing) {

  /// A revision in the files of this node.
  ///
  /// @param revision 0 where nothing was brought here yet
  /// @param digest of its configuration, as the API server tells it
  /// @param isNewConfig whether its configuration differs from the one before
  /// @param writtenAt by the wall clock; the last resort
  /// @param before the API server that ran when it was written; absent where none was seen
  /// @param isIntact whether its configuration is the one that was written
  public record OnDisk(
      long revision,
      String digest,
      boolean isNewConfig,
      Instant writtenAt,
      Optional<ApiServerProcess> before,
      boolean isIntact) {
    /// One of which only the number counts.
    public static OnDisk unread(long revision) {
      return new OnDisk(revision, "", false, Instant.EPOCH, Optional.empty(), true);
    }
  }

  /// The API server of this node.
  ///
  /// @param process absent where it does not respond
  /// @param loaded the digest of the configuration that it has read; absent where it does not
  ///   report one
  public record Server(boolean ready, Optional<ApiServerProcess> process, Optional<String> loaded) {
    public static final Server UNREACHABLE = new Server(false, Optional.empty(), Optional.empty());
  }

  /// How long the agent has waited for the API server since it last restarted it.
  public enum RestartWait {
    /// The agent did not restart it, or the API server has become ready since.
    NONE,
    PENDING,
    EXPIRED
  }
}
