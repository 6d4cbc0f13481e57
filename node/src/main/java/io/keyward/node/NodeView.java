package io.keyward.node;

import java.time.Instant;
import java.util.Optional;

/// What an agent knows of its node when it decides.
///
/// @param wanted the revision that the operator wants here, 0 where there is none
/// @param arrived the newest revision of which it was reported that it runs here
/// @param failure of a revision that could not be run, and was not corrected yet
/// @param existing an encryption configuration that was not written by an agent, in words
record NodeView(
    long wanted,
    OnDisk disk,
    LocalServer.State server,
    long arrived,
    Patience patience,
    boolean restartsItself,
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
  record OnDisk(
      long revision,
      String digest,
      boolean isNewConfig,
      Instant writtenAt,
      Optional<ServerProcess> before,
      boolean isIntact) {
    /// One of which only the number counts.
    static OnDisk unread(long revision) {
      return new OnDisk(revision, "", false, Instant.EPOCH, Optional.empty(), true);
    }
  }

  /// Since the API server was last started anew.
  enum Patience {
    /// It was not, or it has arrived since.
    RESTS,
    WAITS,
    LOST
  }
}
