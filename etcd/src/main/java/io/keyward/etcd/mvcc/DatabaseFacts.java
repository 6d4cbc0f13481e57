package io.keyward.etcd.mvcc;

import io.keyward.etcd.bolt.BoltFile;
import io.keyward.etcd.bytes.ByteView;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What a database says about itself.
public record DatabaseFacts(
    List<String> buckets,
    OptionalLong consistentIndex,
    OptionalLong term,
    Optional<String> storageVersion,
    Optional<String> clusterVersion,
    OptionalLong compacted,
    long currentRevision) {
  public static DatabaseFacts of(BoltFile file, MvccReader reader) {
    OptionalLong compacted = revision(reader.value("meta", "finishedCompactRev"));
    OptionalLong scheduled = revision(reader.value("meta", "scheduledCompactRev"));
    long newest = Math.max(1, reader.lastMain());
    newest = Math.max(newest, Math.max(compacted.orElse(0), scheduled.orElse(0)));
    return new DatabaseFacts(
        file.buckets().stream().map(bucket -> bucket.name().utf8().orElse("?")).toList(),
        number(reader.value("meta", "consistent_index")),
        number(reader.value("meta", "term")),
        reader.value("meta", "storageVersion").flatMap(ByteView::utf8),
        reader.value("cluster", "clusterVersion").flatMap(ByteView::utf8),
        compacted,
        newest);
  }

  private static OptionalLong number(Optional<ByteView> value) {
    return value.isPresent() && value.get().size() == Long.BYTES
        ? OptionalLong.of(ByteBuffer.wrap(value.get().toArray()).getLong())
        : OptionalLong.empty();
  }

  private static OptionalLong revision(Optional<ByteView> value) {
    return value.isPresent() && value.get().size() >= Long.BYTES
        ? OptionalLong.of(ByteBuffer.wrap(value.get().toArray()).getLong())
        : OptionalLong.empty();
  }
}
