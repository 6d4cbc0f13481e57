package io.keyward.kms.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import io.keyward.kms.spi.ProviderSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/// Where credentials come from, and where calls go to.
final class AwsClientsTest {
  private static final String ARN = "arn:aws:kms:eu-central-1:123456789012:key/11111111-2222";

  @TempDir private Path directory;
  private final FakeAwsHttp aws = new FakeAwsHttp();
  private final Map<String, String> before = new HashMap<>();
  private final List<String> metadataCalls = new CopyOnWriteArrayList<>();
  private HttpServer metadata;

  /// The SDK looks at system properties before the environment; here they lead away from whatever
  /// this machine has.
  @BeforeEach
  void emptyWorld() throws IOException {
    metadata = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    metadata.createContext(
        "/",
        exchange -> {
          metadataCalls.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          byte[] answer = metadata(exchange.getRequestURI().getPath()).getBytes(UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    metadata.start();
    set("aws.ec2MetadataServiceEndpoint", "http://127.0.0.1:" + metadata.getAddress().getPort());
    set("aws.sharedCredentialsFile", directory.resolve("credentials").toString());
    set("aws.configFile", directory.resolve("config").toString());
  }

  /// A fake of the instance metadata service, as far as the SDK asks it.
  private static String metadata(String path) {
    if (path.endsWith("/api/token")) {
      return "fake-metadata-token";
    }
    return path.matches(".*/security-credentials(-extended)?/?")
        ? "fake-role"
        : """
        {"Code":"Success","AccessKeyId":"AKIDMACHINE","SecretAccessKey":"s","Token":"t","Expiration":"%s"}
        """
            .formatted(Instant.now().plus(Duration.ofHours(6)));
  }

  private void set(String property, String value) {
    before.putIfAbsent(property, System.getProperty(property, ""));
    System.setProperty(property, value);
  }

  @AfterEach
  void oldWorld() {
    metadata.stop(0);
    before.forEach((property, value) -> {
      if (value.isEmpty()) {
        System.clearProperty(property);
      } else {
        System.setProperty(property, value);
      }
    });
  }

  private static AwsSettings settings(String... namesAndValues) {
    var all = new HashMap<>(Map.of("key", ARN));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return AwsSettings.of(new ProviderSettings(all));
  }

  private String accessKey(String... namesAndValues) {
    return AwsClients.source(settings(namesAndValues), aws).resolveCredentials().accessKeyId();
  }

  private void writeProfiles() throws IOException {
    Files.writeString(
        directory.resolve("credentials"),
        """
        [default]
        aws_access_key_id = AKIDDEFAULT
        aws_secret_access_key = s
        [other]
        aws_access_key_id = AKIDOTHER
        aws_secret_access_key = s
        """);
  }

  @Test
  void theDefaultChainTakesTheFirstThatHasCredentials() throws IOException {
    assertThat(accessKey()).as("only the machine has some").isEqualTo("AKIDMACHINE");
    writeProfiles();
    assertThat(accessKey()).as("files come before the machine").isEqualTo("AKIDDEFAULT");
    set("aws.accessKeyId", "AKIDPROPERTY");
    set("aws.secretAccessKey", "s");
    assertThat(accessKey()).as("properties come first").isEqualTo("AKIDPROPERTY");
  }

  @Test
  void aProfileIsTakenByItsName() throws IOException {
    writeProfiles();
    assertThat(accessKey("profile", "other")).isEqualTo("AKIDOTHER");
    assertThat(metadataCalls).isEmpty();
  }

  @Test
  void theMetadataServiceIsNeverAskedWhereItIsTurnedOff() throws IOException {
    assertThatExceptionOfType(SdkClientException.class)
        .isThrownBy(() -> accessKey("imds", "false"));
    assertThat(metadataCalls).isEmpty();
    writeProfiles();
    assertThat(accessKey("imds", "false")).isEqualTo("AKIDDEFAULT");
  }

  @ParameterizedTest
  @CsvSource({
    "false, '', kms.eu-central-1.amazonaws.com",
    "true, '', kms-fips.eu-central-1.amazonaws.com",
    "false, https://kms.{region}.example.org, kms.eu-central-1.example.org"
  })
  void callsGoToTheConfiguredEndpoint(String fips, String endpoint, String host) {
    AwsSettings settings =
        endpoint.isEmpty() ? settings("fips", fips) : settings("fips", fips, "endpoint", endpoint);
    aws.then(200, "{}");
    try (var client =
        AwsClients.kms(settings, "eu-central-1", aws, AnonymousCredentialsProvider.create())) {
      client.describeKey(request -> request.keyId(ARN));
    }
    assertThat(aws.hosts).containsExactly(host);
  }
}
