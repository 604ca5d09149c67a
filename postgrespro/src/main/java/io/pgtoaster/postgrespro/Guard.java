package io.pgtoaster.postgrespro;

import io.pgtoaster.internal.sql.SqlFunction;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.SQLException;

/** Checks the operations on one column before they run. Thread-safe. */
final class Guard {
  private static final String DATA_CORRUPTED = "XX001";
  private static final String SERIALIZATION_FAILURE = "40001";

  private final ServerToaster toaster;
  private final AttachedColumn column;
  private volatile boolean found;

  /**
   * Creates a guard.
   *
   * @param toaster of the column
   * @param column attached to it
   */
  Guard(ServerToaster toaster, AttachedColumn column) {
    this.toaster = toaster;
    this.column = column;
  }

  /**
   * Runs a read, or a write that includes the condition {@link ServerToaster#NO_LOGICAL_SLOT}.
   *
   * @param connection an open connection
   * @param work work to run
   * @param <T> type of the result
   * @return the result of the work
   * @throws SQLException if the server reports an error; a serialization failure if a concurrent
   *     append has made the value unreadable for the snapshot
   */
  <T> T read(Connection connection, SqlFunction<T> work) throws SQLException {
    if (!found) {
      toaster.requireSet(connection, column);
      found = true;
    }
    try {
      return work.apply(connection);
    } catch (SQLException e) {
      throw explained(e);
    }
  }

  /**
   * Runs a write.
   *
   * @param connection an open connection
   * @param work work to run
   * @param <T> type of the result
   * @return the result of the work
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if there is a logical slot
   * @throws SQLException as for {@link #read}
   */
  <T> T write(Connection connection, SqlFunction<T> work) throws SQLException {
    return read(
        connection,
        c -> {
          toaster.requireNoLogicalSlot(c);
          return work.apply(c);
        });
  }

  /**
   * Converts the server's error to a serialization failure. Reading a whole value fails if there
   * are chunks that the snapshot must not see; a retry uses a newer snapshot and may succeed.
   */
  private static SQLException explained(SQLException e) {
    String message = String.valueOf(e.getMessage());
    return DATA_CORRUPTED.equals(e.getSQLState()) && message.contains("missing chunk number")
        ? new SQLException(
            "another transaction is appending to the value, or has done so since, or the value is"
                + " damaged: "
                + message,
            SERIALIZATION_FAILURE,
            e)
        : e;
  }
}
