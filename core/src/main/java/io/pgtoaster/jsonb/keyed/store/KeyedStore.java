package io.pgtoaster.jsonb.keyed.store;

import static java.util.stream.Collectors.groupingBy;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.Routing;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.jsonb.keyed.format.PinnedPaths;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The column, policy and statements of one store, shared by the classes of the toaster. Immutable.
 *
 * @param column the attached column
 * @param policy decides when members are moved out and leaves split
 * @param touch whether a change of a leaf also updates the owner's row
 * @param routing adds the leading key to statements
 * @param statements the text of each statement
 * @param lead the value of the leading key in the statements, as a literal; null before {@link #at}
 */
public record KeyedStore(
    AttachedColumn column,
    SplitPolicy policy,
    boolean touch,
    Routing routing,
    Function<KeyedSql, String> statements,
    @Nullable String lead) {
  private static final String DATA_CORRUPTED = "XX001";

  public static KeyedStore of(AttachedColumn column) {
    boolean touch = column.option("touch").equals("row");
    return new KeyedStore(
        column,
        new SplitPolicy(
            Integer.parseInt(column.option("row_budget")),
            Integer.parseInt(column.option("leaf_size")),
            Integer.parseInt(column.option("fan_out")),
            PinnedPaths.parse(column.option("keep_inline"))),
        touch,
        Routing.of(column),
        new StoreNames(column)::statement,
        null);
  }

  /**
   * Returns the store for the statements on one row. They contain the leading key as a literal, so
   * that Citus sees in each part of a statement that all rows are on one node.
   */
  public KeyedStore at(RowKey key) {
    return routing.place() < 0 || lead != null
        ? this
        : new KeyedStore(column, policy, touch, routing, statements, routing.literal(key));
  }

  /**
   * If rows can be on different nodes, groups the positions of keys whose rows one statement can
   * read.
   */
  public Collection<List<Integer>> together(List<RowKey> keys) {
    return IntStream.range(0, keys.size())
        .boxed()
        .collect(groupingBy(i -> routing.literal(keys.get(i))))
        .values();
  }

  /** Returns a statement with the names of this store. */
  public String sql(KeyedSql statement) {
    String sql = statements.apply(statement);
    return lead == null ? sql : Routing.fill(sql, lead);
  }

  /** Prepares a statement that calls a routine of the store. */
  public PreparedStatement prepare(Connection connection, String statement) throws SQLException {
    requireRoutines();
    return connection.prepareStatement(statement);
  }

  /** Runs a query that may call a routine of the store. */
  public <T> @Nullable T ask(
      Connection connection, String sql, Query.Rows<T> rows, @Nullable Object... parameters)
      throws SQLException {
    requireRoutines();
    try {
      return Query.find(connection, sql, rows, parameters);
    } catch (SQLException e) {
      throw corruptOr(e);
    }
  }

  /** Throws a specific exception if a routine reported damage; returns any other error. */
  public static SQLException corruptOr(SQLException e) {
    if (!DATA_CORRUPTED.equals(e.getSQLState())) {
      return e;
    }
    // Do not pass the error as the cause, because callers would treat it as an error of the
    // connection.
    DocumentCorruptException corrupt =
        new DocumentCorruptException(
            String.valueOf(e.getMessage()).lines().findFirst().orElse(Refusals.NOT_OWNED));
    corrupt.addSuppressed(e);
    throw corrupt;
  }

  private void requireRoutines() {
    if (!column.routines()) {
      throw new CatalogException(
          "the routines of the store are outdated, or refer to its tables in another schema: SELECT"
              + " pgtoaster.mirror_privileges("
              + Identifiers.literal(column.quotedTable())
              + ")");
    }
  }
}
