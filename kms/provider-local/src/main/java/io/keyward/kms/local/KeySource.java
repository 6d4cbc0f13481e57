package io.keyward.kms.local;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// The keys of one name, kept in memory and read again when the file changes.
///
/// When the file goes bad, what was read stays good for opening. It is not used for sealing any
/// more: data sealed under a key that is about to be lost would be lost with it.
final class KeySource implements AutoCloseable {
  private static final Logger LOG = System.getLogger(KeySource.class.getName());

  /// What the file last said. `problem` is empty while it can be trusted.
  private record Reading(LocalKeyRing ring, Optional<String> problem, Stamp stamp) {}

  /// Tells whether a file was replaced without opening it.
  private record Stamp(long modified, long size, String inode) {
    static final Stamp NONE = new Stamp(0, -1, "");

    static Stamp of(Path file) {
      try {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(
            attributes.lastModifiedTime().toMillis(),
            attributes.size(),
            String.valueOf(attributes.fileKey()));
      } catch (IOException e) {
        return NONE; // looks like a change; reading it then says what is wrong
      }
    }
  }

  private final Path path;
  private final KeyStoreFile file;
  private final KeyName name;
  private final Thread watcher;
  private volatile Reading reading;

  /// @throws KeyStoreProblem if the file cannot be used now
  KeySource(Path path, KeyStoreFile file, KeyName name, Duration every) {
    this.path = path;
    this.file = file;
    this.name = name;
    var stamp = Stamp.of(path);
    reading = new Reading(LocalKeyRing.of(file.versions(name)), Optional.empty(), stamp);
    watcher = Thread.ofVirtual().name("keystore-" + name.value()).start(() -> watch(every));
  }

  LocalKeyRing forWrapping() {
    Reading now = reading;
    if (now.problem().isPresent()) {
      throw new KmsException(
          Kind.UNAVAILABLE,
          "the key store cannot be trusted any more, nothing new is encrypted with it",
          Map.of("reason", now.problem().get()));
    }
    return now.ring();
  }

  LocalKeyRing forUnwrapping() {
    return reading.ring();
  }

  private void watch(Duration every) {
    try {
      while (true) {
        Thread.sleep(every);
        refresh();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Reads the file if it changed, or if it was bad the last time. One thread at a time: an older
  /// reading must not replace a newer one.
  synchronized void refresh() {
    Reading before = reading;
    var stamp = Stamp.of(path);
    if (stamp.equals(before.stamp()) && before.problem().isEmpty()) {
      return;
    }
    reading = read(before, stamp);
    if (!reading.problem().equals(before.problem())) {
      reading
          .problem()
          .ifPresentOrElse(
              problem -> LOG.log(Level.ERROR, "key store went bad: " + problem),
              () -> LOG.log(Level.INFO, "key store is good again: " + path));
    }
    if (!reading.ring().newest().id().equals(before.ring().newest().id())) {
      LOG.log(
          Level.INFO,
          "new version of key {0}: {1}",
          name.value(),
          reading.ring().newest().number());
    }
  }

  private Reading read(Reading before, Stamp stamp) {
    try {
      var ring = LocalKeyRing.of(file.versions(name));
      if (!ring.continues(before.ring())) {
        return bad(before, stamp, "key store " + path + ": versions that were in use are missing");
      }
      return new Reading(ring, Optional.empty(), stamp);
    } catch (KeyStoreProblem e) {
      return bad(before, stamp, e.problem());
    }
  }

  private static Reading bad(Reading before, Stamp stamp, String problem) {
    return new Reading(before.ring(), Optional.of(problem), stamp);
  }

  @Override
  public void close() {
    watcher.interrupt();
  }
}
