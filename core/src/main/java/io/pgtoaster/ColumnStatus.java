package io.pgtoaster;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How an attached column stands. What the catalog does not know of a column is null.
 *
 * @param store number of its store
 * @param schema name of the table's schema; null if the table was dropped
 * @param table name of the table; null if it was dropped
 * @param column name of the column
 * @param toaster name of its toaster
 * @param options of the column, by name
 * @param contents number of blobs, or of documents that are split
 * @param bytes sum of their sizes; of documents, of what left the rows, uncompressed
 * @param storedRows number of rows that hold them, about
 * @param tableBytes size of the store on disk
 * @param deadShare share of dead rows, from 0 to 1
 * @param garbage number of contents that were released and not swept
 * @param warnings what should be looked after
 */
public record ColumnStatus(
    int store,
    @Nullable String schema,
    @Nullable String table,
    String column,
    String toaster,
    Map<String, String> options,
    @Nullable Long contents,
    @Nullable Long bytes,
    @Nullable Long storedRows,
    @Nullable Long tableBytes,
    @Nullable Double deadShare,
    @Nullable Long garbage,
    List<String> warnings) {
  /**
   * Copies the collections.
   *
   * @param store as the component says
   * @param schema as the component says
   * @param table as the component says
   * @param column as the component says
   * @param toaster as the component says
   * @param options as the component says
   * @param contents as the component says
   * @param bytes as the component says
   * @param storedRows as the component says
   * @param tableBytes as the component says
   * @param deadShare as the component says
   * @param garbage as the component says
   * @param warnings as the component says
   */
  public ColumnStatus {
    options = Map.copyOf(options);
    warnings = List.copyOf(warnings);
  }

  /** The same with more warnings. */
  ColumnStatus warned(List<String> more) {
    return more.isEmpty()
        ? this
        : new ColumnStatus(
            store,
            schema,
            table,
            column,
            toaster,
            options,
            contents,
            bytes,
            storedRows,
            tableBytes,
            deadShare,
            garbage,
            Stream.concat(warnings.stream(), more.stream()).toList());
  }
}
