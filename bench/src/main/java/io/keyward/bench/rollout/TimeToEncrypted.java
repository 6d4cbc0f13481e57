package io.keyward.bench.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.FormatMethod;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// How long it takes from the patch of `spec.encryption` to `Encrypted=True` on three nodes, and
/// how much of it the API servers' restarts take: while a published revision does not run
/// everywhere.
///
/// Arguments: secrets, the distribution, and where the result is kept (or `-`).
public final class TimeToEncrypted {
  private static final double MUST_REACH = 20;
  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final ObjectMapper JSON = new ObjectMapper();

  private TimeToEncrypted() {}

  record Result(int secrets, double seconds, double rollout, double rest, double mustReach) {}

  public static void main(String[] arguments) throws Exception {
    int secrets = Integer.parseInt(arguments[0]);
    String load = Files.readString(Path.of("/proc/loadavg")).strip();
    Result result;
    try (var cluster =
        new ManagedCluster(
            Files.createTempDirectory("mc"),
            Path.of(arguments[1]),
            ServerBinaries.ofThisMachine(),
            line -> say("%s", line))) {
      cluster.start();
      try (var admin = cluster.client(0)) {
        fill(admin, secrets);
        result = measure(admin, secrets);
      }
    }
    say(
        "encrypted after %.1f s, of which API servers were rolled out for %.1f s; rest %.1f s, must"
            + " be at most %.0f s",
        result.seconds(), result.rollout(), result.rest(), MUST_REACH);
    if (!arguments[2].equals("-")) {
      Map<String, Object> kept = new TreeMap<>(Map.of("result", result, "loadAverageBefore", load));
      JSON.writerWithDefaultPrettyPrinter().writeValue(Path.of(arguments[2]).toFile(), kept);
    }
    System.exit(result.rest() <= MUST_REACH ? 0 : 1);
  }

  private static void fill(ApiClient admin, int secrets) {
    try (var threads = Executors.newFixedThreadPool(4)) {
      IntStream.range(0, secrets)
          .forEach(i ->
              threads.execute(() -> {
                String body =
                    "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s-%d\"},\"stringData\":{\"word\":\"%s\"}}"
                        .formatted(i, "x".repeat(200));
                if (!admin.post(SECRETS, body).isOk()) {
                  throw new TestbedException("the API server refused a secret", "");
                }
              }));
    }
  }

  private static Result measure(ApiClient admin, int secrets)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    admin.mergePatch(
        "/apis/config.openshift.io/v1/apiservers/cluster",
        "{\"spec\":{\"encryption\":{\"type\":\"aescbc\"}}}");
    long rollout = 0;
    long last = begun;
    boolean rolls = false;
    String before = "";
    while (System.nanoTime() - begun < LIMIT.toNanos()) {
      JsonNode status = status(admin);
      long now = System.nanoTime();
      rollout += rolls ? now - last : 0;
      last = now;
      if (status != null) {
        if (isEncrypted(status)) {
          double all = (now - begun) / 1e9;
          return new Result(secrets, all, rollout / 1e9, all - rollout / 1e9, MUST_REACH);
        }
        rolls = isRolling(status);
        String doing = phase(status, rolls);
        if (!doing.equals(before)) {
          say("%6.1f s  %s", (now - begun) / 1e9, doing);
          before = doing;
        }
      }
      // Whoever asks more often is somebody the migration makes way for.
      Thread.sleep(250);
    }
    throw new IllegalStateException("not encrypted after " + LIMIT);
  }

  /// Null while the API server behind the connection is restarted.
  private static @Nullable JsonNode status(ApiClient admin) throws IOException {
    try {
      ApiClient.Answer answer = admin.get("/apis/operator.openshift.io/v1/kubeapiservers/cluster");
      return answer.isOk() ? JSON.readTree(answer.body()).path("status") : null;
    } catch (TestbedException _) {
      return null;
    }
  }

  private static boolean isRolling(JsonNode status) {
    long latest = status.path("latestAvailableRevision").asLong();
    for (JsonNode node : status.path("nodeStatuses")) {
      if (node.path("currentRevision").asLong() != latest) {
        return true;
      }
    }
    return false;
  }

  /// In the words of the condition that tells what comes next.
  private static String phase(JsonNode status, boolean rolls) {
    if (rolls) {
      return "rollout of revision " + status.path("latestAvailableRevision").asLong();
    }
    for (JsonNode one : status.path("conditions")) {
      if (one.path("type").asText().equals("EncryptionMigrationControllerProgressing")
          && one.path("status").asText().equals("True")) {
        return one.path("message").asText();
      }
    }
    return "between";
  }

  private static boolean isEncrypted(JsonNode status) {
    for (JsonNode one : status.path("conditions")) {
      if (one.path("type").asText().equals("Encrypted")) {
        return one.path("status").asText().equals("True");
      }
    }
    return false;
  }

  @FormatMethod
  private static void say(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
