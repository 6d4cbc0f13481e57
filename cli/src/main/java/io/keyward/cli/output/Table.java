package io.keyward.cli.output;

import java.util.ArrayList;
import java.util.List;

/// Columns for people: as wide as their longest cell, two blanks apart.
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... headings) {
    rows.add(List.of(headings));
  }

  public Table row(Object... cells) {
    rows.add(java.util.Arrays.stream(cells).map(String::valueOf).toList());
    return this;
  }

  @Override
  public String toString() {
    var text = new StringBuilder();
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(row.get(column));
        line.repeat(' ', width(column) - row.get(column).length() + 2);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
