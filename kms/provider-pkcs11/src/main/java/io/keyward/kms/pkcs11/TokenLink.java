package io.keyward.kms.pkcs11;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Sessions at one token beside those of the JDK's provider. One serves one caller at a time and is
/// kept for the next.
final class TokenLink implements AutoCloseable {
  /// What is done in a session.
  interface Use<T> {
    T with(Cryptoki module, long session);
  }

  private final Cryptoki module;
  private final long slot;
  private final Queue<Long> idle = new ConcurrentLinkedQueue<>();

  TokenLink(Cryptoki module, long slot) {
    this.module = module;
    this.slot = slot;
  }

  <T> T inSession(Use<T> use) {
    Long kept = idle.poll();
    long session = kept == null ? module.openSession(slot) : kept;
    boolean good = false;
    try {
      T result = use.with(module, session);
      good = true;
      return result;
    } finally {
      if (good) {
        idle.add(session);
      } else {
        end(session);
      }
    }
  }

  private void end(long session) {
    try {
      module.closeSession(session);
    } catch (CryptokiException _) {
      // It is gone already.
    }
  }

  @Override
  public void close() {
    for (Long session = idle.poll(); session != null; session = idle.poll()) {
      end(session);
    }
  }
}
