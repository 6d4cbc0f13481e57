package io.keyward.cli.audit;

import io.keyward.cli.CommandFailure;
import io.keyward.etcd.live.Access;
import io.keyward.etcd.live.LiveEtcd;
import io.keyward.etcd.live.LiveEtcdException;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor;
import io.keyward.storage.audit.Auditor.Place;
import io.keyward.storage.audit.Source;
import java.util.Optional;

/// Feeds the auditor from a running etcd. Sees what is live; history and residue are in files only.
final class LiveAudit {
  private final Auditor auditor;

  LiveAudit(Auditor auditor) {
    this.auditor = auditor;
  }

  AuditReport etcd(String url, Access access) {
    try (var etcd = new LiveEtcd(access)) {
      LiveEtcd.Survey survey =
          etcd.forEach((key, value, revision) -> auditor.add(Place.LIVE, key, value, revision));
      return auditor.report(
          new Source(url, survey.revision(), 0, survey.keys(), survey.keys(), 0, Optional.empty()));
    } catch (LiveEtcdException e) {
      throw new CommandFailure(url + ": " + e.getMessage(), e.detail(), e);
    }
  }
}
