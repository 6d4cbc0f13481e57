package io.keyward.http;

/// What a server answered.
public final class HttpAnswer {
  private final int status;
  private final String date;
  private final String retryAfter;
  private final byte[] body;
  private final boolean reusable;

  HttpAnswer(int status, String date, String retryAfter, byte[] body, boolean reusable) {
    this.status = status;
    this.date = date;
    this.retryAfter = retryAfter;
    this.body = body;
    this.reusable = reusable;
  }

  public int status() {
    return status;
  }

  /// When the server gave it, as the server wrote it; empty text where it does not say.
  public String date() {
    return date;
  }

  /// How long the server wants to be left alone, as it wrote it; empty text where it does not say.
  public String retryAfter() {
    return retryAfter;
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
