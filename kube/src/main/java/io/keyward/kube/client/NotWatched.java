package io.keyward.kube.client;

/// No watch covers an object, so only a live look can tell.
public final class NotWatched extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotWatched(String path) {
    super("no watch covers " + path);
  }
}
