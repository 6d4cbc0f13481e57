package io.keyward.storage.run;

import io.keyward.etcd.bolt.BoltException;
import io.keyward.etcd.snapshot.EtcdFile;
import io.keyward.storage.run.SourceFailure.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/// Opens a snapshot or the `db` file of a member, for audits and for recovery.
public final class SnapshotFile {
  private SnapshotFile() {}

  /// Opens the file, lets `reading` look at it, and closes it.
  ///
  /// @throws SourceFailure if the file cannot be read, or is no database of etcd
  public static <T> T read(Path path, Function<EtcdFile, T> reading) {
    if (Files.isDirectory(path)) {
      throw new SourceFailure(Kind.IS_DIRECTORY, path + " is a directory", "give a snapshot file");
    }
    try (EtcdFile file = EtcdFile.open(path)) {
      return reading.apply(file);
    } catch (BoltException e) {
      throw new SourceFailure(
          Kind.NOT_A_DATABASE, path + ": " + e.getMessage(), "give an etcd snapshot", e);
    } catch (IOException e) {
      throw SourceFailure.unreadable(path, e);
    }
  }
}
