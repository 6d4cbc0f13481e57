package io.keyward.cli.audit;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.keys.KeyOptions;
import io.keyward.cli.output.Progress;
import io.keyward.etcd.bolt.BoltException;
import io.keyward.etcd.mvcc.DatabaseFacts;
import io.keyward.etcd.mvcc.KeyRecord;
import io.keyward.etcd.snapshot.EtcdFile;
import io.keyward.etcd.snapshot.Trailer;
import io.keyward.etcd.wal.WalFile;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Auditor;
import io.keyward.storage.audit.Auditor.Place;
import io.keyward.storage.audit.Finding;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.audit.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/// Feeds the auditor from files.
final class FileAudit {
  private final Auditor auditor;
  private final Progress progress;

  FileAudit(Auditor auditor, Progress progress) {
    this.auditor = auditor;
    this.progress = progress;
  }

  AuditReport snapshot(Path path) {
    try (EtcdFile file = EtcdFile.open(path)) {
      return auditor.report(read(path, file));
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
    readLogs(directory.resolve("member/wal"));
    return snapshot(database);
  }

  private void readLogs(Path directory) {
    for (Path segment : segments(directory)) {
      try {
        WalFile.End end =
            WalFile.read(segment, (key, value) -> auditor.add(Place.LOG, key, value, 0));
        if (end.damaged()) {
          String where = segment.getFileName() + " at offset " + end.at();
          auditor.add(new Finding(Rule.DAMAGED_LOG, "", where));
        }
        if (end.wrongSums() > 0) {
          String where = segment.getFileName() + " from offset " + end.firstWrong();
          String what = where + ": " + end.wrongSums() + " records with a wrong checksum";
          auditor.add(new Finding(Rule.DAMAGED_LOG, "", what));
        }
      } catch (IOException e) {
        throw KeyOptions.unreadable(segment, e);
      }
    }
  }

  private static List<Path> segments(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".wal")).sorted().toList();
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
      throw new CommandFailure("the file's digest could not be computed", "", e);
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
    if (trailer == Trailer.INVALID) {
      auditor.add(new Finding(Rule.BAD_DIGEST, "", "the SHA-256 at its end does not match"));
    }
    file.problems()
        .forEach(problem ->
            auditor.add(
                new Finding(
                    Rule.DAMAGED_PAGE,
                    "",
                    "page " + problem.page() + ": " + problem.kind().words())));
    DatabaseFacts facts = file.facts();
    return new Source(
        path.toString(),
        facts.currentRevision(),
        facts.compacted().orElse(0),
        file.mvcc().liveKeys(),
        file.mvcc().revisions(),
        file.mvcc().tombstones(),
        trailer == Trailer.ABSENT ? Optional.empty() : Optional.of(trailer == Trailer.VALID));
  }
}
