package io.keyward.storage.run;

import io.keyward.etcd.snapshot.EtcdFile;
import io.keyward.etcd.wal.WalDirectory;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor;
import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.audit.Finding;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.audit.Source;
import io.keyward.storage.run.SourceFailure.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// The data directory of a stopped member, or a copy of one: the database and the log.
public record DataDirectorySource(Path directory) implements AuditSource {
  @Override
  public AuditReport audit(Auditor auditor, AuditProgress progress) {
    Path database = directory.resolve("member/snap/db");
    if (!Files.exists(database)) {
      throw new SourceFailure(
          Kind.NOT_A_DATA_DIRECTORY,
          "not a data directory of etcd: " + directory,
          "it must contain member/snap/db; see the flag --data-dir of etcd");
    }
    var use = new SourceUse(directory);
    return SnapshotFile.read(
        database, file -> auditor.report(read(database, file, auditor, progress, use)));
  }

  private Source read(
      Path database, EtcdFile file, Auditor auditor, AuditProgress progress, SourceUse use) {
    Source source = new DatabaseAudit(auditor, progress).read(database, file);
    readLog(auditor, file.facts().consistentIndex());
    use.signs().forEach(sign -> auditor.add(new Finding(Rule.UNSEEN, "", sign)));
    return source;
  }

  /// What the database does not hold yet is live after the next start of etcd.
  private void readLog(Auditor auditor, OptionalLong applied) {
    Path files = directory.resolve("member/wal");
    try {
      WalDirectory log = WalDirectory.list(files);
      log.read(
          applied,
          (index, key, value) -> {
            auditor.add(Location.LOG, key, value, 0);
            if (applied.isEmpty() || index > applied.getAsLong()) {
              auditor.add(Location.UNAPPLIED, key, value, 0);
            }
          });
      log.problems().forEach(what -> auditor.add(new Finding(Rule.DAMAGED_LOG, "", what)));
    } catch (IOException e) {
      throw SourceFailure.unreadable(files, e);
    }
  }
}
