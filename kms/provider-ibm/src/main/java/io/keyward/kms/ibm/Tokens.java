package io.keyward.kms.ibm;

import io.keyward.kms.ibm.IamLogin.Token;
import io.keyward.kms.remote.Deadline;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// The token in use. Renewed in the background when half of its life is over, and at once when it
/// was refused. However many callers need a new one, there is one log-in at a time.
final class Tokens {
  private final IamLogin login;
  private final Clock clock;
  private final Object lock = new Object();
  private @Nullable Token current;
  private @Nullable CompletableFuture<Token> running;

  Tokens(IamLogin login, Clock clock) {
    this.login = login;
    this.clock = clock;
  }

  Token get(Deadline deadline) {
    CompletableFuture<Token> next;
    synchronized (lock) {
      Instant now = clock.instant();
      if (current != null && current.usable(now)) {
        if (current.old(now)) {
          var _ = renewal();
        }
        return current;
      }
      next = renewal();
    }
    try {
      return deadline.await(next);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KmsException failure) {
        throw new KmsException(
            failure.kind(), String.valueOf(failure.getMessage()), failure.details());
      }
      throw new KmsException(Kind.INTERNAL, "the log-in failed");
    }
  }

  /// Does not hand `refused` out again.
  void drop(Token refused) {
    synchronized (lock) {
      if (refused.equals(current)) {
        current = null;
      }
    }
  }

  Optional<Instant> until() {
    synchronized (lock) {
      return Optional.ofNullable(current).map(Token::until);
    }
  }

  private CompletableFuture<Token> renewal() {
    if (running != null) {
      return running;
    }
    var mine = new CompletableFuture<Token>();
    running = mine;
    Thread.ofVirtual().name("ibm-login").start(() -> renew(mine));
    return mine;
  }

  private void renew(CompletableFuture<Token> mine) {
    try {
      Token token = login.run();
      synchronized (lock) {
        current = token;
        running = null;
      }
      mine.complete(token);
    } catch (RuntimeException e) {
      synchronized (lock) {
        running = null;
      }
      mine.completeExceptionally(e);
    }
  }
}
