package io.keyward.storage.live;

import io.keyward.etcd.live.Access;
import io.keyward.etcd.live.LiveEtcd;
import io.keyward.etcd.live.LiveEtcdException;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor;
import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.audit.Finding;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.audit.Source;
import io.keyward.storage.run.AuditProgress;
import io.keyward.storage.run.AuditSource;
import io.keyward.storage.run.SourceFailure;
import io.keyward.storage.run.SourceFailure.Kind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A running etcd. Sees what is live; history and residue are in files only.
public record LiveSource(Access access) implements AuditSource {
  private static final List<String> LIMITS =
      List.of(
          "only live values: the history, free pages and the write-ahead log are in files alone;"
              + " audit a snapshot or a data directory for them");

  @Override
  public AuditReport audit(Auditor auditor, AuditProgress progress) {
    String url = access.endpoints().stream().map(Object::toString).collect(Collectors.joining(","));
    try (var etcd = new LiveEtcd(access)) {
      LiveEtcd.Survey survey =
          etcd.forEach(
              progress::begin,
              (key, value, revision) -> {
                auditor.add(Location.LIVE, key, value, revision);
                progress.step();
              });
      if (survey.keys() != survey.announced()) {
        String counts = "etcd counts " + survey.announced() + " keys and sent " + survey.keys();
        auditor.add(new Finding(Rule.UNSEEN, "", counts));
      }
      return auditor.report(
          new Source(
              url,
              survey.revision(),
              0,
              survey.keys(),
              survey.keys(),
              0,
              Optional.empty(),
              LIMITS));
    } catch (LiveEtcdException e) {
      throw new SourceFailure(
          Kind.NO_ANSWER,
          url + ": " + e.getMessage(),
          e.kind().remedy() + " (" + e.detail() + ")",
          e);
    }
  }
}
