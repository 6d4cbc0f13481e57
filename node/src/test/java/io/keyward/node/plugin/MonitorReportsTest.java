package io.keyward.node.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.object.MonitorCodec.Observed;
import io.keyward.core.health.Probe;
import io.keyward.core.model.key.KeySerial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MonitorReportsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:30Z");
  private static final String TWO =
      """
      {"writtenTime":"2026-01-01T00:00:25Z","plugins":[
        {"keyID":"1","endpoint":"unix:///a","checkedTime":"2026-01-01T00:00:20Z","version":"v2","healthz":"ok","remoteKeyID":"kek","warnings":["it is disabled"]},
        {"keyID":"2","endpoint":"unix:///b","checkedTime":"2026-01-01T00:00:20Z","error":"no plugin responds"},
        {"keyID":"x"}]}
      """;

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("monitor/kube-apiserver.json");
  }

  @Test
  void readsWhatTheMonitorSaw() throws IOException {
    var monitor = new MonitorReports(file());
    monitor.share(true);
    assertThat(monitor.read()).isEmpty();
    Files.writeString(file(), TWO);
    var seen = monitor.read();
    assertThat(seen).hasSize(2);
    Observed first = MonitorReports.of(seen, new KeySerial(1), NOW);
    assertThat(first.probe()).isEqualTo(new Probe.Answer("v2", "ok", "kek"));
    assertThat(first.warnings()).containsExactly("it is disabled");
    assertThat(MonitorReports.of(seen, new KeySerial(2), NOW).probe())
        .isEqualTo(new Probe.Failure("no plugin responds"));
  }

  /// W9: also a plugin that never answered, and a monitor that is gone, are reported.
  @Test
  void w9AMonitorThatIsSilentIsAFailure() throws IOException {
    var monitor = new MonitorReports(file());
    monitor.share(true);
    assertThat(failure(MonitorReports.of(monitor.read(), new KeySerial(1), NOW)))
        .contains("does not report", "keyward-kms-plugin");
    Files.writeString(file(), TWO);
    Observed late = MonitorReports.of(monitor.read(), new KeySerial(1), NOW.plusSeconds(20));
    assertThat(failure(late)).contains("does not report");
    assertThat(late.checked()).isEqualTo(NOW.plusSeconds(20));
    Files.writeString(file(), "half a rep");
    assertThat(monitor.read()).isEmpty();
  }

  private static String failure(Observed observed) {
    return observed.probe() instanceof Probe.Failure(var error) ? error : "";
  }

  /// The monitor is not root, and a reboot empties this directory.
  @Test
  void theMonitorMayWriteIntoItsDirectory() throws IOException {
    new MonitorReports(file()).share(false);
    assertThat(directory.resolve("monitor")).doesNotExist();
    new MonitorReports(file()).share(true);
    Path parent = directory.resolve("monitor");
    assertThat(Files.getAttribute(parent, "unix:gid")).isEqualTo(65532);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(parent)))
        .isEqualTo("rwxrwx---");
  }
}
