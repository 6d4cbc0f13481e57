package io.keyward.etcd.mvcc;

import io.keyward.etcd.bolt.BoltFile;
import io.keyward.etcd.bolt.Bucket;
import io.keyward.etcd.bolt.Element;
import io.keyward.etcd.bolt.PageProblem;
import io.keyward.etcd.bytes.Bytes;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// The revisions in a database. Two passes over the file: the first finds the newest revision of
/// each key, the second shows every revision. Memory grows with the number of keys, not with
/// values.
public final class MvccReader {
  private final BoltFile file;
  private final Optional<Bucket> keys;
  private final KeyRecord current;
  private final KeyRecord other;
  private final KeyIndex index;
  private int revisions;
  private int tombstones;
  private long lastMain;

  public MvccReader(BoltFile file, MemorySegment segment) {
    this.file = file;
    this.keys = file.bucket("key");
    this.current = new KeyRecord(segment);
    this.other = new KeyRecord(segment);
    this.index = new KeyIndex(other, at -> other.read(file.elementAt(at)));
    keys.ifPresent(bucket -> file.walk(bucket, this::addToIndex));
  }

  private void addToIndex(Element element) {
    if (!current.read(element)) {
      file.note(PageProblem.Kind.BAD_RECORD, element.page());
      return;
    }
    index.add(current, revisions++);
    tombstones += current.isTombstone() ? 1 : 0;
    lastMain = Math.max(lastMain, current.main());
  }

  public int liveKeys() {
    return index.liveKeys();
  }

  /// Deletions included.
  public int revisions() {
    return revisions;
  }

  public int tombstones() {
    return tombstones;
  }

  long lastMain() {
    return lastMain;
  }

  /// Every revision, oldest first.
  public void forEach(RecordVisitor visitor) {
    var counter = new int[1];
    keys.ifPresent(bucket ->
        file.walk(
            bucket,
            element -> {
              if (current.read(element)) {
                visitor.visit(current, index.isLive(counter[0]++));
              }
            }));
  }

  /// Revisions that etcd has forgotten but that are still in free pages of the file. One revision
  /// may be there several times.
  public void forEachResidue(RecordVisitor visitor) {
    // Everything in use must be known first.
    for (Bucket bucket : file.buckets()) {
      file.walk(bucket, _ -> {});
    }
    file.walkResidue(element -> {
      if (current.read(element) && current.hasKey()) {
        visitor.visit(current, false);
      }
    });
  }

  /// Small buckets beside the keys.
  Optional<Bytes> value(String bucket, String key) {
    var found = new Bytes[1];
    Bytes wanted = Bytes.utf8(key);
    file.bucket(bucket)
        .ifPresent(known ->
            file.walk(
                known,
                element -> {
                  if (element.key().equals(wanted)) {
                    found[0] = element.value();
                  }
                }));
    return Optional.ofNullable(found[0]);
  }
}
