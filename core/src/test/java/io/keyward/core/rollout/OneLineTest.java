package io.keyward.core.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class OneLineTest {
  @Test
  void plainWordsStayAsTheyAre() {
    assertThat(OneLine.of("cannot write /ä/b: no space")).isEqualTo("cannot write /ä/b: no space");
    assertThat(OneLine.of("")).isEmpty();
  }

  @Test
  void nothingIsLeftThatATerminalObeys() {
    assertThat(OneLine.of(" a\n\tb\u001b[31mc\u202ed\u2028e\ud800f\u0000 "))
        .isEqualTo("a b [31mc d e f");
  }

  @Test
  void itIsBoundedAndNoCharacterIsCutInTwo() {
    String bounded = OneLine.of("😀".repeat(400));
    assertThat(bounded.codePointCount(0, bounded.length())).isEqualTo(300);
    assertThat(bounded).endsWith("😀…");
    assertThat(OneLine.of("x".repeat(300))).hasSize(300).endsWith("x");
  }
}
