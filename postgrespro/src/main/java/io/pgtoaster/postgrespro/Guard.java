package io.pgtoaster.postgrespro;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.spi.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;

/** Stands before the operations on one column. For any threads. */
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
   * Runs what reads, or writes under {@link ServerToaster#NO_LOGICAL_SLOT}.
   *
   * @param connection any
   * @param work what to do
   * @param <T> what it returns
   * @return what the work returned
   * @throws SQLException as the driver throws it; a serialization failure where a concurrent append
   *     has made the value unreadable at the snapshot
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
   * Runs what writes.
   *
   * @param connection any
   * @param work what to do
   * @param <T> what it returns
   * @return what the work returned
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
   * Where a value is read whole, chunks that the snapshot must not see are an error of the server.
   * What is run again has a newer snapshot, and may succeed.
   */
  private static SQLException explained(SQLException e) {
    String message = String.valueOf(e.getMessage());
    return DATA_CORRUPTED.equals(e.getSQLState()) && message.contains("missing chunk number")
        ? new SQLException(
            "another transaction appends to the value or has done so since, or the value is"
                + " damaged: "
                + message,
            SERIALIZATION_FAILURE,
            e)
        : e;
  }
}
