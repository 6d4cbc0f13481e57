package io.keyward.storage.config.text;

/// The text of a scalar on several lines: one line break becomes a space, more become one less.
final class LineFolding {
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder blanks = new StringBuilder();
  private final StringBuilder firstBreak = new StringBuilder();
  private final StringBuilder otherBreaks = new StringBuilder();
  private boolean onNewLine;

  boolean onNewLine() {
    return onNewLine;
  }

  void append(int character) {
    text.appendCodePoint(character);
  }

  void blank(int character) {
    if (!onNewLine) {
      blanks.appendCodePoint(character);
    }
  }

  void lineBreak(int character) {
    if (onNewLine) {
      otherBreaks.appendCodePoint(character);
    } else {
      blanks.setLength(0);
      firstBreak.appendCodePoint(character);
      onNewLine = true;
    }
  }

  /// The line break disappears, and so does the indentation of the next line.
  void escapedBreak() {
    onNewLine = true;
  }

  /// Writes what stands between two parts of the text.
  void join() {
    if (!onNewLine) {
      text.append(blanks);
      blanks.setLength(0);
      return;
    }
    if (firstBreak.indexOf("\n") == 0) {
      text.append(otherBreaks.isEmpty() ? " " : otherBreaks);
    } else {
      text.append(firstBreak).append(otherBreaks);
    }
    firstBreak.setLength(0);
    otherBreaks.setLength(0);
    onNewLine = false;
  }

  String text() {
    return text.toString();
  }
}
