package io.keyward.bench.sites;

import java.time.Duration;

/// What runs the turns of many sites: Keyward's engine, or a peer.
interface SiteLoop extends AutoCloseable {
  /// Gives a site its turns from now on.
  ///
  /// @param work how long each turn takes; zero for a site at rest
  void add(String name, Duration work);

  /// Before the first site is added.
  void start();

  @Override
  void close();
}
