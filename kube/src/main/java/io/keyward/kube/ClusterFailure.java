package io.keyward.kube;

/// The cluster refused something, or did not answer. The text never holds the body of a request.
public final class ClusterFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  public ClusterFailure(String what) {
    this(what, 0);
  }

  ClusterFailure(String what, int status) {
    super(what);
    this.status = status;
  }

  ClusterFailure(String what, Throwable cause) {
    super(what, cause);
    this.status = 0;
  }

  /// 0 where there was no answer.
  public int status() {
    return status;
  }
}
