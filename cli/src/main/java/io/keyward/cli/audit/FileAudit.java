package io.keyward.cli.audit;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.keys.KeyOptions;
import io.keyward.cli.output.Progress;
import io.keyward.etcd.bolt.BoltException;
import io.keyward.etcd.mvcc.DatabaseFacts;
import io.keyward.etcd.mvcc.KeyRecord;
import io.keyward.etcd.snapshot.EtcdFile;
import io.keyward.etcd.snapshot.Trailer;
import io.keyward.etcd.wal.WalDirectory;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor;
import io.keyward.storage.audit.Auditor.Place;
import io.keyward.storage.audit.FileDamage;
import io.keyward.storage.audit.Finding;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.audit.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;

/// Feeds the auditor from files.
final class FileAudit {
  private final Auditor auditor;
  private final Progress progress;

  FileAudit(Auditor auditor, Progress progress) {
    this.auditor = auditor;
    this.progress = progress;
  }

  AuditReport snapshot(Path path) {
    return open(path, file -> read(path, file));
  }

  private AuditReport open(Path path, Function<EtcdFile, Source> reading) {
    if (Files.isDirectory(path)) {
      throw new CommandFailure(
          path + " is a directory", "give a snapshot file, or pass the directory as --data-dir");
    }
    try (EtcdFile file = EtcdFile.open(path)) {
      return auditor.report(reading.apply(file));
    } catch (BoltException e) {
      throw new CommandFailure(
          path + ": " + e.getMessage(), "give an etcd snapshot, or a stopped member's db file", e);
    } catch (IOException e) {
      throw KeyOptions.unreadable(path, e);
    }
  }

  AuditReport dataDir(Path directory) {
    Path database = directory.resolve("member/snap/db");
    if (!Files.exists(database)) {
      throw new CommandFailure(
          "not a data directory of etcd: " + directory,
          "it must hold member/snap/db; etcd's --data-dir says where it is");
    }
    Path log = directory.resolve("member/wal");
    var use = new SourceUse(directory);
    return open(
        database,
        file -> {
          Source source = read(database, file);
          readLog(log, file.facts().consistentIndex());
          use.signs().forEach(sign -> auditor.add(new Finding(Rule.UNSEEN, "", sign)));
          return source;
        });
  }

  /// What the database does not hold yet is live after the next start of etcd.
  private void readLog(Path directory, OptionalLong applied) {
    try {
      WalDirectory log = WalDirectory.list(directory);
      log.read(
          applied,
          (index, key, value) -> {
            auditor.add(Place.LOG, key, value, 0);
            if (applied.isEmpty() || index > applied.getAsLong()) {
              auditor.add(Place.UNAPPLIED, key, value, 0);
            }
          });
      log.problems().forEach(what -> auditor.add(new Finding(Rule.DAMAGED_LOG, "", what)));
    } catch (IOException e) {
      throw KeyOptions.unreadable(directory, e);
    }
  }

  private Source read(Path path, EtcdFile file) {
    // The digest needs every byte once and nothing else: it has a core of its own.
    var digest = new FutureTask<>(file::trailer);
    Thread.ofPlatform().daemon().name("digest").start(digest);
    try {
      readRecords(file);
      Trailer trailer = digest.get();
      return source(path, file, trailer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", "", e);
    } catch (ExecutionException e) {
      // The file may have been truncated meanwhile.
      if (e.getCause() instanceof Error fault) {
        throw fault;
      }
      throw new CommandFailure("cannot compute the file's digest", "", e);
    }
  }

  private void readRecords(EtcdFile file) {
    progress.beginBytes(file.size());
    file.mvcc().forEachNewestFirst((record, live) -> add(file, record, live));
    file.mvcc()
        .forEachResidue((record, _) -> {
          if (!record.isTombstone()) {
            add(Place.FREE_PAGES, record, record.main());
          }
        });
  }

  private void add(EtcdFile file, KeyRecord record, boolean live) {
    if (!record.isTombstone()) {
      add(live ? Place.LIVE : Place.HISTORY, record, record.modRevision());
    }
    progress.reach(file.bolt().bytesReached());
  }

  private void add(Place where, KeyRecord record, long revision) {
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
