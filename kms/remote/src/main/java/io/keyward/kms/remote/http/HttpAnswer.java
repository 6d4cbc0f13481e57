package io.keyward.kms.remote.http;

/// What a server answered.
public final class HttpAnswer {
  private final int status;
  private final byte[] body;
  private final boolean reusable;

  HttpAnswer(int status, byte[] body, boolean reusable) {
    this.status = status;
    this.body = body;
    this.reusable = reusable;
  }

  public int status() {
    return status;
  }

  /// The caller's own: it may hold secrets, and be overwritten.
  public byte[] body() {
    return body;
  }

  /// Whether the connection may serve the next request.
  boolean reusable() {
    return reusable;
  }
}
