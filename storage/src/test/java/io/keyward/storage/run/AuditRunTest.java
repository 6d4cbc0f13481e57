package io.keyward.storage.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyward.storage.Vectors;
import io.keyward.storage.audit.AuditReport;
import io.keyward.storage.audit.Expectation;
import io.keyward.storage.audit.Finding.Rule;
import io.keyward.storage.run.SourceFailure.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Audits as an operator runs them: for the report, without a command line.
final class AuditRunTest {
  @TempDir private Path directory;

  private static AuditRun unused(String key) {
    return new AuditRun(
        new Expectation(Set.of(), Set.of(), Optional.empty(), Set.of(key), Set.of()),
        Optional.empty(),
        Optional.empty(),
        10);
  }

  private static SourceFailure failure(AuditSource source) {
    return catchThrowableOfType(
        SourceFailure.class, () -> unused("any").on(source, AuditProgress.NONE));
  }

  @Test
  void aSnapshotProvesWhichKeyIsUnused() {
    var snapshot = new SnapshotSource(Vectors.unpack("public-cluster.db", directory));
    assertThat(unused("nobody").on(snapshot, AuditProgress.NONE).isClean()).isTrue();
    AuditReport used = unused("cbc-public").on(snapshot, AuditProgress.NONE);
    assertThat(used.isClean()).isFalse();
    assertThat(used.count(Rule.KEY_IN_USE)).isPositive();
    assertThat(used.coverage().isComplete()).isTrue();
  }

  @Test
  void aDamagedSnapshotProvesNothing() throws IOException {
    Path file = Vectors.unpack("public-cluster.db", directory);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1; // in the digest
    Files.write(file, bytes);
    AuditReport report = unused("nobody").on(new SnapshotSource(file), AuditProgress.NONE);
    assertThat(report.isClean()).isFalse();
    assertThat(report.coverage().isComplete()).isFalse();
  }

  @Test
  void progressIsToldInBytes() throws IOException {
    Path file = Vectors.unpack("public-cluster.db", directory);
    var total = new AtomicLong();
    var reached = new AtomicLong();
    var progress =
        new AuditProgress() {
          @Override
          public void begin(long values) {}

          @Override
          public void beginBytes(long bytes) {
            total.set(bytes);
          }

          @Override
          public void step() {}

          @Override
          public void reach(long done) {
            reached.set(done);
          }
        };
    unused("nobody").on(new SnapshotSource(file), progress);
    assertThat(reached.get()).isPositive().isLessThanOrEqualTo(total.get());
    assertThat(total.get()).isLessThanOrEqualTo(Files.size(file));
  }

  @Test
  void aDataDirectoryIsNamedByItsDatabase() throws IOException {
    Path member = directory.resolve("etcd/member");
    Path snap = Files.createDirectories(member.resolve("snap"));
    Files.createDirectories(member.resolve("wal"));
    Files.move(Vectors.unpack("public-cluster.db", directory), snap.resolve("db"));
    AuditReport report =
        unused("nobody").on(new DataDirectorySource(directory.resolve("etcd")), AuditProgress.NONE);
    assertThat(report.source().name()).isEqualTo(snap.resolve("db").toString());
    assertThat(report.source().liveKeys()).isPositive();
  }

  @Test
  void aSourceThatCannotBeReadSaysWhy() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "no database");
    Path none = directory.resolve("none");
    assertThat(failure(new SnapshotSource(directory)))
        .hasMessage(directory + " is a directory")
        .returns(Kind.IS_DIRECTORY, SourceFailure::kind);
    assertThat(failure(new SnapshotSource(text)))
        .hasMessageStartingWith(text + ": ")
        .returns(Kind.NOT_A_DATABASE, SourceFailure::kind);
    assertThat(failure(new SnapshotSource(none)))
        .hasMessage("no such file: " + none)
        .returns("check the path", SourceFailure::remedy);
    assertThat(failure(new DataDirectorySource(directory)))
        .hasMessage("not a data directory of etcd: " + directory)
        .returns(Kind.NOT_A_DATA_DIRECTORY, SourceFailure::kind);
  }

  @Test
  void aFailureOfTheReaderPassesThrough() {
    Path file = Vectors.unpack("public-cluster.db", directory);
    assertThatIllegalStateException()
        .isThrownBy(() ->
            SnapshotFile.read(
                file,
                _ -> {
                  throw new IllegalStateException("of the reader");
                }));
  }
}
