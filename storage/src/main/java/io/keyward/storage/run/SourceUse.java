package io.keyward.storage.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Notices that etcd runs on a data directory. What it writes during an audit may be seen half or
/// not at all.
final class SourceUse {
  private static final Path LOCKS = Path.of("/proc/locks");

  private final Path directory;
  private final Map<String, String> before;

  /// Notes how the directory looks now.
  SourceUse(Path directory) {
    this.directory = directory;
    this.before = look();
  }

  /// What shows that the directory is in use; empty where nothing does.
  List<String> signs() {
    var signs = new ArrayList<String>();
    if (isLocked(directory.resolve("member/snap/db"))) {
      signs.add("etcd runs on " + directory + "; stop it, or audit a copy or a snapshot");
    }
    if (!look().equals(before)) {
      signs.add("files in " + directory + " changed during the audit");
    }
    return signs;
  }

  /// Size and time of every file of the database and the log.
  private Map<String, String> look() {
    var seen = new TreeMap<String, String>();
    for (String part : List.of("member/snap", "member/wal")) {
      try (Stream<Path> files = Files.list(directory.resolve(part))) {
        for (Path file : files.toList()) {
          seen.put(file.toString(), Files.size(file) + " " + Files.getLastModifiedTime(file));
        }
      } catch (IOException e) {
        throw SourceFailure.unreadable(directory.resolve(part), e);
      }
    }
    return seen;
  }

  /// etcd holds an advisory lock on its database, which the kernel lists by inode.
  private static boolean isLocked(Path database) {
    try {
      String inode = ":" + Files.getAttribute(database, "unix:ino") + " ";
      return Files.readString(LOCKS, UTF_8)
          .lines()
          .anyMatch(line -> line.contains("FLOCK") && line.contains(inode));
    } catch (IOException | UnsupportedOperationException notLinux) {
      return false;
    }
  }
}
