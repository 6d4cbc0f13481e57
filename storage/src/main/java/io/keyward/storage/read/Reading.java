package io.keyward.storage.read;

import io.keyward.etcd.bytes.Bytes;
import java.util.Optional;

/// What kube-apiserver makes of a stored value.
public sealed interface Reading {
  /// `stale`: an update that changes nothing would still rewrite the value.
  record Opened(Bytes plaintext, boolean stale, Optional<Match> match) implements Reading {}

  record Refused(ErrorClass errorClass) implements Reading {}

  /// Which part of the configuration opened the value. Both indexes count as in the file.
  record Match(int resourcesIndex, int providerIndex, Optional<String> key, Optional<String> kms) {}
}
