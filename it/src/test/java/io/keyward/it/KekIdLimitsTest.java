package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.kms.KekId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The engine and the plugin do not know each other's types, and must accept the same ids: an id
/// that only one of them takes would never be recorded, or never be reported.
final class KekIdLimitsTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 511, 512, 1022, 1023, 1024, 1025, 2048})
  void theEngineAndThePluginAcceptTheSameIds(int length) {
    for (String letter : new String[] {"x", "ü", "€", "😀"}) {
      String id = letter.repeat(length);
      assertThat(KekId.parse(id).isPresent())
          .as("%d times %s", length, letter)
          .isEqualTo(isAcceptedByThePlugin(id));
    }
  }

  private static boolean isAcceptedByThePlugin(String id) {
    try {
      return new io.keyward.kms.spi.KekId(id).value().equals(id);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
