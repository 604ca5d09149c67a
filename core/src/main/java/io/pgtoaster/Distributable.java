package io.pgtoaster;

import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.internal.sql.Identifiers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A schema or table for Citus to distribute: a schema as a whole, a table by its rows. */
public final class Distributable {
  private final @Nullable String schema;
  private final @Nullable String table;

  private Distributable(@Nullable String schema, @Nullable String table) {
    this.schema = schema;
    this.table = table;
  }

  /**
   * Returns a schema: Citus keeps its tables, and the stores of their columns, on one of its nodes.
   *
   * @param name its exact name
   */
  public static Distributable ofSchema(String name) {
    return new Distributable(Objects.requireNonNull(name, "name"), null);
  }

  /**
   * Returns a table on the search path. Citus distributes its rows over its nodes by the {@code
   * leading_key} of its columns. All rows with the same value, such as a tenant, are on one node
   * together with their content.
   *
   * @param name its exact name
   */
  public static Distributable ofTable(String name) {
    return ofTable(null, name);
  }

  /** Returns a table in a schema, or on the search path if the schema is null. */
  public static Distributable ofTable(@Nullable String schema, String name) {
    return new Distributable(schema, Objects.requireNonNull(name, "name"));
  }

  /** Calls a function of the catalog with the schema or the table. */
  String call(String function) {
    return "pgtoaster."
        + function
        + (table == null ? "(CAST(? AS name))" : "(CAST(CAST(? AS oid) AS regclass))");
  }

  /** Returns the parameter of {@link #call}. */
  @Nullable Object parameter(Connection connection) throws SQLException {
    return table == null ? schema : Long.valueOf(ColumnLookup.tableOid(connection, schema, table));
  }

  /** Returns the name as written in SQL. */
  @Override
  public String toString() {
    return Stream.of(schema, table)
        .filter(Objects::nonNull)
        .map(Identifiers::quoteIfNeeded)
        .collect(Collectors.joining("."));
  }
}
