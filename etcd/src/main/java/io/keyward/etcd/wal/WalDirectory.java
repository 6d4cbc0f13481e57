package io.keyward.etcd.wal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// All segments of a member's write-ahead log, in order. Reads as far as it can; [#problems] lists
/// what is damaged or missing.
public final class WalDirectory {
  private static final Pattern SEGMENT = Pattern.compile("([0-9a-f]{16})-([0-9a-f]{16})\\.wal");

  /// etcd allocates segments ahead and never makes one shorter.
  private static final long SEGMENT_BYTES = 64_000_000;

  private final List<Path> segments;
  private final List<String> problems = new ArrayList<>();

  /// The checksum at the end of the segment before; empty where that one is unknown.
  private OptionalInt before = OptionalInt.empty();

  private long lastIndex;

  private WalDirectory(List<Path> segments) {
    this.segments = segments;
  }

  public static WalDirectory list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return new WalDirectory(
          files.filter(file -> file.toString().endsWith(".wal")).sorted().toList());
    }
  }

  /// What is damaged or missing, as sentences for people.
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /// `applied` is the raft index up to which the database holds the log; empty where nobody knows.
  public void read(OptionalLong applied, WalEntryVisitor visitor) throws IOException {
    checkNames(applied);
    for (Path segment : segments) {
      read(segment, visitor);
    }
    if (applied.isPresent() && lastIndex < applied.getAsLong()) {
      problems.add(
          "the log ends at entry "
              + lastIndex
              + ", but the database already holds entry "
              + applied.getAsLong());
    }
  }

  private void read(Path segment, WalEntryVisitor visitor) throws IOException {
    WalFile.End end = WalFile.read(segment, visitor);
    String name = String.valueOf(segment.getFileName());
    if (Files.size(segment) < SEGMENT_BYTES) {
      problems.add(name + " is shorter than etcd makes its segments; it was cut");
    }
    if (end.damaged()) {
      problems.add(name + " is damaged at offset " + end.at());
    }
    if (end.wrongSums() > 0) {
      problems.add(
          name
              + " has "
              + end.wrongSums()
              + " records with a wrong checksum from offset "
              + end.firstWrong());
    }
    if (before.isPresent() && !end.sums().first().equals(before)) {
      problems.add(name + " does not continue the segment before it; entries are missing");
    }
    before = OptionalInt.of(end.sums().last());
    lastIndex = end.lastIndex() == 0 ? lastIndex : end.lastIndex();
  }

  /// Names count up without gaps and carry the index of their first entry.
  private void checkNames(OptionalLong applied) {
    if (segments.isEmpty()) {
      problems.add("the directory holds no segment of the log");
    }
    long expected = -1;
    for (Path segment : segments) {
      String name = String.valueOf(segment.getFileName());
      Matcher parts = SEGMENT.matcher(name);
      if (!parts.matches()) {
        problems.add(name + " is not named like a segment of the log");
        continue;
      }
      long number = Long.parseUnsignedLong(parts.group(1), 16);
      long first = Long.parseUnsignedLong(parts.group(2), 16);
      if (expected < 0 && applied.isPresent() && first > applied.getAsLong() + 1) {
        problems.add(
            "the log begins at entry "
                + first
                + ", but the database ends at entry "
                + applied.getAsLong());
      }
      if (expected >= 0 && number != expected) {
        problems.add("a segment before " + name + " is missing");
      }
      expected = number + 1;
    }
  }
}
