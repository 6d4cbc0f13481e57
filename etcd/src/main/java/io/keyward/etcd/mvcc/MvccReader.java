package io.keyward.etcd.mvcc;

import io.keyward.etcd.bolt.BoltFile;
import io.keyward.etcd.bolt.Bucket;
import io.keyward.etcd.bolt.PageProblem;
import io.keyward.etcd.bytes.ByteView;
import java.util.Optional;

/// The revisions in a database. One pass tells which revision of each key is the newest, since it
/// goes from the newest to the oldest. Memory grows with the number of keys, not with values.
public final class MvccReader {
  private final BoltFile file;
  private final Optional<Bucket> keys;
  private final KeyRecord current;
  private final KeyRecord other;
  private final NewestRecords newest;
  private boolean surveyed;
  private int liveKeys;
  private int revisions;
  private int tombstones;
  private long lastMain;

  public MvccReader(BoltFile file) {
    this.file = file;
    this.keys = file.bucket("key");
    this.current = new KeyRecord();
    this.other = new KeyRecord();
    this.newest = new NewestRecords(other, at -> other.read(file.elementAt(at)));
  }

  public int liveKeys() {
    survey();
    return liveKeys;
  }

  /// Deletions included.
  public int revisions() {
    survey();
    return revisions;
  }

  public int tombstones() {
    survey();
    return tombstones;
  }

  long lastMain() {
    survey();
    return lastMain;
  }

  private void survey() {
    if (!surveyed) {
      forEachNewestFirst((_, _) -> {});
    }
  }

  /// Every revision, newest first, in one pass. Cheaper than [#forEach].
  public void forEachNewestFirst(RecordVisitor visitor) {
    boolean first = !surveyed;
    surveyed = true;
    current.beginOrder();
    keys.ifPresent(bucket ->
        file.walkBack(
            bucket,
            element -> {
              if (current.read(element)) {
                if (!current.isOlderThanTheLast()) {
                  file.note(PageProblem.Kind.BAD_RECORD, element.page());
                }
                visitor.visit(current, first ? count(current) : isLive(current));
              } else {
                file.note(PageProblem.Kind.BAD_RECORD, element.page());
              }
            }));
  }

  private boolean count(KeyRecord record) {
    revisions++;
    lastMain = Math.max(lastMain, record.main());
    boolean isNewest = newest.add(record);
    if (record.isTombstone()) {
      tombstones++;
      return false;
    }
    liveKeys += isNewest ? 1 : 0;
    return isNewest;
  }

  private boolean isLive(KeyRecord record) {
    return !record.isTombstone() && newest.has(record);
  }

  /// Every revision, oldest first.
  public void forEach(RecordVisitor visitor) {
    survey();
    keys.ifPresent(bucket ->
        file.walk(
            bucket,
            element -> {
              if (current.read(element)) {
                visitor.visit(current, isLive(current));
              }
            }));
  }

  /// Revisions that etcd has forgotten but that are still in free pages of the file. One revision
  /// may be there several times.
  public void forEachResidue(RecordVisitor visitor) {
    file.walkResidue(element -> {
      if (current.read(element) && current.hasKey()) {
        visitor.visit(current, false);
      }
    });
  }

  /// Small buckets beside the keys.
  Optional<ByteView> value(String bucket, String key) {
    var found = new ByteView[1];
    ByteView wanted = ByteView.utf8(key);
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
