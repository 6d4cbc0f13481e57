package io.keyward.etcd.snapshot;

import io.keyward.etcd.bolt.BoltFile;
import io.keyward.etcd.bolt.PageProblem;
import io.keyward.etcd.mvcc.DatabaseFacts;
import io.keyward.etcd.mvcc.MvccReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/// A snapshot, or the `db` file of a stopped member. Mapped read-only: nothing is ever written.
public final class EtcdFile implements AutoCloseable {
  private static final int DIGEST = 32;
  private static final int BLOCK = 512;
  private static final int PIECE = 1 << 16;

  private final Arena arena;
  private final MemorySegment whole;
  private final MemorySegment database;
  private final BoltFile bolt;
  private final MvccReader mvcc;

  private EtcdFile(Arena arena, MemorySegment whole) {
    this.arena = arena;
    this.whole = whole;
    this.database = whole.asSlice(0, databaseSize(whole.byteSize()));
    this.bolt = BoltFile.open(database);
    if (database.byteSize() % BLOCK != 0) {
      bolt.note(PageProblem.Kind.ODD_LENGTH, database.byteSize() / bolt.meta().pageSize());
    }
    this.mvcc = new MvccReader(bolt);
  }

  /// Throws [io.keyward.etcd.bolt.BoltException] where the file is no readable database.
  public static EtcdFile open(Path path) throws IOException {
    Arena arena = Arena.ofShared();
    boolean opened = false;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      var file =
          new EtcdFile(arena, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
      opened = true;
      return file;
    } finally {
      if (!opened) {
        arena.close();
      }
    }
  }

  /// A database is a whole number of blocks; what is over is the digest.
  private static long databaseSize(long size) {
    return size % BLOCK == DIGEST ? size - DIGEST : size;
  }

  public long size() {
    return whole.byteSize();
  }

  public int pageSize() {
    return bolt.meta().pageSize();
  }

  public long txid() {
    return bolt.meta().txid();
  }

  public MvccReader mvcc() {
    return mvcc;
  }

  public BoltFile bolt() {
    return bolt;
  }

  public DatabaseFacts facts() {
    return DatabaseFacts.of(bolt, mvcc);
  }

  public List<PageProblem> problems() {
    return bolt.problems();
  }

  /// Reads the whole file. May run on a thread of its own.
  public Trailer trailer() {
    if (database.byteSize() == whole.byteSize()) {
      return Trailer.ABSENT;
    }
    MessageDigest digest = sha256();
    // Copied in pieces that fit the processor's cache: the compiled SHA-256 wants an array.
    var piece = new byte[PIECE];
    for (long at = 0; at < database.byteSize(); at += PIECE) {
      int size = (int) Math.min(PIECE, database.byteSize() - at);
      MemorySegment.copy(database, ValueLayout.JAVA_BYTE, at, piece, 0, size);
      digest.update(piece, 0, size);
    }
    byte[] stored = whole.asSlice(database.byteSize(), DIGEST).toArray(ValueLayout.JAVA_BYTE);
    return MessageDigest.isEqual(stored, digest.digest()) ? Trailer.VALID : Trailer.INVALID;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
