package io.keyward.kube.client;

import io.keyward.core.model.Problem;

/// The cluster refused something, or did not answer. The text never holds the body of a request.
public final class ClusterFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  public ClusterFailure(String what) {
    this(what, 0);
  }

  public ClusterFailure(String what, int status) {
    super(what);
    this.status = status;
  }

  /// An object of the cluster cannot be read.
  public ClusterFailure(Problem problem) {
    this(problem.where() + " " + problem.what());
  }

  public ClusterFailure(String what, Throwable cause) {
    super(what, cause);
    this.status = 0;
  }

  /// 0 where there was no answer.
  public int status() {
    return status;
  }
}
