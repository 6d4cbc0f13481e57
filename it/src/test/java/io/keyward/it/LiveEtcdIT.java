package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.etcd.live.Access;
import io.keyward.etcd.live.LiveEtcd;
import io.keyward.etcd.live.LiveEtcdException;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.Etcd;
import io.keyward.testbed.pki.KeyPairFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The audit of a real etcd with TLS, client certificates and users. Every failure has its
/// sentence.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LiveEtcdIT {
  private static final String NOBODY = "https://127.0.0.1:1";

  /// As many changes as one transaction takes, and so many transactions that a walk has three
  /// pages.
  private static final int CHANGES = 128;

  private static final int TRANSACTIONS = 10;
  private static final int KEYS = 2 + CHANGES * TRANSACTIONS;

  private Path directory;
  private ControlPlane plane;
  private Etcd etcd;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    directory = temporary;
    plane = ControlPlane.builder(directory.resolve("plane")).create();
    etcd = plane.etcd();
    etcd.startReady();
    etcd.ctl("put", "/registry/secrets/a/b", "k8s:enc:aescbc:v1:k:x");
    etcd.ctl("put", "/registry/secrets/a/c", "plain");
    for (int i = 0; i < TRANSACTIONS; i++) {
      var puts = new StringBuilder("\n");
      for (int j = 0; j < CHANGES; j++) {
        puts.append("put /registry/configmaps/a/").append(i * CHANGES + j).append(" x\n");
      }
      etcd.ctlFed(puts.append("\n\n").toString().getBytes(UTF_8), "txn");
    }
    etcd.ctl("user", "add", "root:right");
    etcd.ctl("user", "grant-role", "root", "root");
    etcd.ctl("user", "add", "small:right");
    etcd.ctl("role", "add", "some");
    etcd.ctl("role", "grant-permission", "some", "read", "/registry/configmaps/", "--prefix=true");
    etcd.ctl("user", "grant-role", "small", "some");
    etcd.ctl("auth", "enable");
  }

  @AfterAll
  void stop() {
    plane.close();
  }

  @Test
  void readsEverythingAsAUserWhoMay() throws IOException {
    Keyward audit = audit(etcd.url().toString(), etcd.client(), "root", "right");
    assertThat(audit.exitCode()).as(audit.err()).isEqualTo(1);
    JsonNode report = Kinds.parse(audit.out());
    assertThat(report.path("liveKeys").asInt()).isEqualTo(KEYS);
    assertThat(report.path("revision").asInt()).isPositive();
    assertThat(report.at("/findingCounts/plaintext").asInt()).isOne();
  }

  @Test
  void asksTheNextMemberWhereOneIsDead() throws IOException {
    Keyward audit = audit(NOBODY + "," + etcd.url(), etcd.client(), "root", "right");
    assertThat(audit.exitCode()).as(audit.err()).isEqualTo(1);
    assertThat(Kinds.parse(audit.out()).path("liveKeys").asInt()).isEqualTo(KEYS);
  }

  @Test
  void nobodyAnswers() throws IOException {
    assertFails(
        audit(NOBODY, etcd.client(), "root", "right"), "no server responds at this address");
  }

  @Test
  void finding30PlainHttpToATlsPortIsNamed() throws IOException {
    String plain = etcd.url().toString().replace("https:", "http:");
    assertFails(audit(plain, etcd.client(), "root", "right"), "closes a connection without TLS");
  }

  @Test
  void finding22NoiseOfTheClientIsNotPrinted() throws IOException {
    for (String url : new String[] {"https://nowhere.invalid:2379", "https://127.0.0.1:99999"}) {
      Keyward audit = audit(url, etcd.client(), "root", "right");
      assertThat(audit.exitCode()).isEqualTo(2);
      assertThat(audit.err().lines().count()).as(audit.err()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void finding30AMissingCaFileIsNamed() throws IOException {
    assertFails(
        audit(Path.of("/nowhere/ca"), etcd.url().toString(), etcd.client(), "root", "right"),
        "no such file: /nowhere/ca");
  }

  @Test
  void anotherCa() throws IOException {
    assertFails(
        audit(plane.pki().clusterCa(), etcd.url().toString(), etcd.client(), "root", "right"),
        "etcd's certificate is not signed by the given CA");
  }

  @Test
  void aClientCertificateOfAnotherCa() throws IOException {
    assertFails(
        audit(etcd.url().toString(), plane.pki().admin(), "root", "right"),
        "etcd refuses the client certificate");
  }

  @Test
  void noClientCertificate() throws IOException {
    Path password = Files.writeString(directory.resolve("pw"), "right\n");
    assertFails(
        Keyward.run(
            "audit",
            "--etcd",
            etcd.url().toString(),
            "--etcd-ca",
            etcd.ca().toString(),
            "--etcd-user",
            "root",
            "--etcd-password-file",
            password.toString()),
        "etcd refuses the client certificate, or misses one");
  }

  @Test
  void aWrongPassword() throws IOException {
    assertFails(
        audit(etcd.url().toString(), etcd.client(), "root", "wrong"),
        "etcd does not know this user with this password");
  }

  @Test
  void aUserWhoMayNotReadAll() throws IOException {
    assertFails(
        audit(etcd.url().toString(), etcd.client(), "small", "right"),
        "this user may not read all of etcd");
  }

  @Test
  void aRestartInTheMiddleOfAWalkChangesNothing() {
    var keys = new ArrayList<String>();
    try (LiveEtcd live = live()) {
      LiveEtcd.Survey survey =
          live.forEach((key, _, _) -> {
            if (keys.isEmpty()) {
              etcd.restart();
              asRoot("put", "/registry/secrets/z/late", "after the walk began");
            }
            keys.add(key.utf8().orElse("?"));
          });
      assertThat(survey.keys()).isEqualTo(KEYS);
    } finally {
      asRoot("del", "/registry/secrets/z/late");
    }
    assertThat(keys).hasSize(KEYS).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void aCompactionInTheMiddleOfAWalkHasItsSentence() {
    var seen = new ArrayList<Long>();
    try (LiveEtcd live = live()) {
      assertThatThrownBy(() ->
              live.forEach((_, _, revision) -> {
                if (seen.isEmpty()) {
                  JsonNode put =
                      Kinds.parse(asRoot("put", "/registry/secrets/a/c", "-w=json", "x"));
                  asRoot("compact", put.at("/header/revision").asText());
                }
                seen.add(revision);
              }))
          .isInstanceOf(LiveEtcdException.class)
          .hasMessage("etcd compacted the revision while it was read");
    }
    assertThat(seen).as("it did begin").isNotEmpty();
  }

  private LiveEtcd live() {
    return new LiveEtcd(
        new Access(
            List.of(new Access.Endpoint("127.0.0.1", etcd.url().getPort(), true)),
            Optional.of(etcd.ca()),
            Optional.of(new Access.Certificate(etcd.client().certificate(), etcd.client().key())),
            Optional.of(new Access.User("root", "right"))));
  }

  private String asRoot(String... words) {
    List<String> arguments = new ArrayList<>(List.of("--user", "root:right"));
    arguments.addAll(List.of(words));
    return new String(etcd.ctl(arguments.toArray(String[]::new)), UTF_8);
  }

  private static void assertFails(Keyward audit, String sentence) {
    assertThat(audit.exitCode()).as(audit.err()).isEqualTo(2);
    assertThat(audit.err()).contains(sentence).doesNotContain("right");
  }

  private Keyward audit(String urls, KeyPairFiles client, String user, String password)
      throws IOException {
    return audit(etcd.ca(), urls, client, user, password);
  }

  private Keyward audit(Path ca, String urls, KeyPairFiles client, String user, String password)
      throws IOException {
    Path secret = Files.writeString(directory.resolve(password), password + "\n");
    List<String> arguments = new ArrayList<>(List.of("audit", "--etcd", urls, "-o", "json"));
    arguments.addAll(List.of("--etcd-ca", ca.toString()));
    arguments.addAll(List.of("--etcd-cert", client.certificate().toString()));
    arguments.addAll(List.of("--etcd-key", client.key().toString()));
    arguments.addAll(List.of("--etcd-user", user, "--etcd-password-file", secret.toString()));
    return Keyward.run(arguments.toArray(String[]::new));
  }
}
