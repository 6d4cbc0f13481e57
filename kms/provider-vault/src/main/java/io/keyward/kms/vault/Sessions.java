package io.keyward.kms.vault;

import io.keyward.kms.remote.ClockSkew;
import io.keyward.kms.remote.Deadline;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.vault.VaultHttp.Call;
import io.keyward.kms.vault.tls.FileStamp;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Holds the one token that all calls use. Logs in when there is none or it was refused, and renews
/// it at half its life.
///
/// Whoever needs a login while one is under way waits for that one. A login has its own time: it
/// goes on when the caller that wanted it has given up.
final class Sessions {
  private static final Logger LOG = System.getLogger(Sessions.class.getName());

  /// Longer than most calls wait: on a machine that is busy with its own start, the first login
  /// takes its time, and the next call finds it done.
  private static final Duration LOGIN = Duration.ofSeconds(10);

  /// Vault locks a role after five failed logins, for every process that uses the role. Each
  /// further refusal of the same credentials doubles the pause; other credentials need none.
  private static final Duration AFTER_REFUSED_LOGIN = Duration.ofSeconds(30);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(8);

  /// How long a refusal that a fresh token did not end counts as one of the policy.
  private static final Duration AFTER_FUTILE_LOGIN = Duration.ofSeconds(30);

  private final VaultHttp http;
  private final VaultLogin login;
  private final String namespace;
  private final InstantSource clock;
  private final Object lock = new Object();
  private volatile @Nullable Session session;
  private volatile FileStamp credentials;
  private @Nullable CompletableFuture<Session> underWay;
  private @Nullable KmsException lastRefusal;

  /// The credentials that [#lastRefusal] is about.
  private FileStamp refused = new FileStamp(List.of());

  private Instant noLoginBefore = Instant.MIN;
  private Duration pause = AFTER_REFUSED_LOGIN;
  private Instant policyUntil = Instant.MIN;
  private Instant noRenewalBefore = Instant.MIN;

  /// Logs in at `http`, in `namespace`.
  Sessions(VaultHttp http, VaultLogin login, String namespace, InstantSource clock) {
    this.http = http;
    this.login = login;
    this.namespace = namespace;
    this.clock = clock;
    this.credentials = FileStamp.of(login.watched());
  }

  /// The present one, or a new one where there is none.
  Session current(Deadline deadline) {
    Session now = session;
    return now == null || now.isOver(clock.instant()) ? loggedIn(now, deadline) : now;
  }

  /// Another one than the one that was refused; empty where another would not help.
  Optional<Session> insteadOf(Session refused, Deadline deadline) {
    synchronized (lock) {
      if (refused.equals(session) && clock.instant().isBefore(policyUntil)) {
        return Optional.empty();
      }
    }
    Session fresh = loggedIn(refused, deadline);
    if (fresh.token().equals(refused.token())) {
      refusedAgain();
      return Optional.empty();
    }
    return Optional.of(fresh);
  }

  /// A fresh token met the same refusal: it is not the token.
  void refusedAgain() {
    synchronized (lock) {
      policyUntil = clock.instant().plus(AFTER_FUTILE_LOGIN);
    }
  }

  /// A warning where this machine's clock and Vault's differ.
  Optional<String> clockWarning(Answer answer) {
    return ClockSkew.warning(answer.date(), clock.instant());
  }

  /// When the present token ends; empty where it does not, or there is none.
  Optional<Instant> end() {
    return Optional.ofNullable(session).flatMap(Session::end);
  }

  /// Makes the next call log in. For credentials that changed: that the old ones were refused says
  /// nothing about them.
  void forget() {
    synchronized (lock) {
      session = null;
      lastRefusal = null;
    }
  }

  private Session loggedIn(@Nullable Session before, Deadline deadline) {
    CompletableFuture<Session> result;
    synchronized (lock) {
      Session now = session;
      if (now != null && !now.equals(before)) {
        return now; // somebody else was faster
      }
      if (lastRefusal != null
          && clock.instant().isBefore(noLoginBefore)
          && FileStamp.of(login.credentials()).equals(refused)) {
        throw again(lastRefusal);
      }
      if (underWay == null) {
        var started = new CompletableFuture<Session>();
        underWay = started;
        Thread.ofVirtual().name("vault-login").start(() -> logIn(started));
      }
      result = underWay;
    }
    return await(result, deadline);
  }

  private void logIn(CompletableFuture<Session> result) {
    var stamp = FileStamp.of(login.watched());
    var tried = FileStamp.of(login.credentials());
    try {
      Session fresh = authenticate(Deadline.before(LOGIN));
      synchronized (lock) {
        session = fresh;
        credentials = stamp;
        underWay = null;
        lastRefusal = null;
        pause = AFTER_REFUSED_LOGIN;
      }
      LOG.log(Level.INFO, "logged in to Vault by {0}", login.word());
      result.complete(fresh);
    } catch (KmsException e) {
      synchronized (lock) {
        underWay = null;
        credentials = stamp;
        pauseAfter(e, tried);
      }
      result.completeExceptionally(e);
    } finally {
      // Only left open by a defect; nobody may wait for it for ever.
      if (result.completeExceptionally(new KmsException(Kind.INTERNAL, "the login failed"))) {
        synchronized (lock) {
          underWay = null;
        }
      }
    }
  }

  private void pauseAfter(KmsException failure, FileStamp tried) {
    boolean isRefusal = failure.kind() == Kind.DENIED;
    boolean isRepeated = isRefusal && lastRefusal != null && tried.equals(refused);
    Duration doubled = pause.multipliedBy(2);
    pause =
        !isRepeated
            ? AFTER_REFUSED_LOGIN
            : doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    refused = tried;
    lastRefusal = isRefusal ? failure : null;
    noLoginBefore = clock.instant().plus(pause);
  }

  private Session authenticate(Deadline deadline) {
    return switch (login) {
      case VaultLogin.TokenFile given -> lookedUp(given.file().read(), deadline);
      case VaultLogin.Request request -> {
        var body = Optional.of(VaultJson.write(request.body()));
        var answer = http.send(new Call(request.path(), namespace, "", body), deadline);
        var fresh = Session.of(answer.body().object("auth"), clock.instant());
        if (!answer.isOk() || fresh.token().isEmpty()) {
          throw Refusal.ofLogin(answer, request.path(), clockWarning(answer));
        }
        yield fresh;
      }
    };
  }

  /// A token may be good and still not be allowed to look itself up; then its end is not known.
  private Session lookedUp(String token, Deadline deadline) {
    var call = new Call("auth/token/lookup-self", namespace, token, Optional.empty());
    Answer answer = http.send(call, deadline);
    if (!answer.isOk() && answer.status() != Answer.FORBIDDEN) {
      throw Refusal.ofLogin(answer, call.path(), clockWarning(answer));
    }
    Duration life = Duration.ofSeconds(answer.data().number("ttl").orElse(0L));
    return new Session(token, clock.instant(), life, answer.data().isTrue("renewable"));
  }

  /// Looked at every second: takes a changed token file into use, and renews what is half over.
  void upkeep() {
    if (!FileStamp.of(login.watched()).equals(credentials)) {
      forget();
    }
    Session now = session;
    Instant time = clock.instant();
    if (now == null || !now.isHalfOver(time) || time.isBefore(noRenewalBefore)) {
      return;
    }
    try {
      renew(now);
    } catch (KmsException e) {
      long left = Duration.between(time, now.end().orElse(time)).toMillis();
      noRenewalBefore = time.plusMillis(Math.clamp(left / 4, 1_000, 30_000));
      LOG.log(Level.WARNING, "the token for Vault was not renewed: {0}", e.describe());
    }
  }

  private void renew(Session now) {
    var deadline = Deadline.before(LOGIN);
    if (now.renewable()) {
      var call = new Call("auth/token/renew-self", namespace, now.token(), Optional.of(NOTHING));
      Answer answer = http.send(call, deadline);
      var renewed = Session.of(answer.body().object("auth"), clock.instant());
      if (answer.isOk() && renewed.token().equals(now.token())) {
        synchronized (lock) {
          session = now.equals(session) ? renewed : session;
        }
        // Much less than before: the longest life that its role allows comes near.
        if (renewed.life().compareTo(now.life().multipliedBy(3).dividedBy(4)) >= 0) {
          return;
        }
        replace(renewed, deadline);
        return;
      }
      if (answer.status() >= 500) {
        throw Refusal.ofServer(answer, call.path());
      }
    }
    replace(now, deadline);
  }

  private void replace(Session ending, Deadline deadline) {
    if (login instanceof VaultLogin.Request) {
      loggedIn(ending, deadline);
    } else {
      noRenewalBefore = clock.instant().plusSeconds(30);
    }
  }

  private static final byte[] NOTHING = {'{', '}'};

  private static Session await(CompletableFuture<Session> result, Deadline deadline) {
    try {
      return result.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof KmsException failure) {
        throw again(failure);
      }
      throw new KmsException(Kind.INTERNAL, "the login failed", e);
    } catch (TimeoutException _) {
      throw new KmsException(
          Kind.TIMEOUT,
          "Vault did not answer the login in time",
          Map.of(KmsException.HINT, ConnectionFailure.SLOW));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    }
  }

  /// Each caller throws its own, with its own stack.
  private static KmsException again(KmsException failure) {
    return new KmsException(
        failure.kind(), String.valueOf(failure.getMessage()), failure.details());
  }
}
