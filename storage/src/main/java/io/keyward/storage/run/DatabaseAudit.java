package io.keyward.storage.run;

import io.keyward.etcd.mvcc.DatabaseFacts;
import io.keyward.etcd.mvcc.KeyRecord;
import io.keyward.etcd.snapshot.EtcdFile;
import io.keyward.etcd.snapshot.Trailer;
import io.keyward.storage.audit.Auditor;
import io.keyward.storage.audit.Auditor.Location;
import io.keyward.storage.audit.FileDamage;
import io.keyward.storage.audit.Source;
import io.keyward.storage.run.SourceFailure.Kind;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Feeds the auditor from a database file: live values, the history and free pages.
final class DatabaseAudit {
  private final Auditor auditor;
  private final AuditProgress progress;

  DatabaseAudit(Auditor auditor, AuditProgress progress) {
    this.auditor = auditor;
    this.progress = progress;
  }

  Source read(Path path, EtcdFile file) {
    // The digest needs every byte once and nothing else: it has a core of its own.
    var digest = new FutureTask<>(file::trailer);
    Thread.ofPlatform().daemon().name("digest").start(digest);
    try {
      readRecords(file);
      Trailer trailer = digest.get();
      return source(path, file, trailer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SourceFailure(Kind.INTERRUPTED, "interrupted", "", e);
    } catch (ExecutionException e) {
      // The file may have been truncated meanwhile.
      if (e.getCause() instanceof Error fault) {
        throw fault;
      }
      throw new SourceFailure(Kind.UNREADABLE, "cannot compute the file's digest", "", e);
    }
  }

  private void readRecords(EtcdFile file) {
    progress.beginBytes(file.size());
    file.mvcc().forEachNewestFirst((record, live) -> add(file, record, live));
    file.mvcc()
        .forEachResidue((record, _) -> {
          if (!record.isTombstone()) {
            add(Location.FREE_PAGES, record, record.main());
          }
        });
  }

  private void add(EtcdFile file, KeyRecord record, boolean live) {
    if (!record.isTombstone()) {
      add(live ? Location.LIVE : Location.HISTORY, record, record.modRevision());
    }
    progress.reach(file.bolt().bytesReached());
  }

  private void add(Location where, KeyRecord record, long revision) {
    auditor.add(where, record.keyInPlace(), record.valueInPlace(), revision);
  }

  private Source source(Path path, EtcdFile file, Trailer trailer) {
    DatabaseFacts facts = file.facts();
    FileDamage.of(file, trailer).forEach(auditor::add);
    return new Source(
        path.toString(),
        facts.currentRevision(),
        facts.compacted().orElse(0),
        file.mvcc().liveKeys(),
        file.mvcc().revisions(),
        file.mvcc().tombstones(),
        trailer == Trailer.ABSENT ? Optional.empty() : Optional.of(trailer == Trailer.VALID),
        FileDamage.limits(trailer));
  }
}
