package io.keyward.cli.recover;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.mvcc.KeyRecord;
import io.keyward.etcd.mvcc.MvccReader;
import io.keyward.storage.envelope.DisplayName;
import java.util.HashMap;
import java.util.Map;

/// Recovers from a damaged file. Besides what the tree still reaches it takes whole pages that the
/// tree lost. A page may be free for other reasons too, so an object from there may have been
/// deleted before the damage.
final class Salvage {
  private final MvccReader file;
  private final Recovery recovery;

  /// The newest revision of each wanted key in the tree, and anywhere in the file.
  private final Map<ByteView, Long> inTree = new HashMap<>();

  private final Map<ByteView, Long> newest = new HashMap<>();

  Salvage(MvccReader file, Recovery recovery) {
    this.file = file;
    this.recovery = recovery;
  }

  void run() {
    file.forEach((record, _) -> note(record, inTree));
    file.forEachResidue((record, _) -> note(record, newest));
    inTree.forEach((key, revision) -> newest.merge(key, revision, Math::max));
    file.forEach((record, live) -> {
      if (live && isNewest(record)) {
        recovery.take(record);
      }
    });
    file.forEachResidue((record, _) -> takeLost(record));
  }

  private void note(KeyRecord record, Map<ByteView, Long> revisions) {
    ByteView key = record.key();
    if (recovery.wants(key)) {
      revisions.merge(key, record.main(), Math::max);
    }
  }

  private boolean isNewest(KeyRecord record) {
    Long revision = newest.get(record.key());
    return revision != null && revision == record.main();
  }

  /// What is newer than anything that the tree has of this key. A page may be there twice.
  private void takeLost(KeyRecord record) {
    ByteView key = record.key();
    boolean lost = isNewest(record) && inTree.getOrDefault(key, 0L) < record.main();
    if (lost && !record.isTombstone() && recovery.salvaged(DisplayName.of(key))) {
      recovery.take(record);
    }
  }
}
