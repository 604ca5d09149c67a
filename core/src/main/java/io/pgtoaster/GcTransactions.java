package io.pgtoaster;

import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.sql.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of gc, each in a transaction or as part of the caller's. If the session has no
 * lock timeout, sets one of ten seconds: every role that may read a table can lock it.
 */
record GcTransactions(Connections connections) {
  private static final String SET =
      "SELECT CASE pg_catalog.current_setting('lock_timeout') WHEN '0' THEN"
          + " pg_catalog.set_config('lock_timeout', '10s', true) END";
  private static final String RESET = "SELECT pg_catalog.set_config('lock_timeout', '0', true)";

  <T extends @Nullable Object> T run(SqlFunction<T> work) {
    return connections.<T>inTransaction(
        true,
        connection -> {
          boolean set = text(connection, SET) != null;
          T result = work.apply(connection);
          if (set) {
            // Restore the timeout for the rest of the caller's transaction.
            text(connection, RESET);
          }
          return result;
        });
  }

  private static @Nullable String text(Connection connection, String sql) throws SQLException {
    return Query.first(connection, sql, r -> r.getString(1));
  }
}
