package io.keyward.node.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.status.OperatorStatus;
import io.keyward.codec.status.StatusBody;
import io.keyward.core.health.Probe;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

public final class OwnReportsTest {
  private static final StatusBody BODY =
      new StatusBody("operator.openshift.io/v1", "KubeAPIServer", "");
  private static final OperatorStatus NOTHING = status();
  private static final KeySerial SERIAL = new KeySerial(3);
  private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");

  private static Probe well(String kek) {
    return new Probe.Answer("v2", "ok", kek);
  }

  /// The status in which these stand, as the next process finds it.
  private static OperatorStatus status(HealthReport... reports) {
    return BODY.read(BODY.reports(List.of(reports)));
  }

  private static HealthReport next(OwnReports own, Probe probe, OperatorStatus seen, long second) {
    return own.next(SERIAL, probe, seen, BEGIN.plusSeconds(second));
  }

  @Test
  void anAgentThatIsStartedAgainGoesOnFromItsLastReport() {
    var first = new OwnReports("a");
    next(first, well("A"), NOTHING, 0);
    HealthReport written = next(first, well("B"), NOTHING, 30);
    HealthReport after = next(new OwnReports("a"), well("B"), status(written), 900);
    assertThat(after.statusSince()).contains(BEGIN);
    assertThat(after.kekSince()).contains(BEGIN.plusSeconds(30));
    assertThat(after.kekBefore()).contains(new KekId("A"));
    assertThat(after.lastChecked()).isEqualTo(BEGIN.plusSeconds(900));
  }

  @Test
  void aPluginThatIsSilentSinceBeforeTheStartKeepsItsKekAndItsTime() {
    HealthReport down =
        next(
            new OwnReports("a"),
            new Probe.Failure("x"),
            status(next(new OwnReports("a"), well("A"), NOTHING, 0)),
            30);
    HealthReport still = next(new OwnReports("a"), new Probe.Failure("x"), status(down), 120);
    assertThat(still.statusSince()).contains(BEGIN.plusSeconds(30));
    assertThat(still.kek()).contains(new KekId("A"));
    assertThat(still.kekSince()).contains(BEGIN);
  }

  @Test
  void aKekThatCameAndWentIsToldAlthoughNobodyCouldWriteItDownMeanwhile() {
    var own = new OwnReports("a");
    HealthReport before = next(own, well("A"), NOTHING, 0);
    own.told(List.of(before));
    next(own, well("B"), NOTHING, 30);
    HealthReport back = next(own, well("A"), NOTHING, 60);
    assertThat(own.isNews(List.of(back))).isTrue();
    assertThat(back.tellsOfAnother(new KekId("A"), BEGIN)).isTrue();
    assertThat(BODY.reports(List.of(back)).toString())
        .contains("\"remoteKeyIDSince\":\"2026-01-02T03:05:05Z\"", "\"remoteKeyIDBefore\":\"B\"");
  }

  @Test
  void timeThatGoesByIsNoNews() {
    var own = new OwnReports("a");
    HealthReport first = next(own, well("A"), NOTHING, 0);
    assertThat(own.isNews(List.of(first))).isTrue();
    own.told(List.of(first));
    for (long second : new long[] {30, 60, 86_400}) {
      assertThat(own.isNews(List.of(next(own, well("A"), NOTHING, second)))).isFalse();
    }
    assertThat(own.isNews(List.of(next(own, new Probe.Failure("x"), NOTHING, 86_430)))).isTrue();
  }

  /// A wall clock that was set back: once, and not again with each report.
  @Test
  void aTimeToComeBeginsAnewOnce() {
    OperatorStatus ahead = status(next(new OwnReports("a"), well("A"), NOTHING, 3600));
    var own = new OwnReports("a");
    HealthReport now = next(own, well("A"), ahead, 0);
    assertThat(now.statusSince()).contains(BEGIN);
    assertThat(now.kekSince()).contains(BEGIN);
    own.told(List.of(now));
    assertThat(own.isNews(List.of(next(own, well("A"), ahead, 30)))).isFalse();
  }

  @Test
  void reportsOfOtherNodesAreNotOurs() {
    HealthReport other = next(new OwnReports("b"), well("A"), NOTHING, 0);
    assertThat(next(new OwnReports("a"), well("A"), status(other), 60).kekSince())
        .contains(BEGIN.plusSeconds(60));
  }
}
