package io.pgtoaster.column;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The order of a {@link io.pgtoaster.jsonb.DocumentColumn#searchOrdered}: by the lowest number or
 * string at a path of each document or, in descending order, by the highest. Numbers are lower than
 * strings, and strings are compared by the code points of their characters. Rows with equal values
 * are in the order of their keys. Immutable.
 */
public final class JsonOrder {
  /**
   * A row that was found.
   *
   * @param key the value of the key column, or a list of values for a composite key
   * @param value the number or string by which the row is ordered
   */
  public record Hit(Object key, JsonNode value) {}

  private final String path;
  private final boolean descending;
  private final @Nullable Hit after;

  private JsonOrder(String path, boolean descending, @Nullable Hit after) {
    this.path = Objects.requireNonNull(path, "path");
    this.descending = descending;
    this.after = after;
  }

  /**
   * Returns the order that begins with the lowest value.
   *
   * @param path as in {@link JsonRange#of}
   */
  public static JsonOrder ascending(String path) {
    return new JsonOrder(path, false, null);
  }

  /**
   * Returns the order that begins with the highest value.
   *
   * @param path as in {@link JsonRange#of}
   */
  public static JsonOrder descending(String path) {
    return new JsonOrder(path, true, null);
  }

  /** Returns the same order for the rows that follow a row. The row may no longer exist. */
  public JsonOrder withAfter(Hit row) {
    return new JsonOrder(path, descending, Objects.requireNonNull(row, "row"));
  }

  /** Returns the path of the values. */
  public String path() {
    return path;
  }

  /** Returns true if rows with higher values come first. */
  public boolean descending() {
    return descending;
  }

  /** Returns the last row of the previous page; null for the first page. */
  public @Nullable Hit after() {
    return after;
  }
}
