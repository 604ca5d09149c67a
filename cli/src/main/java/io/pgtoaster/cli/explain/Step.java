package io.pgtoaster.cli.explain;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One statement of an operation.
 *
 * @param statement what it does, in SQL's words
 * @param tables what it did to which table
 * @param walBytes write-ahead log that came while it ran
 * @param millis time it took, seen by the client
 */
public record Step(String statement, List<Cost> tables, long walBytes, double millis) {
  private static final Pattern CHANGE =
      Pattern.compile("(?<!KEY |FOR )\\b(INSERT INTO|UPDATE|DELETE FROM)\\b");
  private static final Pattern LOCK =
      Pattern.compile("\\bFOR (NO KEY UPDATE|KEY SHARE|UPDATE|SHARE)\\b");

  /**
   * Copies the tables.
   *
   * @param statement as the component says
   * @param tables as the component says
   * @param walBytes as the component says
   * @param millis as the component says
   */
  public Step {
    tables = List.copyOf(tables);
  }

  /** Says in a word or three what a statement does. */
  static String verb(String sql) {
    Matcher change = CHANGE.matcher(sql);
    if (change.find()) {
      return change.group(1).split(" ", 2)[0];
    }
    Matcher lock = LOCK.matcher(sql);
    return lock.find() ? "SELECT " + lock.group() : "SELECT";
  }
}
