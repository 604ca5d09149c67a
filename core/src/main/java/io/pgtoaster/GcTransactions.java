package io.pgtoaster;

import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of gc, or parts of the caller's. Where the session waits for locks without end,
 * they wait for ten seconds: anybody who may read a table can lock it.
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
            // What comes next in a transaction of the caller waits as before.
            text(connection, RESET);
          }
          return result;
        });
  }

  private static @Nullable String text(Connection connection, String sql) throws SQLException {
    return Query.find(connection, sql, r -> r.next() ? r.getString(1) : null);
  }
}
