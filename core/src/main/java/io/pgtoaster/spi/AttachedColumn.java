package io.pgtoaster.spi;

import io.pgtoaster.column.ColumnInfo;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.InvalidKeyException;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.sql.Identifiers;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A column as its toaster sees it: its location, its row key, and its options.
 *
 * @param schema exact name of the table's schema
 * @param table exact name of the table
 * @param column exact name of the column
 * @param typeName name of the column's type, such as {@code int8}, {@code bytea} or {@code text}
 * @param toaster name of its toaster
 * @param store number of its store; 0 for a column that is not in the catalog
 * @param storeSchema exact name of the schema of its store's tables, or null if it has none
 * @param options its options, by name; empty for a column that is not in the catalog
 * @param key columns that address a row, in order
 * @param leadingKey the leading key column of the owner table, or null
 * @param extension whether the functions of the server extension may be called for it
 * @param routines whether the routines of its store exist as the catalog writes them, with the
 *     current schemas of their tables
 * @param byPath whether its table was found through the search path
 */
public record AttachedColumn(
    String schema,
    String table,
    String column,
    String typeName,
    String toaster,
    int store,
    @Nullable String storeSchema,
    Map<String, String> options,
    List<KeyColumn> key,
    @Nullable KeyColumn leadingKey,
    boolean extension,
    boolean routines,
    boolean byPath) {

  /** Copies the collections. */
  public AttachedColumn {
    options = Map.copyOf(options);
    key = List.copyOf(key);
  }

  /** Returns the name, with the schema. */
  public ColumnName name() {
    return new ColumnName(schema, table, column);
  }

  /** Returns what users see. */
  public ColumnInfo info() {
    return new ColumnInfo(
        name(), typeName, toaster, options, key.stream().map(KeyColumn::name).toList());
  }

  /**
   * Returns an option that attach always writes.
   *
   * @throws CatalogException if the catalog does not have the option
   */
  public String option(String name) {
    String value = options.get(name);
    if (value == null) {
      throw new CatalogException(
          "the catalog has no option " + name + " for " + describe() + "; run install again");
    }
    return value;
  }

  /**
   * Returns whether Citus distributes its table and store. Citus accepts fewer forms of statements.
   */
  public boolean distributed() {
    return Boolean.parseBoolean(options.get("distributed"));
  }

  /** Returns the table for use in SQL. */
  public String quotedTable() {
    return Identifiers.quote(schema) + "." + Identifiers.quote(table);
  }

  /**
   * Returns the qualified name of a table of its store, such as {@code head}, for use in SQL, with
   * quotes if it needs them.
   */
  public String storeTable(String part) {
    String place = storeSchema == null ? "pgtoaster" : storeSchema;
    String quoted = place.equals("pgtoaster") ? place : Identifiers.quote(place);
    return quoted + ".store_" + store + "_" + part;
  }

  /** Returns the column for use in SQL. */
  public String quotedColumn() {
    return Identifiers.quote(column);
  }

  /**
   * Converts the key that a caller passed.
   *
   * @param key the value of the key column, or for a composite key a {@link List} of values in the
   *     order of the key columns: numbers, strings, {@link java.util.UUID}s, date and time types,
   *     {@code byte[]}, or any object whose {@link Object#toString()} PostgreSQL can read as the
   *     type of the column
   * @throws InvalidKeyException if the number of values differs from the number of columns, or the
   *     form of a value shows that it cannot have its column's type
   */
  public RowKey rowKey(Object key) {
    return RowKeys.of(key, this.key);
  }

  /**
   * Finds the key value that caused an error of the server.
   *
   * @param keys the keys that the call used, as callers pass them
   * @return an exception for the value that the server's message quotes; empty if it quotes none
   */
  public Optional<InvalidKeyException> refused(DatabaseException e, Collection<?> keys) {
    return RowKeys.refused(e, keys, key);
  }

  /**
   * Binds a key in a string with several statements, some of which return rows. Types that the
   * driver knows are declared. If the driver had to ask the server for them, it would learn that
   * rows may be long, and would then wait for each result before it sends the next statement.
   * Returns the number of the next parameter.
   */
  public int bind(PreparedStatement statement, int first, RowKey row) throws SQLException {
    return RowKeys.bind(statement, first, row, key);
  }

  /**
   * Returns the condition that selects one row, over the table under the alias {@code o}, with one
   * parameter per key column (see {@link #bind}).
   */
  public String rowCondition() {
    return onPath(rowIs(i -> key.get(i).parameter()));
  }

  private String rowIs(IntFunction<String> value) {
    return IntStream.range(0, key.size())
        .mapToObj(i -> key.get(i).compared("o." + key.get(i).quoted(), "=", value.apply(i)))
        .collect(Collectors.joining(" AND "));
  }

  /**
   * Returns a condition without parameters that is true, or raises an error. It raises an error if
   * the table was found through the search path and the connection's path leads to another table,
   * as it does for connections of different tenants. PostgreSQL evaluates the condition once for
   * each execution.
   */
  public String onPath() {
    // The statements of a distributed table also run on its shards, which have other names.
    if (!byPath || distributed()) {
      return "true";
    }
    // The planner must not evaluate the second cast: concat is not immutable.
    return "CASE WHEN pg_catalog.pg_table_is_visible(CAST("
        + regclass()
        + " AS pg_catalog.oid)) THEN true ELSE CAST(pg_catalog.concat('\""
        + SqlErrors.OTHER_PATH
        + "\"') AS pg_catalog.regclass) IS NULL END";
  }

  private String onPath(String condition) {
    String onPath = onPath();
    return onPath.equals("true") ? condition : condition + " AND " + onPath;
  }

  /**
   * Reads the key of a row, as callers pass it.
   *
   * @param row a row whose first columns are those of the row key
   * @return the value, or a list of values for a composite key
   */
  public Object readKey(ResultSet row) throws SQLException {
    List<Object> values = new ArrayList<>(key.size());
    for (int i = 1; i <= key.size(); i++) {
      values.add(row.getObject(i));
    }
    return values.size() == 1 ? values.get(0) : values;
  }

  /** Returns the table as an expression of the type regclass. */
  public String regclass() {
    return "CAST(" + Identifiers.literal(quotedTable()) + " AS pg_catalog.regclass)";
  }

  /**
   * Returns the condition that selects the row whose key is the text array {@code $2}, over the
   * table under the alias {@code o}, for a routine that executes it.
   */
  public String rowByTexts() {
    return rowIs(i -> key.get(i).cast("($2)[" + (i + 1) + "]"));
  }

  /**
   * Returns the key of a row as text: expressions over the table under the alias {@code o},
   * separated by commas.
   */
  public String keyTexts() {
    return String.join(", ", key.stream().map(k -> "CAST(o." + k.quoted() + " AS text)").toList());
  }

  /**
   * Returns a list of keys as an item of FROM, under the alias {@code q}. It has columns {@code
   * k1}, {@code k2}, .. of type text, and {@code n}, which numbers the keys from 1. It has one
   * parameter per key column (see {@code Query.keys}). The number of keys is hidden from the
   * planner. Otherwise it would compile a statement with many keys (JIT), which takes longer than
   * running it.
   *
   * @param values types of further columns {@code v1}, {@code v2}, .., such as {@code bytea}; each
   *     has a parameter of its array type, after those of the key
   */
  public String keyList(String... values) {
    List<String> lists = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= key.size(); i++) {
      lists.add(unnested("text"));
      names.add("k" + i);
    }
    for (int i = 1; i <= values.length; i++) {
      lists.add(unnested(values[i - 1]));
      names.add("v" + i);
    }
    return "ROWS FROM (%s) WITH ORDINALITY q(%s, n)"
        .formatted(String.join(", ", lists), String.join(", ", names));
  }

  private static String unnested(String type) {
    return "pg_catalog.unnest((SELECT CAST(? AS pg_catalog." + type + "[])))";
  }

  /** Returns the values of a key of {@link #keyList}: an expression per key column, of its type. */
  public List<String> listedKey() {
    return IntStream.range(0, key.size()).mapToObj(i -> key.get(i).cast("q.k" + (i + 1))).toList();
  }

  /**
   * Returns the condition that selects the row for a key of {@link #keyList}, over the table under
   * the alias {@code o}.
   */
  public String listedRowCondition() {
    return onPath(rowIs(listedKey()::get));
  }

  /** Returns schema, table and column, unquoted, for use in messages. */
  public String describe() {
    return name().toString();
  }
}
