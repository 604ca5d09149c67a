package io.pgtoaster.internal.column;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.RowExistsException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists, locks and inserts rows of an owner table. An inserted row has only its key and content.
 */
public final class OwnerRows {
  private OwnerRows() {}

  /**
   * Returns the keys of rows whose column is not NULL, in order. There are fewer than the limit
   * only at the end.
   *
   * @param column column that is not NULL in the rows
   * @param after the last key of the previous page, or null for the first page
   */
  public static List<RowKey> keys(
      Connection connection, AttachedColumn column, @Nullable RowKey after, int limit)
      throws SQLException {
    Query.Parameters bound =
        (s, first) -> after == null ? first : Query.bind(s, first, column.rowKey(after));
    return Query.list(
        connection,
        query(column, after != null),
        r -> {
          List<String> values = new ArrayList<>();
          for (int i = 1; i <= column.key().size(); i++) {
            values.add(r.getString(i));
          }
          return new RowKey(values);
        },
        bound,
        limit);
  }

  private static String query(AttachedColumn column, boolean after) {
    List<String> names = column.key().stream().map(k -> "o." + k.quoted()).toList();
    String key = String.join(", ", names);
    String parameters = String.join(", ", column.key().stream().map(KeyColumn::parameter).toList());
    return "%sSELECT %s FROM %s AS o WHERE o.%s IS NOT NULL AND %s%s ORDER BY %s LIMIT ?"
        .formatted(
            Query.STORED,
            String.join(
                ", ", names.stream().map(n -> "CAST(" + n + " AS pg_catalog.text)").toList()),
            column.quotedTable(),
            column.quotedColumn(),
            column.onPath(),
            after ? " AND (" + key + ") " + greater(column.key()) + " (" + parameters + ")" : "",
            key);
  }

  /**
   * Returns the operator of a row comparison. It applies to all columns, and is qualified if all
   * columns have it in the same schema.
   */
  private static String greater(List<KeyColumn> key) {
    String schema = key.get(0).operatorSchema();
    return key.stream().allMatch(k -> k.operatorSchema().equals(schema))
        ? "OPERATOR(" + Identifiers.quoteIfNeeded(schema) + ".>)"
        : ">";
  }

  /**
   * Locks a row until the transaction ends, like an UPDATE that does not change its key.
   *
   * @throws RowNotFoundException if no row has this key
   * @throws AccessDeniedException if the role may read the row but not update the column
   */
  public static void lock(Connection connection, AttachedColumn column, RowKey key)
      throws SQLException {
    String sql =
        ("SELECT true FROM " + column.quotedTable() + " AS o WHERE " + column.rowCondition())
            + (" AND " + Permission.mayUpdate(column) + " FOR NO KEY UPDATE");
    if (!Query.is(connection, sql, key)) {
      Permission.requireUpdate(connection, column, key);
      throw new RowNotFoundException("there is no row with this key");
    }
  }

  /**
   * Inserts a row without content, whose other columns take their defaults.
   *
   * @param column column that is NULL in the row
   * @throws RowExistsException if the row exists, or violates another unique index
   */
  public static void insert(Connection connection, AttachedColumn column, RowKey key)
      throws SQLException {
    insert(connection, column, List.of(key), Collections.<@Nullable String>singletonList(null));
  }

  /**
   * Inserts rows with these keys and this content; all other columns take their defaults.
   *
   * @param texts the texts of their content, in the column's type; or null
   * @throws RowExistsException if a row exists, or violates another unique index
   */
  public static void insert(
      Connection connection,
      AttachedColumn column,
      List<RowKey> keys,
      List<? extends @Nullable String> texts)
      throws SQLException {
    if (keys.isEmpty()) {
      return;
    }
    String names = String.join(", ", column.key().stream().map(KeyColumn::quoted).toList());
    List<String> values = new ArrayList<>(column.key().stream().map(KeyColumn::parameter).toList());
    values.set(0, "CASE WHEN " + column.onPath() + " THEN " + values.get(0) + " END");
    String sql =
        "INSERT INTO %s (%s, %s) VALUES (%s, ?)"
            .formatted(
                column.quotedTable(), names, column.quotedColumn(), String.join(", ", values));
    List<Object[]> rows = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      rows.add(new Object[] {keys.get(i), Query.untyped(texts.get(i))});
    }
    try {
      int[] unused = Query.batch(connection, sql, rows);
    } catch (SQLException e) {
      throw unlessThere(e);
    }
  }

  /**
   * Translates the error of an insert if the row already exists.
   *
   * @param thrown by a statement that inserts a row
   * @return the same error, if it has another cause
   * @throws RowExistsException if a unique index of the owner's table rejected the row
   */
  public static SQLException unlessThere(SQLException thrown) {
    if (SqlErrors.isRowThere(thrown)) {
      throw new RowExistsException(
          "a row with this key, or with another value that must be unique, already exists; call"
              + " put to store its document",
          thrown);
    }
    return thrown;
  }
}
