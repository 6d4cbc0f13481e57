package io.keyward.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Columns for people: as wide as their longest cell, two blanks apart. A column with a number in
/// it stands to the right.
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();
  private final Set<Integer> numbers = new HashSet<>();

  public Table(String... headings) {
    rows.add(List.of(headings));
  }

  public Table row(Object... cells) {
    for (int column = 0; column < cells.length; column++) {
      if (cells[column] instanceof Number) {
        numbers.add(column);
      }
    }
    rows.add(Arrays.stream(cells).map(String::valueOf).map(Printable::of).toList());
    return this;
  }

  @Override
  public String toString() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    var text = new StringBuilder();
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        int blanks = widths[column] - row.get(column).length();
        boolean right = numbers.contains(column);
        line.repeat(' ', right ? blanks : 0).append(row.get(column));
        line.repeat(' ', (right ? 0 : blanks) + 2);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
