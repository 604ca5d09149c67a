package io.pgtoaster;

import io.pgtoaster.error.CatalogException;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.internal.sql.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;

/** Runs work on the catalog; throws an exception if the catalog is not installed. */
record Installed(Connections connections) {
  /** Runs work that only reads. */
  <T> T read(SqlFunction<T> work) {
    return connections.<T>read(
        connection -> {
          require(connection);
          return work.apply(connection);
        });
  }

  /**
   * Runs work that changes columns. If it starts the transaction itself, it uses READ COMMITTED,
   * because the functions in the server reject other levels, and the default level may be a
   * different one.
   */
  <T> T change(boolean repeatable, SqlFunction<T> work) {
    boolean own = connections.connectionPerCall();
    return connections.<T>inTransaction(
        repeatable,
        connection -> {
          if (own) {
            Query.update(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
          }
          require(connection);
          return work.apply(connection);
        });
  }

  private static void require(Connection connection) throws SQLException {
    if (!ColumnLookup.isInstalled(connection)) {
      throw new CatalogException(
          "the pgtoaster catalog is not installed in this database; call"
              + " catalog().install(), or run \"pgtoaster install\" on the command line");
    }
  }
}
