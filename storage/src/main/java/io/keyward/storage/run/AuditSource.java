package io.keyward.storage.run;

import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor;

/// A place that holds stored values: a file, a data directory, a running etcd.
public interface AuditSource {
  /// Shows everything that the source holds to the auditor, and gives its report. The report is
  /// made here, because values of a file can be looked at only as long as it is open.
  ///
  /// @throws SourceFailure if the source cannot be read
  AuditReport audit(Auditor auditor, AuditProgress progress);
}
