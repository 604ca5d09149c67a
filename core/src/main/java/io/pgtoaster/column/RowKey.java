package io.pgtoaster.column;

import java.util.List;

/**
 * The key of one row of an owner table, in the order of its key columns.
 *
 * @param values text form of each value, which PostgreSQL can read
 */
public record RowKey(List<String> values) {
  /** Copies the values, so that a key of a map cannot change. */
  public RowKey {
    values = List.copyOf(values);
  }
}
