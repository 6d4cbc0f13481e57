package io.keyward.kms.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.client.PreflightReport.Finding;
import io.keyward.kms.client.PreflightReport.Step;
import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// Does once what an API server will do, before one depends on it: Status until it is healthy, then
/// Encrypt, Decrypt and a comparison.
public final class Preflight {
  private static final Duration PAUSE = Duration.ofMillis(200);

  /// What an API server waits for a call where its configuration does not say otherwise.
  private static final Duration API_SERVER_TIMEOUT = Duration.ofSeconds(3);

  private final PluginEndpoint endpoint;
  private final Duration patience;
  private final Duration slow;
  private final List<Step> steps = new ArrayList<>();
  private String keyId = "";

  /// Prepares a preflight; nothing is called yet.
  ///
  /// @param patience how long to wait for a plugin that is not there or not healthy yet
  /// @param slow what a single call may take at most
  public Preflight(PluginEndpoint endpoint, Duration patience, Duration slow) {
    this.endpoint = endpoint;
    this.patience = patience;
    this.slow = slow;
  }

  public PreflightReport run() {
    Optional<Finding> finding = untilHealthy().or(this::roundTrip).or(this::slowest);
    return new PreflightReport(endpoint, keyId, steps, finding);
  }

  /// Only Status until it is healthy: for a plugin that API servers use already.
  public PreflightReport runStatus() {
    Optional<Finding> finding = untilHealthy();
    return new PreflightReport(endpoint, keyId, steps, finding);
  }

  private Optional<Finding> untilHealthy() {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      // Each try gets its full time, also the last: a hurried one would blame the plugin.
      Optional<Finding> finding = status();
      if (finding.isEmpty()
          || !mayPass(finding.get())
          || System.nanoTime() + PAUSE.toNanos() >= end) {
        return finding;
      }
      pause();
    }
  }

  /// Whether waiting can help: a plugin may be starting, and its KMS may come back.
  private static boolean mayPass(Finding finding) {
    return switch (finding.problem()) {
      case NO_SUCH_FILE, NOBODY_LISTENS, NO_ANSWER, UNHEALTHY -> true;
      default -> false;
    };
  }

  private Optional<Finding> status() {
    Optional<Finding> socket = EndpointCheck.of(endpoint.socket());
    if (socket.isPresent()) {
      return socket;
    }
    // A client of its own for each try: one that failed to connect waits before it tries again.
    try (var client = new KmsV2Client(endpoint)) {
      // The first call also pays for the connection and for our own cold code; it is not timed.
      client.status(API_SERVER_TIMEOUT);
      PluginStatus status = timed("Status", () -> client.status(API_SERVER_TIMEOUT));
      keyId = status.keyId();
      return judge(status);
    } catch (PluginCallException e) {
      PreflightProblem problem =
          e.isTimeout() ? PreflightProblem.NO_ANSWER : PreflightProblem.NOT_KMS_V2;
      return found(problem, e.code() + " " + e.description());
    }
  }

  private static Optional<Finding> judge(PluginStatus status) {
    if (!status.version().equals("v2") && !status.version().equals("v2beta1")) {
      return found(PreflightProblem.WRONG_VERSION, status.version());
    }
    if (!status.isHealthy()) {
      return found(PreflightProblem.UNHEALTHY, status.healthz());
    }
    int size = status.keyId().getBytes(UTF_8).length;
    if (size == 0 || size > KekId.MAX_BYTES) {
      return found(PreflightProblem.BAD_KEY_ID, size + " bytes");
    }
    return Optional.empty();
  }

  private Optional<Finding> roundTrip() {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    var plaintext = new Secret(bytes);
    String uid = UUID.randomUUID().toString();
    try (var client = new KmsV2Client(endpoint)) {
      Wrapped wrapped;
      try {
        wrapped = timed("Encrypt", () -> client.encrypt(plaintext, uid, API_SERVER_TIMEOUT));
      } catch (PluginCallException e) {
        return found(PreflightProblem.ENCRYPT_FAILED, e.code() + " " + e.description());
      } catch (IllegalArgumentException e) {
        return found(PreflightProblem.LIMITS_BROKEN, String.valueOf(e.getMessage()));
      }
      if (!wrapped.kek().value().equals(keyId)) {
        return found(PreflightProblem.KEY_ID_DIFFERS, keyId + " and " + wrapped.kek().value());
      }
      return opened(client, wrapped, plaintext, uid);
    }
  }

  private Optional<Finding> opened(
      KmsV2Client client, Wrapped wrapped, Secret plaintext, String uid) {
    try {
      Secret opened = timed("Decrypt", () -> client.decrypt(wrapped, uid, API_SERVER_TIMEOUT));
      return opened.equals(plaintext)
          ? Optional.empty()
          : found(PreflightProblem.ROUND_TRIP_DIFFERS, opened.size() + " bytes came back");
    } catch (PluginCallException e) {
      return found(PreflightProblem.DECRYPT_FAILED, e.code() + " " + e.description());
    }
  }

  private Optional<Finding> slowest() {
    return steps.stream()
        .filter(step -> step.passed() && step.took().compareTo(slow) > 0)
        .findFirst()
        .flatMap(step ->
            found(PreflightProblem.SLOW, step.name() + " took " + step.took().toMillis() + " ms"));
  }

  private <T> T timed(String name, Supplier<T> call) {
    long begin = System.nanoTime();
    boolean passed = false;
    try {
      T answer = call.get();
      passed = true;
      return answer;
    } finally {
      // The tries before a healthy answer are one step, the last of them.
      steps.removeIf(step -> step.name().equals(name));
      steps.add(new Step(name, passed, Duration.ofNanos(System.nanoTime() - begin)));
    }
  }

  private static Optional<Finding> found(PreflightProblem problem, String detail) {
    return Optional.of(new Finding(problem, detail.strip()));
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
