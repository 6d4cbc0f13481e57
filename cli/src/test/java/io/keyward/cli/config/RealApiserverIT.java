package io.keyward.cli.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.storage.config.ConfigLoader;
import io.keyward.storage.config.ConfigVerdict;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// A handful of documents, each given to a kube-apiserver process.
///
/// There is no etcd: an API server that keeps retrying etcd has accepted its configuration.
/// Thousands of documents are compared with the code of kube-apiserver alone, in the module
/// `storage`.
@Tag("long")
final class RealApiserverIT {
  private static final String GOOD =
      """
      apiVersion: apiserver.config.k8s.io/v1
      kind: EncryptionConfiguration
      resources:
      - resources: [secrets]
        providers:
        - aescbc: {keys: [{name: k1, secret: ts8Hgmud9Tj2TXs+p+jAFA9nhtP/ywp35YDikw+97SU=}]}
        - identity: {}
      """;
  private static final String JSON =
      """
      {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "EncryptionConfiguration",
       "resources": [{"resources": ["secrets"], "providers": [{"identity": {}}]}]}
      """;

  /// kube-apiserver calls etcd for the first time just before it reads the configuration, and exits
  /// at once if it rejects that.
  private static final Duration STILL_RUNNING = Duration.ofSeconds(3);

  @TempDir private static Path directory;

  private static Map<String, byte[]> documents() {
    var documents = new LinkedHashMap<String, byte[]>();
    documents.put("good", GOOD.getBytes(UTF_8));
    documents.put("UTF-16", GOOD.getBytes(UTF_16));
    documents.put("YAML 1.2", ("%YAML 1.2\n---\n" + GOOD).getBytes(UTF_8));
    documents.put("a line with a tab", GOOD.replace("kind", "\t\nkind").getBytes(UTF_8));
    documents.put("a number with a tag", GOOD.replace("k1", "!!str 1").getBytes(UTF_8));
    documents.put("DEL", GOOD.replace("k1", "\"k\u007f\"").getBytes(UTF_8));
    documents.put("not UTF-8", GOOD.replace("k1", "k\u00e9").getBytes(ISO_8859_1));
    documents.put("JSON", JSON.getBytes(UTF_8));
    documents.put("JSON, not UTF-8", JSON.replace("secrets", "s\u00e9").getBytes(ISO_8859_1));
    documents.put("JSON with a comma too many", JSON.replace("{}}]", "{}},]").getBytes(UTF_8));
    documents.put("JSON and more", (JSON + "x").getBytes(UTF_8));
    documents.put("garbage behind the end", (GOOD + "...\ngarbage: [\n").getBytes(UTF_8));
    return documents;
  }

  @TestFactory
  Stream<DynamicTest> finding08TheSameVerdictAsARunningApiserver()
      throws IOException, GeneralSecurityException {
    var keys = KeyPairGenerator.getInstance("RSA").generateKeyPair().getPrivate().getEncoded();
    String pem = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(keys);
    Files.writeString(
        directory.resolve("sa.key"),
        "-----BEGIN PRIVATE KEY-----\n" + pem + "\n-----END PRIVATE KEY-----\n");
    Path program = ServerBinaries.ofThisMachine().ensure(ServerBinary.KUBE_APISERVER);
    return documents().entrySet().stream()
        .map(document ->
            DynamicTest.dynamicTest(
                document.getKey(),
                () ->
                    assertThat(
                            ConfigLoader.standard().load(document.getValue())
                                instanceof ConfigVerdict.Accepted)
                        .isEqualTo(accepts(program, document.getValue()))));
  }

  private static boolean accepts(Path program, byte[] document) throws IOException {
    Path config = Files.write(directory.resolve("config"), document);
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--encryption-provider-config=" + config,
                "--etcd-servers=http://127.0.0.1:1",
                "--service-account-issuer=https://keyward.test",
                "--service-account-key-file=" + directory.resolve("sa.key"),
                "--service-account-signing-key-file=" + directory.resolve("sa.key"),
                "--service-cluster-ip-range=10.0.0.0/24",
                "--authorization-mode=AlwaysAllow",
                "--secure-port=" + freePort(),
                "--cert-dir=" + directory)
            .redirectErrorStream(true)
            .start();
    try (var lines = process.inputReader(UTF_8)) {
      var all = new StringBuilder();
      long firstTry = Long.MAX_VALUE;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        all.append(line).append('\n');
        if (line.contains("error while parsing file")
            || line.contains("error while building transformers")) {
          return false;
        }
        if (line.contains("127.0.0.1:1") && line.contains("connection refused")) {
          firstTry = Math.min(firstTry, System.nanoTime());
          if (System.nanoTime() - firstTry > STILL_RUNNING.toNanos()) {
            return true;
          }
        }
      }
      throw new AssertionError("kube-apiserver did not come to its configuration:\n" + all);
    } finally {
      process.destroyForcibly();
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
