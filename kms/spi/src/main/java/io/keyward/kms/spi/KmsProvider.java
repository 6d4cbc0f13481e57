package io.keyward.kms.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

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

  /// How to call a provider whose calls hold their thread until they end, as those of native
  /// libraries do.
  ///
  /// @param calls the same provider, whose calls run in the caller's thread and end however late
  /// @param threads where to make them; they refuse what would have to wait for too long
  record BlockingCalls(KmsProvider calls, Executor threads) {}

  /// For callers that stop waiting by themselves: it saves them two changes of threads. Empty where
  /// calls hold no thread.
  default Optional<BlockingCalls> blockingCalls() {
    return Optional.empty();
  }

  /// What the KMS says about the KEK now. May cost calls to the KMS, so it is asked every few
  /// minutes and never on behalf of a request.
  default KekReport report(Duration timeout) {
    return KekReport.NOTHING;
  }

  /// Compares what the provider keeps in memory with its source, where it keeps anything. May wait
  /// for a disk; called before a probe and never on behalf of a request.
  default void recheck() {}

  @Override
  void close();
}
