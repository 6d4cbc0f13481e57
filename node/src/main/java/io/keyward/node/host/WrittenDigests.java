package io.keyward.node.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The digests of configurations that an agent wrote, by revision, in a file beside them. By it the
/// agent knows its own files again, also after a crash between two writes.
public record WrittenDigests(SortedMap<Long, String> byRevision) {
  static WrittenDigests read(Path file) {
    var found = new TreeMap<Long, String>();
    try {
      if (Files.exists(file)) {
        for (String line : Files.readAllLines(file)) {
          if (line.matches("[0-9]{1,18} [0-9a-f]{64}")) {
            int space = line.indexOf(' ');
            found.put(Long.parseLong(line.substring(0, space)), line.substring(space + 1));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    return new WrittenDigests(found);
  }

  /// Before the configuration is replaced, so that either content is known.
  WrittenDigests with(long revision, byte[] config) {
    var both = new TreeMap<>(byRevision);
    both.put(revision, Hex.sha256(config));
    return new WrittenDigests(both);
  }

  WrittenDigests only(long revision) {
    var one = new TreeMap<>(byRevision);
    one.keySet().retainAll(Set.of(revision));
    return new WrittenDigests(one);
  }

  void write(Path file) {
    var text = new StringBuilder();
    byRevision.forEach((revision, digest) -> text.append(revision + " " + digest + "\n"));
    AtomicFile.write(file, text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  /// Whether an agent wrote it.
  boolean has(byte[] config) {
    return byRevision.containsValue(Hex.sha256(config));
  }

  /// An agent of an earlier release kept no digest, so nothing speaks against its files.
  boolean allows(long revision, byte[] config) {
    String digest = byRevision.get(revision);
    return digest == null || digest.equals(Hex.sha256(config));
  }
}
