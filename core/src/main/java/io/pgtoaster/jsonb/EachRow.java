package io.pgtoaster.jsonb;

import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.ConditionFailedException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.sql.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Finds the rows of a batch that fail. The server does not report which row made a statement fail,
 * so the batch is halved until that row is alone.
 */
final class EachRow {
  /** Work on some rows of a batch. */
  interface Work {
    /**
     * Changes the rows.
     *
     * @param failed receives the rows that are unchanged while the others are not
     */
    void run(Connection connection, List<Integer> places, Map<Integer, PgToasterException> failed)
        throws SQLException;
  }

  private final Map<Integer, PgToasterException> failures = new TreeMap<>();
  private final boolean all;
  private final IntFunction<String> describe;
  private final Work work;

  private EachRow(boolean all, IntFunction<String> describe, Work work) {
    this.all = all;
    this.describe = describe;
    this.work = work;
  }

  /**
   * Runs work in one transaction, in which rows that fail change nothing.
   *
   * @param places of the rows, in the order in which they are locked
   * @param all whether to throw the first failure
   * @param describe the row at a place, for messages
   * @return the failures by place
   */
  static Map<Integer, PgToasterException> run(
      Connections connections,
      List<Integer> places,
      boolean all,
      IntFunction<String> describe,
      Work work) {
    return connections.inTransaction(true, c -> run(c, places, all, describe, work));
  }

  /** Does the same in an open transaction. */
  static Map<Integer, PgToasterException> run(
      Connection connection,
      List<Integer> places,
      boolean all,
      IntFunction<String> describe,
      Work work)
      throws SQLException {
    EachRow each = new EachRow(all, describe, work);
    each.halve(connection, places);
    return each.failures;
  }

  private void halve(Connection connection, List<Integer> places) throws SQLException {
    int half = places.size() / 2;
    try {
      failures.putAll(
          inSavepoint(
              connection,
              c -> {
                Map<Integer, PgToasterException> failed = new TreeMap<>();
                work.run(c, places, failed);
                return failed;
              }));
    } catch (PgToasterException e) {
      if (!isFaultOfRow(e)) {
        throw e;
      }
      if (half > 0) {
        halve(connection, places.subList(0, half));
        halve(connection, places.subList(half, places.size()));
        return;
      }
      int place = places.get(0);
      failures.put(place, SqlErrors.at(e, describe.apply(place)));
      if (all) {
        throw e;
      }
    }
  }

  /**
   * Runs work in a savepoint.
   *
   * @throws PgToasterException if it failed; its changes are undone
   * @throws SQLException if the whole transaction must be repeated
   */
  static <T> T inSavepoint(Connection connection, SqlFunction<T> work) throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    T result;
    try {
      result = work.apply(connection);
    } catch (SQLException | PgToasterException e) {
      if (connection.isClosed() || (e instanceof SQLException s && SqlErrors.isRetryable(s))) {
        throw e;
      }
      undo(connection, savepoint, e);
      throw e instanceof PgToasterException p ? p : SqlErrors.translate((SQLException) e);
    }
    connection.releaseSavepoint(savepoint);
    return result;
  }

  /** If this fails, the failure of the row does not matter: its changes are still there. */
  private static void undo(Connection connection, Savepoint savepoint, Exception reason)
      throws SQLException {
    try {
      connection.rollback(savepoint);
      connection.releaseSavepoint(savepoint);
    } catch (SQLException e) {
      e.addSuppressed(reason);
      throw e;
    }
  }

  /** Returns failures by key, in the caller's order. */
  static <K> Map<K, PgToasterException> byKey(
      List<K> keys, Map<Integer, PgToasterException> failures) {
    Map<K, PgToasterException> byKey = new LinkedHashMap<>();
    failures.forEach((place, failure) -> byKey.put(keys.get(place), failure));
    return byKey;
  }

  /** Returns whether an error is caused by one row, so that the others may succeed. */
  static boolean isFaultOfRow(PgToasterException e) {
    return e.sqlState().matches("(02|22|23|44|54|P0).*|42501|XX001")
        || e instanceof ConditionFailedException
        || (e instanceof ConcurrencyException && !(e.getCause() instanceof SQLException));
  }
}
