package io.pgtoaster.column;

import java.util.List;
import java.util.Map;

/**
 * A column and its toaster, as they were last looked up.
 *
 * @param name its name, with the schema
 * @param type name of its type, such as {@code int8}, {@code bytea} or {@code jsonb}
 * @param toaster name of its toaster
 * @param options options of the toaster, by their names in the catalog; empty for a column that is
 *     not attached
 * @param key names of the columns of the row key, in order
 */
public record ColumnInfo(
    ColumnName name, String type, String toaster, Map<String, String> options, List<String> key) {
  /** Copies the collections. */
  public ColumnInfo {
    options = Map.copyOf(options);
    key = List.copyOf(key);
  }
}
