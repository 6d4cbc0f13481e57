package io.keyward.kube.client;

/// An object was modified since it was observed. No failure: the next turn decides again.
public final class Conflict extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String object;

  public Conflict(String object) {
    super(object + " was modified concurrently");
    this.object = object;
  }

  public String object() {
    return object;
  }
}
