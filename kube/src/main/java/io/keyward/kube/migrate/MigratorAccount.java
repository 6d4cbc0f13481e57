package io.keyward.kube.migrate;

import io.keyward.codec.object.AccountToken;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/// The service account that lists and updates the objects of a migration. The operator itself has
/// no permission to do so.
///
/// Tokens are short-lived. They are renewed between two pages of a list, while updates are under
/// way with the token before; no update waits for a token.
public final class MigratorAccount implements AutoCloseable {
  public static final String NAME = "keyward-migrator";

  private static final Logger LOG = System.getLogger(MigratorAccount.class.getName());
  private static final Duration LIFETIME = Duration.ofHours(1);

  /// A token that was rejected sooner than that was not rejected because of its age.
  private static final Duration FRESH = Duration.ofSeconds(10);

  private final Api operator;
  private final Optional<String> home;
  private final LongSupplier nanos;
  private volatile Optional<Issued> issued = Optional.empty();
  private Optional<Api> connected = Optional.empty();

  /// A token, and when it was requested. Measured on this machine's monotonic clock, which need not
  /// agree with the clock of the server.
  private record Issued(AccountToken token, long nanos) {
    boolean isOlderThan(Duration age, long now) {
      return now - nanos >= age.toNanos();
    }
  }

  private MigratorAccount(Api operator, Optional<String> home, LongSupplier nanos) {
    this.operator = operator;
    this.home = home;
    this.nanos = nanos;
  }

  /// The account in this namespace.
  ///
  /// @param operator may request tokens of the account
  static MigratorAccount in(String home, Api operator) {
    return in(home, operator, System::nanoTime);
  }

  static MigratorAccount in(String home, Api operator, LongSupplier nanos) {
    return new MigratorAccount(operator, Optional.of(home), nanos);
  }

  /// No account of its own: migrations use the same credentials as everything else.
  static MigratorAccount sameAs(Api api) {
    return new MigratorAccount(api, Optional.empty(), System::nanoTime);
  }

  /// As API servers name the user.
  public static String user(String home) {
    return "system:serviceaccount:" + home + ":" + NAME;
  }

  /// For the requests of a migration.
  ///
  /// @throws ClusterFailure if there is no token
  synchronized Api api() {
    if (home.isEmpty()) {
      return operator;
    }
    renewIfDue();
    Api api = connected.orElseGet(() -> operator.as(this::token));
    connected = Optional.of(api);
    return api;
  }

  private String token() {
    return issued.map(one -> one.token().value()).orElse("");
  }

  /// Called now and then: does nothing until half of the lifetime is over.
  ///
  /// @throws ClusterFailure if there is no token that is still valid
  void renewIfDue() {
    if (home.isPresent() && isDue()) {
      synchronized (this) {
        if (isDue()) {
          renew();
        }
      }
    }
  }

  private boolean isDue() {
    return issued
        .filter(one -> !one.isOlderThan(one.token().lifetime().dividedBy(2), nanos.getAsLong()))
        .isEmpty();
  }

  /// The server rejected the token before its time, for example because its signing key was
  /// replaced.
  synchronized void rejected() {
    boolean isFresh = issued.filter(one -> !one.isOlderThan(FRESH, nanos.getAsLong())).isPresent();
    if (home.isPresent() && !isFresh) {
      issued = Optional.empty();
      renew();
    }
  }

  private void renew() {
    long now = nanos.getAsLong();
    try {
      issued = Optional.of(new Issued(request(), now));
    } catch (ClusterFailure e) {
      boolean isValid =
          issued.filter(one -> !one.isOlderThan(one.token().lifetime(), now)).isPresent();
      if (!isValid) {
        throw e;
      }
      LOG.log(Level.DEBUG, "token not renewed yet: {0}", e.getMessage());
    }
  }

  private AccountToken request() {
    String namespace = home.orElseThrow();
    String path = "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + NAME + "/token";
    try {
      return AccountToken.read(operator.create(path, AccountToken.request(LIFETIME)))
          .orElseThrow(() ->
              new ClusterFailure(
                  "the API server issues no token for ServiceAccount "
                      + NAME
                      + "; start it with --service-account-issuer and"
                      + " --service-account-signing-key-file, or set another migrator in the"
                      + " configuration of the operator"));
    } catch (ClusterFailure e) {
      if (e.status() == 404) {
        throw new ClusterFailure(
            "ServiceAccount "
                + NAME
                + " in "
                + namespace
                + " is missing; keyward operator install, run by an admin, creates it",
            404);
      }
      throw e;
    }
  }

  @Override
  public synchronized void close() {
    connected.ifPresent(Api::close);
    connected = Optional.empty();
    issued = Optional.empty();
  }
}
