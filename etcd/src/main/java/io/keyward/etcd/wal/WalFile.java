package io.keyward.etcd.wal;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.bytes.WireReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;

/// One segment of the write-ahead log. Streams; stops where the framing ends and says where.
/// Records with a wrong checksum are counted and read all the same: what lies in them is still in
/// the file.
public final class WalFile {
  private static final int METADATA = 1;
  private static final int ENTRY = 2;
  private static final int STATE = 3;
  private static final int CHECKSUM = 4;
  private static final int LAST_TYPE = 5;
  private static final int NORMAL = 0;
  private static final int FRAME = 8;

  /// etcd refuses requests far below this; a longer record is a damaged length.
  private static final int MAX_RECORD = 64 << 20;

  private static final int MAX_NESTING = 8;

  private static final int PIECE = 1 << 16;

  /// How a segment ended. `at` is the offset of the first byte that was not understood, `wrongSums`
  /// the number of faults that a checksum or the order shows, `firstWrong` the offset of the first.
  /// `lastIndex` is the raft index of the last entry, 0 where there is none.
  public record End(
      long records,
      boolean damaged,
      long at,
      long wrongSums,
      long firstWrong,
      long lastIndex,
      Sums sums) {}

  /// The running checksum with which a segment begins and ends. A segment begins with the sum at
  /// which the one before it ended, so a cut at the end of a record shows as well.
  public record Sums(OptionalInt first, int last) {}

  private final WalEntryVisitor visitor;
  private final RunningCrc crc = new RunningCrc();
  private long at;
  private long records;
  private long wrongSums;
  private long firstWrong;
  private long lastIndex;
  private long lastTerm;
  private OptionalInt firstSum = OptionalInt.empty();

  private WalFile(WalEntryVisitor visitor) {
    this.visitor = visitor;
  }

  public static End read(Path path, WalEntryVisitor visitor) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
      return read(in, visitor);
    }
  }

  public static End read(InputStream in, WalEntryVisitor visitor) throws IOException {
    return new WalFile(visitor).read(in);
  }

  private End read(InputStream in) throws IOException {
    while (true) {
      byte[] frame = in.readNBytes(FRAME);
      long header =
          frame.length < FRAME
              ? 0
              : ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getLong();
      // Segments are allocated ahead: zeros up to the end of the file are the honest end.
      if (header == 0) {
        return end(!isZero(frame) || !isZeroToEnd(in));
      }
      long size = header & 0x00ffffffffffffffL;
      long padding = header < 0 ? (header >>> 56) & 0x7 : 0;
      if (size > MAX_RECORD) {
        return end(true);
      }
      byte[] record = in.readNBytes((int) (size + padding));
      if (record.length < size || !readRecord(ByteView.wrap(record).slice(0, (int) size))) {
        return end(true);
      }
      // No checksum covers frame and padding.
      if (header >>> 56 != frameMark(size)
          || !isZero(Arrays.copyOfRange(record, (int) size, record.length))) {
        noteWrong();
      }
      at += FRAME + record.length;
      records++;
    }
  }

  /// The highest byte of a frame. It tells how many bytes fill the record up to eight.
  private static long frameMark(long size) {
    long padding = -size & 0x7;
    return padding == 0 ? 0 : 0x80 | padding;
  }

  private static boolean isZeroToEnd(InputStream in) throws IOException {
    while (true) {
      byte[] piece = in.readNBytes(PIECE);
      if (piece.length == 0) {
        return true;
      }
      if (!isZero(piece)) {
        return false;
      }
    }
  }

  private static boolean isZero(byte[] piece) {
    for (byte part : piece) {
      if (part != 0) {
        return false;
      }
    }
    return true;
  }

  private End end(boolean damaged) {
    return new End(
        records, damaged, at, wrongSums, firstWrong, lastIndex, new Sums(firstSum, crc.value()));
  }

  private boolean readRecord(ByteView record) {
    long type = 0;
    int stated = 0;
    boolean isSummed = false;
    ByteView data = ByteView.EMPTY;
    var fields = new WireReader(record);
    while (fields.next()) {
      if (fields.is(1, WireReader.VARINT)) {
        type = fields.number();
      } else if (fields.is(2, WireReader.VARINT)) {
        stated = (int) fields.number();
        isSummed = fields.number() >>> Integer.SIZE == 0;
      } else if (fields.is(3, WireReader.BYTES)) {
        data = fields.content();
      }
    }
    if (fields.isDamaged()) {
      return false;
    }
    check(type, stated, data);
    // No checksum covers the type either.
    boolean isKnown = type >= METADATA && type <= LAST_TYPE;
    if (!isKnown || !isSummed || !isInItsPlace(type) || isEntryInDisguise(type, data)) {
      noteWrong();
    }
    return type != ENTRY || readEntry(data);
  }

  /// Each segment begins with a checksum and the metadata of its member, and has no others.
  private boolean isInItsPlace(long type) {
    return (type == CHECKSUM) == (records == 0) && (type == METADATA) == (records == 1);
  }

  /// The raft state has no content. A changed type would hide the content of an entry.
  private static boolean isEntryInDisguise(long type, ByteView data) {
    var fields = new WireReader(data);
    boolean hasContent = false;
    while (type == STATE && fields.next()) {
      hasContent |= fields.is(4, WireReader.BYTES);
    }
    return hasContent;
  }

  /// A segment begins with the sum of all segments before it; here nothing is known about those.
  private void check(long type, int stated, ByteView data) {
    if (type != CHECKSUM) {
      crc.add(data);
    }
    boolean begins = type == CHECKSUM && records == 0;
    if (begins) {
      firstSum = OptionalInt.of(stated);
    }
    if (crc.value() != stated && !begins) {
      noteWrong();
    }
    crc.set(stated);
  }

  private void noteWrong() {
    firstWrong = wrongSums == 0 ? at : firstWrong;
    wrongSums++;
  }

  private boolean readEntry(ByteView entry) {
    long type = NORMAL;
    long term = 0;
    long index = 0;
    ByteView data = ByteView.EMPTY;
    var fields = new WireReader(entry);
    while (fields.next()) {
      if (fields.is(1, WireReader.VARINT)) {
        type = fields.number();
      } else if (fields.is(2, WireReader.VARINT)) {
        term = fields.number();
      } else if (fields.is(3, WireReader.VARINT)) {
        index = fields.number();
      } else if (fields.is(4, WireReader.BYTES)) {
        data = fields.content();
      }
    }
    if (fields.isDamaged()) {
      return false;
    }
    // A leader may overwrite entries, but never leaves one out, and never writes in an earlier
    // term.
    if (lastIndex > 0 && (index > lastIndex + 1 || Long.compareUnsigned(term, lastTerm) < 0)) {
      noteWrong();
    }
    lastIndex = index;
    lastTerm = term;
    if (type == NORMAL) {
      long known = index;
      readRequest(data, (key, value) -> visitor.put(known, key, value));
    }
    return true;
  }

  /// Takes the writes of one entry.
  @FunctionalInterface
  private interface Puts {
    void put(ByteView key, ByteView value);
  }

  /// The request that all members carry out. Only writes of values matter here.
  private static void readRequest(ByteView request, Puts visitor) {
    var fields = new WireReader(request);
    while (fields.next()) {
      if (fields.is(4, WireReader.BYTES)) {
        readPut(fields.content(), visitor);
      } else if (fields.is(6, WireReader.BYTES)) {
        readTransaction(fields.content(), 0, visitor);
      }
    }
  }

  private static void readTransaction(ByteView transaction, int depth, Puts visitor) {
    var fields = new WireReader(transaction);
    while (depth < MAX_NESTING && fields.next()) {
      // Both branches: the values of the one not taken are in the log as well.
      if (fields.is(2, WireReader.BYTES) || fields.is(3, WireReader.BYTES)) {
        readOperation(fields.content(), depth, visitor);
      }
    }
  }

  private static void readOperation(ByteView operation, int depth, Puts visitor) {
    var fields = new WireReader(operation);
    while (fields.next()) {
      if (fields.is(2, WireReader.BYTES)) {
        readPut(fields.content(), visitor);
      } else if (fields.is(4, WireReader.BYTES)) {
        readTransaction(fields.content(), depth + 1, visitor);
      }
    }
  }

  private static void readPut(ByteView put, Puts visitor) {
    ByteView key = ByteView.EMPTY;
    ByteView value = ByteView.EMPTY;
    var fields = new WireReader(put);
    while (fields.next()) {
      if (fields.is(1, WireReader.BYTES)) {
        key = fields.content();
      } else if (fields.is(2, WireReader.BYTES)) {
        value = fields.content();
      }
    }
    if (!key.isEmpty()) {
      visitor.put(key, value);
    }
  }
}
