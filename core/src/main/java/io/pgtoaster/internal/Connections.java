package io.pgtoaster.internal;

import io.pgtoaster.internal.sql.SqlFunction;
import java.sql.Connection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Provides connections and decides which transaction a call is part of. {@link OwnConnections} uses
 * a new connection and transaction for each call, {@link CallersConnection} joins the caller's, and
 * {@link JoiningConnections} chooses between the two for each call.
 */
public sealed interface Connections permits OwnConnections, CallersConnection, JoiningConnections {
  /**
   * Runs work in a transaction: either a new one, which is committed at the end, or the caller's
   * open one.
   *
   * @param repeatable whether the work may run again from the start after a serialization failure
   *     or a deadlock; false if it consumes a stream
   * @param work to run; must not commit
   */
  <T extends @Nullable Object> T inTransaction(boolean repeatable, SqlFunction<T> work);

  /**
   * Runs one writing statement, without opening a transaction for it. If the statement did nothing,
   * runs other work on the same connection, in a transaction or in a savepoint of the caller's
   * transaction.
   *
   * @param one at most one writing statement; returns empty if it did nothing
   * @param otherwise the work to run in that case; must not commit, and may run again from the
   *     start
   */
  <T> T writeOrTransact(SqlFunction<Optional<T>> one, SqlFunction<T> otherwise);

  /** Runs work that only reads, without opening a transaction for it. */
  <T extends @Nullable Object> T read(SqlFunction<T> work);

  /**
   * Lends a connection for a longer time, for example to an open reader.
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
