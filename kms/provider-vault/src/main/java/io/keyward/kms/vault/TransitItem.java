package io.keyward.kms.vault;

/// What one wrap or unwrap asks of the transit engine.
final class TransitItem {
  private final String path;
  private final byte[] json;
  private final boolean alone;

  private TransitItem(String path, byte[] json, boolean alone) {
    this.path = path;
    this.json = json;
    this.alone = alone;
  }

  /// @param path of the operation and the key
  /// @param json one object: alone it is the body of a request, and in a batch one of its items
  static TransitItem of(String path, byte[] json) {
    return new TransitItem(path, json, false);
  }

  /// The same with a request of its own, since the answer to a batch did not say enough.
  TransitItem byItself() {
    return new TransitItem(path, json, true);
  }

  String path() {
    return path;
  }

  /// Not a copy. May hold secrets.
  byte[] json() {
    return json;
  }

  boolean isAlone() {
    return alone;
  }

  @Override
  public String toString() {
    return "TransitItem[" + path + (alone ? ", alone]" : "]");
  }
}
