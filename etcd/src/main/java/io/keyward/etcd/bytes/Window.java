package io.keyward.etcd.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A file of which one part is copied to an array. What lies in that part is read from the array,
/// all else from the file.
///
/// Why not all from the file: each access to a mapped file becomes so much code that the compiler
/// worked longer than the audit. Numbers are little-endian.
public final class Window {
  /// Nearly all pages fit. What does not is read from the file, only slower.
  private static final int MOST = 1 << 18;

  private static final int FIRST = 1 << 14;
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment file;
  private byte[] bytes = new byte[FIRST];
  private long from;
  private int size;

  public Window(MemorySegment file) {
    this.file = file;
  }

  public long fileSize() {
    return file.byteSize();
  }

  /// Moves to a part of the file; to its beginning only where it is large.
  public void move(long newFrom, long newSize) {
    int wanted = Math.clamp(newSize, 0, MOST);
    int known = newFrom == from ? Math.min(size, wanted) : 0;
    if (bytes.length < wanted) {
      bytes = Arrays.copyOf(bytes, Math.min(MOST, Integer.highestOneBit(wanted) * 2));
    }
    MemorySegment.copy(file, ValueLayout.JAVA_BYTE, newFrom + known, bytes, known, wanted - known);
    from = newFrom;
    size = wanted;
  }

  public boolean holds(long at, long count) {
    return at >= from && count <= size && at - from <= size - count;
  }

  public byte int8(long at) {
    long i = at - from;
    return i >= 0 && i < size ? bytes[(int) i] : file.get(ValueLayout.JAVA_BYTE, at);
  }

  public short int16(long at) {
    long i = at - from;
    return i >= 0 && i <= size - Short.BYTES
        ? (short) SHORTS.get(bytes, (int) i)
        : file.get(SHORT, at);
  }

  public int int32(long at) {
    long i = at - from;
    return i >= 0 && i <= size - Integer.BYTES ? (int) INTS.get(bytes, (int) i) : file.get(INT, at);
  }

  public long int64(long at) {
    long i = at - from;
    return i >= 0 && i <= size - Long.BYTES ? (long) LONGS.get(bytes, (int) i) : file.get(LONG, at);
  }

  public void copyTo(byte[] into, int place, long at, int count) {
    if (holds(at, count)) {
      System.arraycopy(bytes, (int) (at - from), into, place, count);
    } else {
      MemorySegment.copy(file, ValueLayout.JAVA_BYTE, at, into, place, count);
    }
  }

  /// Whether so many bytes here are those at a place of another window.
  public boolean hasSame(long at, int count, Window that, long thatAt) {
    if (holds(at, count) && that.holds(thatAt, count)) {
      int here = (int) (at - from);
      int there = (int) (thatAt - that.from);
      return Arrays.equals(bytes, here, here + count, that.bytes, there, there + count);
    }
    return MemorySegment.mismatch(file, at, at + count, that.file, thatAt, thatAt + count) < 0;
  }
}
