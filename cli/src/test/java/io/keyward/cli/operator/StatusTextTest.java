package io.keyward.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.codec.migration.MigrationProgress;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.core.model.Condition;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.view.KeyView;
import io.keyward.core.view.SiteView;
import io.keyward.kube.site.StatusView;
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
                    Optional.of("unix:///run/a.sock"),
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

  @Test
  void forPeople() {
    assertThat(StatusText.table(List.of(view()), NOW))
        .isEqualTo(
            """
            kube-apiserver: aescbc is requested
              KEY  MODE    WRITES   READS    AGE          MIGRATED
              2    aescbc  secrets  -        3m           -
              1    KMS     -        secrets  secret gone  secrets
              NODE  REVISION  TARGET  READY          FAILED
              a            4       4  yes            -
              b            3       4  no (NotReady)  revision 4: no space left
              MIGRATION  KEY  STATE    PROGRESS
              secrets    2    Running  500 of 2000, 250 a second, 6 s left
              Encrypted is False since 2026-01-02T03:04:05Z (EncryptionInProgress): ongoing
            """);
  }

  @Test
  void forPrograms() {
    JsonNode json = JSON.valueToTree(StatusText.json(List.of(view()))).get(0);
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
}
