package io.pgtoaster;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.jsonb.JsonIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search index of an attached column.
 *
 * @param column its name, with the schema
 * @param kind the searches that the index supports
 * @param config its text search configuration; null unless the kind is text
 * @param paths the paths of a path index; empty for other kinds
 * @param complete whether both of its parts exist: the index of the column and the index of the
 *     leaves. {@link Catalog#createIndex} creates the missing one
 * @param bytes its size on disk
 */
public record SearchIndex(
    ColumnName column,
    JsonIndex.Kind kind,
    @Nullable String config,
    List<String> paths,
    boolean complete,
    long bytes) {
  /** Copies the paths. */
  public SearchIndex {
    paths = List.copyOf(paths);
  }
}
