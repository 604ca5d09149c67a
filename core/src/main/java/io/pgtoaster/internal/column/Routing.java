package io.pgtoaster.internal.column;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import org.jspecify.annotations.Nullable;

/**
 * Adds the leading key's value to statements that Citus should send to one node. Citus requires the
 * value, as a literal or parameter, in each part of a statement that names a table. Templates
 * contain a mark that no name can contain; a literal replaces it. Immutable.
 *
 * @param leading the leading key, or null
 * @param place of the leading key in the row key; -1 if the row key does not contain it
 * @param spread whether rows with different values may be on different nodes
 */
public record Routing(@Nullable KeyColumn leading, int place, boolean spread) {
  private static final String MARK = "\0";

  /** Returns the routing of a column. */
  public static Routing of(AttachedColumn column) {
    KeyColumn leading = column.leadingKey();
    int place = leading == null ? -1 : column.key().indexOf(leading);
    return new Routing(leading, place, place >= 0 && column.distributed());
  }

  /**
   * Returns the placeholder of the value in a template, an expression of its type; empty without a
   * leading key.
   */
  public String value() {
    return leading == null ? "" : leading.cast(MARK);
  }

  /**
   * Returns a condition on a qualified column of a table, and AND; empty if the statements do not
   * need one.
   */
  public String condition(String column) {
    return leading != null && spread ? leading.compared(column, "=", value()) + " AND " : "";
  }

  /**
   * Returns a WITH that changes no row, which makes Citus treat a SELECT that calls a routine as a
   * modification. Otherwise Citus would treat it as a read and could commit without noticing that
   * the worker is gone. The call would then report lost writes as done.
   *
   * @param head table of the store
   * @param column of that table to set
   * @param leading name of the leading key in that table
   */
  public String modification(String head, String column, String leading) {
    return "WITH pgtoaster_modified AS (UPDATE %1$s AS h SET %2$s = h.%2$s WHERE %3$sh.id = -1) "
        .formatted(head, column, condition("h." + leading));
  }

  /**
   * Returns the leading key's value in a row as a literal; empty if the row key does not contain
   * the leading key.
   */
  public String literal(RowKey key) {
    return place < 0 ? "" : Identifiers.literal(key.values().get(place));
  }

  /** Fills a statement for a row. */
  public String fill(String sql, RowKey key) {
    return place < 0 ? sql : fill(sql, literal(key));
  }

  /** Fills a statement. */
  public static String fill(String sql, String literal) {
    return sql.replace(MARK, literal);
  }

  /** Returns whether two rows are on the same node. */
  public boolean together(RowKey one, RowKey other) {
    return !spread || one.values().get(place).equals(other.values().get(place));
  }
}
