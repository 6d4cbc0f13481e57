package io.keyward.kms.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.plugin.service.CallObserver;
import io.keyward.kms.plugin.service.Operation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class QuietTimeTest {
  private final List<String> cleaned = new ArrayList<>();
  private final QuietTime quiet = new QuietTime(() -> cleaned.add("cleaned"));
  private final List<String> seen = new ArrayList<>();
  private final CallObserver observer =
      quiet.counting((operation, code, nanos) -> seen.add(operation.label() + code + nanos));

  private void calls(int number) {
    for (int i = 0; i < number; i++) {
      observer.finished(Operation.STATUS, "OK", 7);
    }
    quiet.look();
  }

  @Test
  void cleansUpOnceAfterTheStart() {
    calls(0);
    calls(0);
    assertThat(cleaned).hasSize(1);
  }

  @Test
  void waitsUntilNobodyCalls() {
    calls(QuietTime.BUSY);
    calls(QuietTime.QUIET);
    assertThat(cleaned).isEmpty();
    calls(QuietTime.QUIET - 1);
    assertThat(cleaned).hasSize(1);
  }

  @Test
  void doesNotCleanUpAgainBeforeThePluginWorked() {
    calls(0);
    calls(QuietTime.BUSY - 1);
    calls(0);
    assertThat(cleaned).hasSize(1);
    calls(1);
    assertThat(cleaned).hasSize(2);
  }

  @Test
  void passesEveryCallOn() {
    calls(2);
    assertThat(seen).containsExactly("statusOK7", "statusOK7");
  }
}
