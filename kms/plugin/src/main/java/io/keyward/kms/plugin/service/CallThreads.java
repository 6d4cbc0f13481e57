package io.keyward.kms.plugin.service;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Runs the calls that wait for a KMS. The first few at a time have a platform thread, which the
/// answer of the KMS wakes directly; a virtual thread is woken by a poller and then by its carrier,
/// a tenth of a call to a KMS on the same node. All others have virtual threads, which cost less.
final class CallThreads {
  private static final int PLATFORM = 2;
  private static final int IDLE_SECONDS = 60;
  private static final ThreadPoolExecutor FEW =
      new ThreadPoolExecutor(
          0,
          PLATFORM,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("call-", 0).factory());

  private CallThreads() {}

  static void start(String name, Runnable call) {
    try {
      FEW.execute(call);
    } catch (RejectedExecutionException _) {
      Thread.ofVirtual().name(name).start(call);
    }
  }
}
