package io.keyward.storage.read;

import io.keyward.etcd.bytes.ByteView;
import java.util.Optional;

/// What kube-apiserver makes of a stored value.
public sealed interface Reading {
  /// `stale`: an update that changes nothing would still rewrite the value.
  record Opened(ByteView plaintext, boolean stale, Optional<Match> match) implements Reading {}

  /// `detail` is what a KMS plugin said, in its own words; empty where no plugin was asked.
  record Refused(ErrorClass errorClass, String detail) implements Reading {
    private static final int MAX_DETAIL = 500;

    /// A plugin's words go to a terminal, so they must not steer it.
    public Refused {
      detail = detail.replaceAll("\\p{Cntrl}+", " ").strip();
      detail = detail.length() > MAX_DETAIL ? detail.substring(0, MAX_DETAIL) + "…" : detail;
    }

    Refused(ErrorClass errorClass) {
      this(errorClass, "");
    }

    /// For people.
    public String words() {
      return errorClass.words() + (detail.isEmpty() ? "" : "; the plugin says: " + detail);
    }
  }

  /// Which part of the configuration opened the value. Both indexes count as in the file.
  record Match(int resourcesIndex, int providerIndex, Optional<String> key, Optional<String> kms) {}
}
