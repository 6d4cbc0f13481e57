package io.keyward.storage.read;

import io.keyward.etcd.bytes.ByteView;

/// The answer of one key to one sealed body.
sealed interface Opening {
  record Plain(ByteView plaintext, boolean outdatedForm) implements Opening {
    Plain(byte[] plaintext) {
      this(ByteView.wrap(plaintext), false);
    }
  }

  /// `detail` is what a KMS plugin said, else empty.
  record Failed(ErrorClass errorClass, String detail) implements Opening {
    Failed(ErrorClass errorClass) {
      this(errorClass, "");
    }
  }
}
