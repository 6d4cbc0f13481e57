package io.keyward.cli.output;

import java.io.PrintWriter;

/// Shows a text and then each change of it: on a terminal in place of the text before, elsewhere
/// below it.
public final class Screen {
  /// To the upper left corner, and erase what follows.
  private static final String CLEAR = "\u001b[H\u001b[J";

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean terminal;
  private final String separator;
  private String shown = "";
  private String reported = "";

  /// Nothing is shown yet.
  ///
  /// @param separator between two texts where they are printed one below the other
  public Screen(PrintWriter out, PrintWriter err, boolean terminal, String separator) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
    this.separator = separator;
  }

  /// Shows the text and the problems where one of them changed.
  public void show(String text, String problems) {
    boolean news = !text.equals(shown);
    boolean trouble = !problems.equals(reported);
    if (terminal && (news || trouble)) {
      out.print(CLEAR + text + (problems.isEmpty() ? "" : "\n" + problems));
    } else if (news) {
      out.print((shown.isEmpty() ? "" : separator) + text);
    }
    out.flush();
    if (!terminal && trouble) {
      err.print(problems);
      err.flush();
    }
    shown = text;
    reported = problems;
  }
}
