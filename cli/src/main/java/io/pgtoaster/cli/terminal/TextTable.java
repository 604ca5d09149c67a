package io.pgtoaster.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** A text table with aligned columns. */
public final class TextTable {
  private final String alignment;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Creates a table.
   *
   * @param alignment for each column, {@code l} for left or {@code r} for right
   */
  public TextTable(String alignment) {
    this.alignment = alignment;
  }

  /**
   * Adds a row.
   *
   * @param cells one per column
   */
  public void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(String.valueOf(cell));
    }
    rows.add(row);
  }

  /**
   * Formats the rows.
   *
   * @return lines, each with a line end
   */
  @Override
  public String toString() {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] width = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        width[i] = Math.max(width[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        String space = " ".repeat(width[i] - cell.length());
        line.append(i == 0 ? "" : "  ").append(alignsRight(i) ? space + cell : cell + space);
      }
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }

  private boolean alignsRight(int column) {
    return column < alignment.length() && alignment.charAt(column) == 'r';
  }
}
