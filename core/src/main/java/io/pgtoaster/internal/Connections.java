package io.pgtoaster.internal;

import io.pgtoaster.internal.sql.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Provides connections and decides which transaction a call is part of. {@link OwnConnections} uses
 * a new connection and transaction for each call, {@link CallersConnection} joins the caller's, and
 * {@link JoiningConnections} chooses between the two for each call.
 */
public sealed interface Connections permits OwnConnections, CallersConnection, JoiningConnections {
  /** Runs work in a transaction: either a new one, or the caller's open one. */
  default <T extends @Nullable Object> T inTransaction(boolean repeatable, SqlFunction<T> work) {
    return write(new Attempts(repeatable), null, work);
  }

  /**
   * Runs one writing statement, without opening a transaction for it. If there is none or it did
   * nothing, runs work on the same connection: in a new transaction, which is committed at the end,
   * or in a savepoint of the caller's open one.
   *
   * @param attempts decides whether to run everything again after a failure
   * @param one at most one writing statement; returns empty if it did nothing
   * @param work must not commit
   */
  default <T extends @Nullable Object> T write(
      Attempts attempts, @Nullable SqlFunction<Optional<T>> one, SqlFunction<T> work) {
    boolean own = connectionPerCall();
    while (true) {
      try (Lease lease = connect()) {
        Connection connection = lease.connection();
        own = own || connection.getAutoCommit();
        return own
            ? Transactions.run(connection, one, work)
            : Transactions.join(connection, one, work);
      } catch (SQLException e) {
        attempts.failed(e, own);
      }
    }
  }

  /** Runs work that only reads, without opening a transaction for it. */
  default <T extends @Nullable Object> T read(SqlFunction<T> work) {
    Attempts attempts = new Attempts(true);
    while (true) {
      try (Lease lease = lease()) {
        return work.apply(lease.connection());
      } catch (SQLException e) {
        attempts.failed(e, connectionPerCall());
      }
    }
  }

  /** Returns whether calls are part of an open transaction of the caller. */
  default boolean inCallersTransaction() {
    return !connectionPerCall() && !this.<Boolean>read(Connection::getAutoCommit);
  }

  /** Takes a connection in any mode. */
  Lease connect();

  /**
   * Lends a connection for reading, in autocommit mode unless it is the caller's.
   *
   * @return a lease; closing it returns the connection
   */
  Lease lease();

  /**
   * Returns whether each call has its own connection. If not, everything happens on the caller's
   * connection.
   */
  boolean connectionPerCall();

  /**
   * Chooses the connections for work that takes more than one call, such as a stream.
   *
   * @return this object or, if it chooses connections for each call, those that a call of this
   *     thread would use now
   */
  default Connections current() {
    return this;
  }

  /**
   * Returns whether a call may run in a thread other than the caller's, as in a stream that commits
   * in the background.
   */
  default boolean anyThread() {
    return false;
  }

  /** Returns the same connections, but only for the caller's thread. */
  default Connections inCallersThread() {
    return this;
  }

  /**
   * A connection on loan. Closing it does not report failures, because the work on it is already
   * done.
   */
  interface Lease extends AutoCloseable {
    /** Returns the connection. */
    Connection connection();

    @Override
    void close();
  }
}
