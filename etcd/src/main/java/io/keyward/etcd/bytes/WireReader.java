package io.keyward.etcd.bytes;

/// Walks the fields of a protobuf message. Total: damage ends the walk and shows in [#isDamaged],
/// it never throws. Accepts what Go's decoder accepts: over-long varints, any order, groups.
public final class WireReader {
  public static final int VARINT = 0;
  public static final int FIXED64 = 1;
  public static final int BYTES = 2;
  public static final int FIXED32 = 5;

  private static final int START_GROUP = 3;
  private static final int END_GROUP = 4;
  private static final int MAX_FIELD = (1 << 29) - 1;
  private static final int MAX_GROUP_DEPTH = 100;
  private static final int MAX_VARINT = 10;

  private final ByteView message;
  private int at;
  private int field;
  private int wireType;
  private long number;
  private ByteView content = ByteView.EMPTY;
  private boolean damaged;

  public WireReader(ByteView message) {
    this.message = message;
  }

  /// Moves to the next field. False at the end, and where the message is damaged.
  public boolean next() {
    if (damaged || at == message.size()) {
      return false;
    }
    readTag();
    if (!damaged) {
      readContent(0);
    }
    return !damaged;
  }

  public boolean isDamaged() {
    return damaged;
  }

  /// The number of the current field.
  public int field() {
    return field;
  }

  /// Whether the current field has this number and this wire type; another type is another field.
  public boolean is(int wantedField, int wantedType) {
    return field == wantedField && wireType == wantedType;
  }

  /// The number in a varint or fixed field.
  public long number() {
    return number;
  }

  /// The content of a length-delimited field.
  public ByteView content() {
    return content;
  }

  private void readTag() {
    long tag = varint();
    long wanted = tag >>> 3;
    if (wanted < 1 || wanted > MAX_FIELD) {
      damaged = true;
    }
    field = (int) wanted;
    wireType = (int) (tag & 7);
  }

  private void readContent(int depth) {
    switch (wireType) {
      case VARINT -> number = varint();
      case FIXED64 -> number = fixed(8);
      case FIXED32 -> number = fixed(4);
      case BYTES -> content = take(varint());
      case START_GROUP -> skipGroup(field, depth);
      default -> damaged = true;
    }
  }

  private void skipGroup(int group, int depth) {
    if (depth > MAX_GROUP_DEPTH) {
      damaged = true;
    }
    while (!damaged) {
      readTag();
      if (!damaged && wireType == END_GROUP) {
        damaged = field != group;
        break;
      }
      if (!damaged) {
        readContent(depth + 1);
      }
    }
    field = group;
    wireType = START_GROUP;
  }

  private long varint() {
    long value = 0;
    for (int i = 0; i < MAX_VARINT && at < message.size(); i++) {
      byte part = message.at(at++);
      value |= (long) (part & 0x7f) << (7 * i);
      if (part >= 0) {
        // The tenth byte holds one bit; more would not fit.
        damaged |= i == MAX_VARINT - 1 && part > 1;
        return value;
      }
    }
    damaged = true;
    return 0;
  }

  private long fixed(int width) {
    ByteView raw = take(width);
    long value = 0;
    for (int i = raw.size() - 1; i >= 0; i--) {
      value = value << 8 | (raw.at(i) & 0xff);
    }
    return value;
  }

  private ByteView take(long count) {
    if (damaged || count < 0 || count > message.size() - at) {
      damaged = true;
      return ByteView.EMPTY;
    }
    ByteView taken = message.slice(at, at + (int) count);
    at += (int) count;
    return taken;
  }
}
