package io.pgtoaster;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.internal.column.SearchTexts;
import io.pgtoaster.jsonb.JsonIndex;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Creates, drops and lists search indexes. */
record SearchIndexes(Installed database) {
  void create(ColumnName column, JsonIndex index) {
    at(
        column,
        () -> {
          if (index.online()) {
            List<String> statements = database.read(c -> statements(c, column, index));
            statements.forEach(s -> database.connections().read(c -> Query.update(c, s)));
          } else {
            boolean unused =
                database.change(
                    false,
                    c -> {
                      Query.call(
                          c,
                          "SELECT pgtoaster.create_index(CAST(? AS oid), ?, ?, CAST(? AS jsonb))",
                          ColumnLookup.locate(c, column).table(),
                          Query.untyped(column.column()),
                          index.kind().sqlName(),
                          options(index));
                      return true;
                    });
          }
        });
  }

  private static List<String> statements(Connection connection, ColumnName column, JsonIndex index)
      throws SQLException {
    return Query.list(
        connection,
        "SELECT s FROM pgtoaster.index_statements(CAST(? AS oid), ?, ?, CAST(? AS jsonb), true) s",
        r -> r.getString(1),
        ColumnLookup.locate(connection, column).table(),
        Query.untyped(column.column()),
        index.kind().sqlName(),
        options(index));
  }

  private static String options(JsonIndex index) {
    return SearchTexts.indexOptions(index.config(), index.paths(), index.fastUpdate());
  }

  void drop(ColumnName column, JsonIndex.Kind kind) {
    at(
        column,
        () -> {
          boolean unused =
              database.change(
                  false,
                  c -> {
                    Query.call(
                        c,
                        "SELECT pgtoaster.drop_index(CAST(? AS oid), ?, ?)",
                        ColumnLookup.locate(c, column).table(),
                        Query.untyped(column.column()),
                        kind.sqlName());
                    return true;
                  });
        });
  }

  List<SearchIndex> list() {
    String sql =
        """
        SELECT n.nspname, r.relname, i.column_name, i.kind, i.config, i.complete, i.bytes,
          coalesce(i.paths, CAST('{}' AS text[]))
        FROM pgtoaster.indexes() i JOIN pg_catalog.pg_class r ON r.oid = i.owner
        JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
        """;
    return database.read(c -> Query.list(c, sql, SearchIndexes::index));
  }

  private static SearchIndex index(ResultSet r) throws SQLException {
    return new SearchIndex(
        ColumnName.of(r.getString(1), r.getString(2), r.getString(3)),
        JsonIndex.Kind.valueOf(r.getString(4).toUpperCase(Locale.ROOT)),
        r.getString(5),
        List.of((String[]) r.getArray(8).getArray()),
        r.getBoolean(6),
        r.getLong(7));
  }

  private static void at(ColumnName column, Runnable work) {
    try {
      work.run();
    } catch (PgToasterException e) {
      throw SqlErrors.at(e, column.toString());
    }
  }
}
