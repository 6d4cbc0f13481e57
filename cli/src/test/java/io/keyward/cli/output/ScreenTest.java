package io.keyward.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class ScreenTest {
  private static final String CLEAR = "\u001b[H\u001b[J";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Screen screen(boolean terminal, String separator) {
    return new Screen(new PrintWriter(out), new PrintWriter(err), terminal, separator);
  }

  @Test
  void aTerminalIsDrawnAgainOnlyWhereSomethingChanged() {
    Screen screen = screen(true, "---\n");
    screen.show("one\n", "");
    screen.show("one\n", "");
    screen.show("two\n", "lost\n");
    screen.show("two\n", "");
    assertThat(out.toString())
        .isEqualTo(CLEAR + "one\n" + CLEAR + "two\n\nlost\n" + CLEAR + "two\n");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aFileGetsOneTextBelowTheOtherAndNoControlCharacters() {
    Screen screen = screen(false, "---\n");
    screen.show("one\n", "");
    screen.show("one\n", "lost\n");
    screen.show("one\n", "lost\n");
    screen.show("two\n", "");
    assertThat(out.toString()).isEqualTo("one\n---\ntwo\n");
    assertThat(err.toString()).isEqualTo("lost\n");
  }
}
