package io.keyward.cli.recover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyPatternTest {
  /// In keys, `N` stands for a line break and `E` for the escape character.
  @ParameterizedTest(name = "finding06: {0} and {1}")
  @CsvSource({
    "/registry/**, /registry/roles/aNb, true",
    "/registry/roles/*, /registry/roles/aNb, true",
    "/registry/*, /registry/roles/aNb, false",
    "/registry/roles/a*, /registry/roles/aE[2J, true",
    "/registry/secrets/a/b, /registry/secrets/a/b, true",
    "/registry/secrets/a/b, /registry/secrets/a/bN, false",
    "/registry/secrets/a.b, /registry/secrets/aNb, false"
  })
  void finding06PatternsMatchEveryName(String pattern, String key, boolean matches) {
    String name = key.replace('N', '\n').replace('E', '\u001b');
    assertThat(KeyPattern.of(List.of(pattern)).matches(name)).isEqualTo(matches);
  }
}
