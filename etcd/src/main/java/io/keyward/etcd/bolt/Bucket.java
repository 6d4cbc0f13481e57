package io.keyward.etcd.bolt;

import io.keyward.etcd.bytes.ByteView;

/// A named tree. A small one lives inside the leaf that names it: then `root` is 0.
public record Bucket(ByteView name, long root, long inlineAt, int inlineSize) {
  static final int HEADER = 16;

  boolean isInline() {
    return root == 0;
  }
}
