package io.pgtoaster.cli.explain;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts of rows and pages for one table, including its indexes.
 *
 * @param table name of the table
 * @param read rows read
 * @param inserted rows inserted
 * @param updated rows updated
 * @param deleted rows deleted
 * @param pages pages accessed
 * @param missed accessed pages that were not in the server's buffers
 */
public record Cost(
    String table, long read, long inserted, long updated, long deleted, long pages, long missed) {
  Cost minus(Cost before) {
    return new Cost(
        table,
        read - before.read,
        inserted - before.inserted,
        updated - before.updated,
        deleted - before.deleted,
        pages - before.pages,
        missed - before.missed);
  }

  boolean isNothing() {
    return read + inserted + updated + deleted + pages == 0;
  }

  /**
   * Describes the row counts.
   *
   * @return such as {@code 2 read, 1 updated}
   */
  public String rows() {
    List<String> parts = new ArrayList<>();
    add(parts, read, " read");
    add(parts, inserted, " inserted");
    add(parts, updated, " updated");
    add(parts, deleted, " deleted");
    return parts.isEmpty() ? "-" : String.join(", ", parts);
  }

  private static void add(List<String> parts, long number, String what) {
    if (number > 0) {
      parts.add(number + what);
    }
  }
}
