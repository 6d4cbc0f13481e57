package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.kms.fakes.FakeBackend;
import io.keyward.testbed.Moto;
import io.keyward.testbed.SoftHsm;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.awaitility.Awaitility;

/// A KMS for one provider: a real one, an emulator or a fake; with what a plugin needs to use it.
///
/// @param secrets what nothing that a plugin produces may show
/// @param packages of the classes that only this provider needs
record Backend(
    String provider,
    Map<String, String> settings,
    Map<String, String> environment,
    List<String> secrets,
    List<String> packages,
    Runnable end)
    implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  static Backend start(String provider, Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    return switch (provider) {
      case "local" -> local(directory);
      case "pkcs11" -> pkcs11(directory);
      case "aws" -> aws(directory);
      case "gcp" -> gcp(directory);
      case "azure" ->
          of(provider, FakeBackend.azure(directory), "com.azure.", "com.microsoft.aad.");
      case "ibm" -> of(provider, FakeBackend.ibm(directory));
      default -> throw new IllegalArgumentException(provider);
    };
  }

  private static Backend of(String provider, FakeBackend fake, String... packages) {
    return new Backend(
        provider, fake.settings(), Map.of(), fake.secrets(), List.of(packages), fake::close);
  }

  private static Backend local(Path directory) throws IOException {
    String password = "local-" + UUID.randomUUID();
    Path file = Files.writeString(directory.resolve("password"), password);
    Path keys = directory.resolve("keys.p12");
    Keyward made =
        Keyward.run("keystore", "create", "--keystore", "" + keys, "--password-file", "" + file);
    assertThat(made.exitCode()).isZero();
    return new Backend(
        "local",
        Map.of("keystore", keys.toString(), "passwordFile", file.toString()),
        Map.of(),
        List.of(password),
        List.of(),
        () -> {});
  }

  private static Backend pkcs11(Path directory) throws IOException {
    SoftHsm hsm = SoftHsm.create(directory.resolve("softhsm"), "it", "987650123456789");
    hsm.createKey("kek-v1");
    Path pin = Files.writeString(directory.resolve("pin"), hsm.pin());
    return new Backend(
        "pkcs11",
        Map.of(
            "module",
            SoftHsm.module().toString(),
            "tokenLabel",
            "it",
            "keyLabel",
            "kek-v*",
            "pinFile",
            pin.toString()),
        Map.of("SOFTHSM2_CONF", hsm.configuration().toString()),
        List.of(hsm.pin()),
        List.of("sun.security.pkcs11."),
        () -> {});
  }

  private static Backend aws(Path directory) throws IOException, InterruptedException {
    Moto moto = Moto.start(directory.resolve("moto"));
    String secret = "aws-" + UUID.randomUUID();
    Path credentials =
        Files.writeString(
            directory.resolve("credentials"),
            "[it]\naws_access_key_id = AKID" + secret + "\naws_secret_access_key = " + secret);
    return new Backend(
        "aws",
        Map.of(
            "key", createKey(moto.url()),
            "endpoint", moto.url().toString(),
            "credentialsFile", credentials.toString(),
            "profile", "it"),
        Map.of(),
        List.of(secret),
        List.of("software.amazon."),
        moto::close);
  }

  private static String createKey(URI moto) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(moto)
              .header("Content-Type", "application/x-amz-json-1.1")
              .header("X-Amz-Target", "TrentService.CreateKey")
              .header(
                  "Authorization",
                  "AWS4-HMAC-SHA256 Credential=a/20260101/eu-central-1/kms/aws4_request,"
                      + " SignedHeaders=host, Signature=a")
              .POST(HttpRequest.BodyPublishers.ofString("{}"))
              .build();
      return JSON.readTree(http.send(request, BodyHandlers.ofString(UTF_8)).body())
          .at("/KeyMetadata/Arn")
          .asText();
    }
  }

  /// In a process of its own: Google's classes for gRPC and ours do not fit into one JVM.
  private static Backend gcp(Path directory) throws IOException {
    Path module = Keyward.HOME.resolve("../../../kms/provider-gcp/target").normalize();
    String classPath =
        module.resolve("test-classes")
            + ":"
            + module.resolve("classes")
            + ":"
            + Files.readString(module.resolve("fake.classpath"));
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            classPath,
            "io.keyward.kms.gcp.FakeCloudKmsServer",
            directory.toString());
    ServerProcess fake =
        ServerProcess.start(
            new Launch(
                "fake Cloud KMS",
                command,
                Map.of(),
                directory.resolve("fake.log"),
                Launch.Lifetime.WITH_JVM));
    Path settings = directory.resolve("settings.json");
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(settings));
    Map<String, String> all = new TreeMap<>();
    JSON.readTree(settings.toFile())
        .properties()
        .forEach(each -> all.put(each.getKey(), each.getValue().asText()));
    String account =
        JSON.readTree(directory.resolve("account.json").toFile()).get("private_key").asText();
    return new Backend(
        "gcp",
        all,
        Map.of(),
        List.of(account.lines().skip(1).findFirst().orElseThrow(), "fake-google-"),
        List.of("com.google.cloud.", "com.google.auth.", "com.google.api."),
        fake::kill);
  }

  @Override
  public void close() {
    end.run();
  }
}
