package io.keyward.storage.run;

import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor;
import io.keyward.storage.audit.Expectation;
import io.keyward.storage.audit.ObjectCheck;
import java.util.Optional;

/// The questions of an audit, to be put to any source.
///
/// @param check decrypts every value, where the keys for it are known
/// @param prefix the API server's `--etcd-prefix` where it is none of the usual ones
/// @param maxFindings bounds how many findings of one rule are listed; all are counted
public record AuditRun(
    Expectation expected, Optional<ObjectCheck> check, Optional<String> prefix, int maxFindings) {
  /// Audits the source. The answer is yes only if [AuditReport#isClean()]: a source that could not
  /// be seen completely has findings too.
  ///
  /// @throws SourceFailure if the source cannot be read
  public AuditReport on(AuditSource source, AuditProgress progress) {
    return source.audit(new Auditor(expected, check, prefix, maxFindings), progress);
  }
}
