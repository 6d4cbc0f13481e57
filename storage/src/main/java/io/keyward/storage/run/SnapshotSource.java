package io.keyward.storage.run;

import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor;
import java.nio.file.Path;

/// A snapshot, or the `db` file of a stopped member.
public record SnapshotSource(Path path) implements AuditSource {
  @Override
  public AuditReport audit(Auditor auditor, AuditProgress progress) {
    var database = new DatabaseAudit(auditor, progress);
    return SnapshotFile.read(path, file -> auditor.report(database.read(path, file)));
  }
}
