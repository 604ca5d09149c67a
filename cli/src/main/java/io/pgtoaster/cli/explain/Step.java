package io.pgtoaster.cli.explain;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One statement of an operation.
 *
 * @param statement description in SQL terms
 * @param tables its cost per table
 * @param walBytes write-ahead log written while it ran, in bytes
 * @param millis time it took, measured at the client
 */
public record Step(String statement, List<Cost> tables, long walBytes, double millis) {
  private static final Pattern CHANGE =
      Pattern.compile("(?<!KEY |FOR )\\b(INSERT INTO|UPDATE|DELETE FROM)\\b");
  private static final Pattern LOCK =
      Pattern.compile("\\bFOR (NO KEY UPDATE|KEY SHARE|UPDATE|SHARE)\\b");

  /**
   * Copies the tables.
   *
   * @param statement see the record component
   * @param tables see the record component
   * @param walBytes see the record component
   * @param millis see the record component
   */
  public Step {
    tables = List.copyOf(tables);
  }

  /** Describes in one to three words what a statement does. */
  static String verb(String sql) {
    Matcher change = CHANGE.matcher(sql);
    if (change.find()) {
      return change.group(1).split(" ", 2)[0];
    }
    Matcher lock = LOCK.matcher(sql);
    return lock.find() ? "SELECT " + lock.group() : "SELECT";
  }
}
