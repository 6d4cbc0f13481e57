package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.spi.Bytes;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import io.keyward.testbed.KeywardPlugin;
import io.keyward.testbed.process.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every provider in the distribution as it is shipped: one plugin process each, all at once.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ProvidersIT {
  private static final List<String> PROVIDERS =
      List.of("local", "pkcs11", "aws", "azure", "gcp", "ibm");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration CALL = Duration.ofSeconds(30);
  private static final Secret DEK = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));

  private record Run(Backend backend, Path directory, KeywardPlugin plugin, int port) {}

  private final Map<String, Run> runs = new ConcurrentHashMap<>();

  @BeforeAll
  void startAll(@TempDir Path root) throws InterruptedException, ExecutionException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var started = new HashMap<String, Future<Run>>();
      for (String provider : PROVIDERS) {
        started.put(provider, threads.submit(() -> start(provider, root.resolve(provider))));
      }
      for (var run : started.entrySet()) {
        runs.put(run.getKey(), run.getValue().get());
      }
    }
  }

  private static Run start(String provider, Path directory)
      throws IOException, InterruptedException {
    Backend backend = Backend.start(provider, directory);
    int port = Ports.free();
    String settings = new ObjectMapper().writeValueAsString(backend.settings());
    Path config =
        Files.writeString(
            directory.resolve("plugin.yaml"),
            """
            listen: 127.0.0.1:%d
            callBudget: 10s
            probeInterval: 1s
            keys:
              - {name: key, socket: %s/s, provider: %s, %s: %s}
            """
                .formatted(port, directory, provider, provider, settings));
    var environment = new HashMap<>(backend.environment());
    environment.put("KEYWARD_JAVA_OPTS", "-Xlog:class+load:file=" + directory + "/classes.log");
    return new Run(
        backend, directory, KeywardPlugin.start(Keyward.HOME, config, environment), port);
  }

  @AfterAll
  void stopAll() {
    for (Run run : runs.values()) {
      run.plugin().close();
      run.backend().close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "pkcs11", "aws", "azure", "gcp", "ibm"})
  void servesStopsAndTellsNoSecret(String provider) throws IOException, InterruptedException {
    Run run = runs.get(provider);
    var produced = new StringBuilder(); // everything that this run shows to anybody
    try (var client = new KmsV2Client(new PluginEndpoint(run.directory().resolve("s")))) {
      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> client.status(CALL).isHealthy());
      Wrapped wrapped = client.encrypt(DEK, "1", CALL);
      assertThat(client.decrypt(wrapped, "2", CALL)).isEqualTo(DEK);
      assertThat(client.status(CALL).keyId()).isEqualTo(wrapped.kek().value());

      byte[] bytes = wrapped.ciphertext().toArray();
      bytes[bytes.length - 1] ^= 1;
      var damaged = new Wrapped(wrapped.kek(), Bytes.copyOf(bytes), wrapped.annotations());
      produced.append(failure(() -> client.decrypt(damaged, "3", CALL)));
      if (!Set.of("local", "pkcs11").contains(provider)) { // these have no server to lose
        run.backend().close();
        produced.append(failure(() -> client.encrypt(DEK, "4", Duration.ofSeconds(2))));
        Awaitility.await().atMost(PATIENCE).until(() -> !client.status(CALL).isHealthy());
        produced.append(client.status(CALL));
      }
    }
    for (String page : List.of("metrics", "healthz", "readyz", "livez")) {
      produced.append(page(run.port(), page));
    }
    assertThat(produced).contains("kms_current_key_id");
    for (String file : List.of("cmdline", "environ")) {
      produced.append(Files.readString(Path.of("/proc/" + run.plugin().process().pid(), file)));
    }
    run.plugin().process().stop();
    assertThat(run.plugin().process().exitCode()).contains(0);
    produced.append(Files.readString(run.directory().resolve("plugin.yaml.log")));

    assertThat(run.backend().secrets()).isNotEmpty();
    for (String secret : run.backend().secrets()) {
      assertThat(produced.toString()).doesNotContain(secret);
    }
    assertThat(classesOfOthers(run)).isEmpty();
  }

  private static String failure(Runnable call) {
    var failure = catchThrowableOfType(PluginCallException.class, call::run);
    assertThat(failure).isNotNull();
    return failure.code() + " " + failure.description() + "\n";
  }

  private static String page(int port, String page) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + port + "/" + page);
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
  }

  /// Classes that only another provider needs. The factories on the class path are how providers
  /// are found, so they are loaded everywhere. What comes out of the AOT cache costs no memory of
  /// its own: the cache is trained with `local`.
  private Set<String> classesOfOthers(Run run) throws IOException {
    Set<String> packages =
        runs.values().stream()
            .map(Run::backend)
            .filter(other -> !other.provider().equals(run.backend().provider()))
            .flatMap(other -> other.packages().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    List.of("local", "pkcs11", "aws", "azure", "gcp", "ibm", "vault").stream()
        .filter(name -> !name.equals(run.backend().provider()))
        .forEach(name -> packages.add("io.keyward.kms." + name + "."));
    try (var lines = Files.lines(run.directory().resolve("classes.log"))) {
      return lines
          .filter(line -> !line.contains("shared objects file"))
          .map(line -> line.replaceFirst("^(\\[[^]]*])*\\s*", ""))
          .filter(name -> packages.stream().anyMatch(name::startsWith))
          .filter(name -> !name.contains("ProviderFactory "))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
