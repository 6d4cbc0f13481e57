package io.keyward.kms.tck;

import io.keyward.kms.spi.KmsException.Kind;

/// What a KMS does to calls.
public enum Trouble {
  NONE(Kind.INTERNAL),
  /// Answers rightly, after half a second.
  LATE(Kind.INTERNAL),
  /// Answers after ten seconds.
  SLOW(Kind.TIMEOUT),
  /// Takes requests and never answers.
  SILENT(Kind.TIMEOUT),
  /// Drops the connection instead of answering.
  RESET(Kind.UNAVAILABLE),
  /// 429, or what stands for it.
  THROTTLED(Kind.THROTTLED),
  /// 500, as a proxy in front of the KMS gives it.
  BROKEN(Kind.UNAVAILABLE),
  /// 503.
  UNAVAILABLE(Kind.UNAVAILABLE),
  /// 403.
  DENIED(Kind.DENIED),
  /// Success, with nothing in it.
  EMPTY(Kind.INTERNAL);

  private final Kind kind;

  Trouble(Kind kind) {
    this.kind = kind;
  }

  /// An empty answer may also look like one that was damaged on its way.
  boolean allows(Kind seen) {
    return seen == kind || (this == EMPTY && seen == Kind.UNAVAILABLE);
  }

  boolean takesLong() {
    return kind == Kind.TIMEOUT;
  }
}
