package io.keyward.node.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.rollout.node.ApiServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public final class MachineBootTest {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05.678Z");

  @TempDir Path proc;

  private MachineBoot boot(long seconds, String id) throws IOException {
    Files.createDirectories(proc.resolve("sys/kernel/random"));
    Files.writeString(proc.resolve("stat"), "cpu 1 2 3\nbtime " + seconds + "\nprocesses 5\n");
    Files.writeString(proc.resolve("sys/kernel/random/boot_id"), id + "\n");
    return MachineBoot.read(proc);
  }

  @Test
  void aClockThatIsSetChangesNoProcess() throws IOException {
    ApiServerProcess before = boot(1_767_000_000, "one").process(START);
    ApiServerProcess after = boot(1_767_000_000 - 3600, "one").process(START.minusSeconds(3600));
    assertThat(after.isSameAs(before)).isTrue();
    assertThat(boot(1_767_000_000, "one").process(START.plusMillis(1010)).isSameAs(before))
        .isFalse();
    assertThat(boot(1_767_000_000, "two").process(START).isSameAs(before)).isFalse();
  }

  @Test
  void aKernelThatRoundsItsStartChangesNoProcess() throws IOException {
    ApiServerProcess before = boot(1_767_000_000, "one").process(START);
    assertThat(boot(1_767_000_001, "one").process(START).isSameAs(before)).isTrue();
    assertThat(boot(1_767_000_000, "one").process(START.minusSeconds(1)).isSameAs(before)).isTrue();
  }

  @Test
  void aKernelThatSaysNothingLeavesTheStart() {
    MachineBoot silent = MachineBoot.read(proc.resolve("nothing"));
    assertThat(silent.process(START).isSameAs(silent.process(START))).isTrue();
    assertThat(silent.process(START).isSameAs(silent.process(START.plusMillis(1010)))).isFalse();
  }

  @Test
  void itIsReadAsItWasWritten() {
    for (String boot : new String[] {"", "c6cca9bd-0f4c"}) {
      var process = new ApiServerProcess(boot, START, Duration.ofMillis(-12));
      assertThat(ApiServerProcess.parse(process.text() + "\n")).contains(process);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "5", "x 5 id", "5 x id", "99999999999999999999 5 id"})
  void whatIsNoProcessIsNone(String text) {
    assertThat(ApiServerProcess.parse(text)).isEmpty();
  }
}
