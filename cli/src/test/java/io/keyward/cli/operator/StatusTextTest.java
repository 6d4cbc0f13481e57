package io.keyward.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.cli.Schemas;
import io.keyward.codec.migration.MigrationProgress;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.core.model.Condition;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.view.KeyView;
import io.keyward.core.view.PluginView;
import io.keyward.core.view.SiteView;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.site.StatusView;
import io.keyward.operator.ClusterReader.Readings;
import io.keyward.operator.ClusterReader.Unread;
import io.keyward.operator.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class StatusTextTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Resource SECRETS = new Resource("", "secrets");
  private static final ObjectMapper JSON = new ObjectMapper();

  private static StatusView view() {
    var site =
        new SiteView(
            "kube-apiserver",
            NOW,
            "aescbc",
            List.of(
                new KeyView(
                    new KeySerial(2),
                    "aescbc",
                    Optional.empty(),
                    List.of(SECRETS),
                    List.of(),
                    new TreeSet<>()),
                new KeyView(
                    new KeySerial(1),
                    "KMS",
                    Optional.of(plugin("unix:///run/a.sock")),
                    List.of(),
                    List.of(SECRETS),
                    new TreeSet<>(List.of(SECRETS)))),
            4,
            List.of(
                new Revisions.Node("a", 4, 4, 0, true),
                new Revisions.Node("b", 3, 4, 4, false, "no space left", Optional.of("NotReady"))),
            Optional.empty(),
            List.of(),
            Duration.ofMinutes(1),
            List.of(
                new Condition(
                    "Encrypted", Condition.Status.FALSE, "EncryptionInProgress", "ongoing", NOW),
                new Condition("EncryptionWaiting", Condition.Status.FALSE, "", "", NOW)));
    return new StatusView(
        site,
        new TreeMap<>(Map.of(new KeySerial(2), NOW.minus(Duration.ofMinutes(3)))),
        List.of(
            new MigrationRecord(
                JSON.createObjectNode(),
                "/x",
                new MigrationStatus(
                    SECRETS,
                    new MigrationTarget("2", Optional.empty()),
                    "w",
                    1,
                    new MigrationStatus.State.Running()),
                new MigrationProgress(500, 2000, 250))));
  }

  private static PluginView plugin(String endpoint) {
    return new PluginView(
        endpoint,
        "Vault",
        new TreeMap<>(
            Map.of("vaultAddress", "https://vault:8200", "vaultKeyPath", "transit/keys/k")),
        Optional.empty(),
        true);
  }

  /// With plugins on both nodes, and one on a node that is not listed.
  private static StatusView kms() {
    SiteView site = view().site();
    return new StatusView(
        new SiteView(
            site.component(),
            NOW,
            "KMS",
            List.of(
                new KeyView(
                    new KeySerial(3),
                    "KMS",
                    Optional.of(plugin("unix:///run/b.sock")),
                    List.of(SECRETS),
                    List.of(),
                    new TreeSet<>(List.of(SECRETS)))),
            4,
            List.of(new Revisions.Node("a", 4, 4, 0, true), new Revisions.Node("b", 4, 4, 0, true)),
            Optional.of(
                new Revisions.Deployment(
                    "d", List.of(), 1, List.of(new Revisions.Node("p", 4, 4, 0, true)))),
            List.of(
                report("a", HealthReport.Status.HEALTHY, NOW),
                report("b", HealthReport.Status.UNHEALTHY, NOW.minus(Duration.ofMinutes(2))),
                report("c", HealthReport.Status.ERROR, NOW)),
            Duration.ofMinutes(1),
            List.of(new Condition("Encrypted", Condition.Status.TRUE, "Completed", "", NOW))),
        new TreeMap<>(),
        List.of());
  }

  private static HealthReport report(String node, HealthReport.Status status, Instant checked) {
    return new HealthReport(
        node,
        new KeySerial(3),
        status,
        checked,
        node.equals("c") ? Optional.empty() : Optional.of(new KekId("kw1-0123456789abcdef")),
        Optional.of(NOW),
        Optional.of(NOW),
        status == HealthReport.Status.HEALTHY ? "" : "no answer");
  }

  private static Readings<StatusView> read(StatusView... views) {
    return new Readings<>(List.of(views), List.of());
  }

  @Test
  void forPeople() {
    assertThat(StatusText.table(read(view()), NOW))
        .isEqualTo(
            """
            Blocked: b cannot run revision 4: no space left

            kube-apiserver: aescbc is requested; new data is encrypted with key 2 (aescbc)
              KEY  MODE    WRITES   READS    AGE          MIGRATED
              2    aescbc  secrets  -        3m           -
              1    KMS     -        secrets  secret gone  secrets
              KMS KEY  PROVIDER  REMOTE KEY                         PLUGIN   IN USE
              1        Vault     https://vault:8200 transit/keys/k  Keyward  yes
              NODE  REVISION  TARGET  READY          FAILED
              a            4       4  yes            -
              b            3       4  no (NotReady)  revision 4: no space left
              MIGRATION  KEY  STATE    PROGRESS
              secrets    2    Running  500 of 2000, 250 a second, 6 s left
              Encrypted is False since 2026-01-02T03:04:05Z (EncryptionInProgress): ongoing
            """);
  }

  @Test
  void theTableShowsThePluginOfEachNodeAndShortensItsKeyId() {
    assertThat(StatusText.table(read(kms()), NOW))
        .isEqualTo(
            """
            Encrypted: every resource is encrypted with key 3 (KMS)

            kube-apiserver: KMS is requested; new data is encrypted with key 3 (KMS)
              KEY  MODE  WRITES   READS  AGE          MIGRATED
              3    KMS   secrets  -      secret gone  secrets
              KMS KEY  PROVIDER  REMOTE KEY                         PLUGIN   IN USE
              3        Vault     https://vault:8200 transit/keys/k  Keyward  yes
              NODE  REVISION  TARGET  READY  KEY ID         PLUGIN                                FAILED
              a            4       4  yes    kw1-01234567…  healthy                               -
              b            4       4  yes    kw1-01234567…  no report since 2026-01-02T03:02:05Z  -
              POD  REVISION  TARGET  READY  FAILED
              p           4       4  yes    -
              PLUGIN ON  KEY ID  PLUGIN
              c          -       error
            """);
  }

  @Test
  void anApiServerThatCannotBeReadIsInTheVerdict() {
    var lost = new Unread("oauth-apiserver", new ClusterFailure("no answer"));
    assertThat(StatusText.table(new Readings<>(List.of(kms()), List.of(lost)), NOW).lines())
        .startsWith("Unknown: the state of oauth-apiserver cannot be read");
    assertThat(Unreadable.text(List.of(lost))).startsWith("keyward: oauth-apiserver: no answer\n");
  }

  @Test
  void forPrograms() {
    JsonNode document =
        Schemas.checked("Status", StatusDocument.of(read(view(), kms())).toString());
    assertThat(document.at("/verdict/state").asText()).isEqualTo("Blocked");
    JsonNode json = document.at("/apiServers/0");
    assertThat(json.at("/writeKey").asLong()).isEqualTo(2);
    assertThat(json.at("/keys/0/serial").asLong()).isEqualTo(2);
    assertThat(json.at("/keys/0/created").asText()).isEqualTo("2026-01-02T03:01:05Z");
    assertThat(json.at("/nodes/1/failedRevision").asLong()).isEqualTo(4);
    assertThat(json.at("/nodes/1/failure").asText()).isEqualTo("no space left");
    assertThat(json.at("/nodes/1/silence").asText()).isEqualTo("NotReady");
    assertThat(json.at("/nodes/0").has("failure")).isFalse();
    assertThat(json.at("/migrations/0").toString())
        .isEqualTo(
            "{\"resource\":\"secrets\",\"writeKey\":\"2\",\"state\":\"Running\",\"done\":500,"
                + "\"total\":2000,\"perSecond\":250,\"secondsLeft\":6}");
    assertThat(json.at("/conditions/0/type").asText()).isEqualTo("Encrypted");
  }

  @Test
  void programsGetTheWholeKeyId() {
    JsonNode json = Schemas.checked("Status", StatusDocument.of(read(kms())).toString());
    assertThat(json.at("/apiServers/0/nodes/0/plugins/0").toString())
        .isEqualTo(
            "{\"node\":\"a\",\"key\":3,\"status\":\"healthy\",\"fresh\":true,"
                + "\"since\":\"2026-01-02T03:04:05Z\",\"keyId\":\"kw1-0123456789abcdef\","
                + "\"keyIdSince\":\"2026-01-02T03:04:05Z\"}");
    assertThat(json.at("/apiServers/0/nodes/1/plugins/0/fresh").asBoolean()).isFalse();
    assertThat(json.at("/apiServers/0/otherPlugins/0/detail").asText()).isEqualTo("no answer");
  }

  @Test
  void anExplanationForPeopleAndForPrograms() {
    var next = new Explanation("kube-apiserver", "-", List.of("Creating key 1"), List.of("x is y"));
    var idle = new Explanation("oauth-apiserver", "key 1", List.of(), List.of());
    assertThat(ExplanationText.people(List.of(next, idle)))
        .isEqualTo(
            """
            kube-apiserver
              runs: -
              next:
                - Creating key 1
              x is y
            oauth-apiserver
              runs: key 1
              next: nothing, until something changes
            """);
    var readings = new Readings<>(List.of(next, idle), List.of());
    JsonNode json = Schemas.checked("Explanation", ExplanationText.programs(readings).toString());
    assertThat(json.at("/apiServers/0/next/0").asText()).isEqualTo("Creating key 1");
  }
}
