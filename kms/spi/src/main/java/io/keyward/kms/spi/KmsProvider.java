package io.keyward.kms.spi;

import java.time.Duration;

/// One KEK in one KMS, in all its versions.
///
/// Guarantee: what [#wrap] returned, and nothing else, can be opened by [#unwrap] of the same KEK:
/// a changed ciphertext, key id or annotation is refused.
///
/// Thread-safe. Calls fail with [KmsException], and with nothing else, at the latest when `timeout`
/// is up. Every implementation and every decorator passes `KmsProviderContract` of module
/// `kms/tck`.
public interface KmsProvider extends AutoCloseable {
  /// Wraps with the newest version of the KEK. The id in the answer names the version that the KMS
  /// really used, never one that was asked for before or after.
  Wrapped wrap(Secret dek, Duration timeout);

  /// Opens what this or an earlier version of the KEK wrapped.
  Secret unwrap(Wrapped wrapped, Duration timeout);

  /// Whether a call may wait for a disk, a device or a network. If so, the plugin makes it on a
  /// virtual thread; if not, on the event loop, which must never wait.
  boolean blocks();

  /// What the KMS says about the KEK now. May cost calls to the KMS, so it is asked every few
  /// minutes and never on behalf of a request.
  default KekReport report(Duration timeout) {
    return KekReport.NOTHING;
  }

  @Override
  void close();
}
