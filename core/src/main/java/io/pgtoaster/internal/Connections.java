package io.pgtoaster.internal;

import io.pgtoaster.spi.SqlFunction;
import java.sql.Connection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where connections come from, and whose transaction a call belongs to: {@link OwnConnections}
 * gives each call a connection and a transaction of its own, {@link CallersConnection} joins the
 * caller's, and {@link JoiningConnections} does the one or the other, call by call.
 */
public sealed interface Connections permits OwnConnections, CallersConnection, JoiningConnections {
  /**
   * Runs work in a transaction: a new one, committed at the end, or the one that the caller has
   * open.
   *
   * @param repeatable whether the work may be run again from the start after a serialization
   *     failure or a deadlock; false when it consumes a stream
   * @param work what to do; must not commit
   */
  <T extends @Nullable Object> T inTransaction(boolean repeatable, SqlFunction<T> work);

  /**
   * Runs one writing statement, without opening a transaction around it where the caller has none;
   * if that did nothing, runs other work on the same connection, in a transaction, or behind a
   * savepoint in that of the caller.
   *
   * @param one at most one writing statement; empty if it did nothing
   * @param otherwise what to do then; must not commit, and may be run again from the start
   */
  <T> T writeOrTransact(SqlFunction<Optional<T>> one, SqlFunction<T> otherwise);

  /** Runs work that only reads, without opening a transaction where the caller has none. */
  <T extends @Nullable Object> T read(SqlFunction<T> work);

  /**
   * Hands out a connection for a longer time, as an open reader needs it.
   *
   * @return a lease; closing it gives the connection back
   */
  Lease lease();

  /**
   * Tells whether each call has a connection of its own.
   *
   * @return true if so; false if everything happens on the caller's connection
   */
  boolean own();

  /**
   * Decides for what takes more than one call, such as a stream.
   *
   * @return where the calling thread's calls happen now: these connections, unless they decide call
   *     by call
   */
  default Connections now() {
    return this;
  }

  /**
   * Tells whether a call may happen in another thread than its caller's, as those of a stream do
   * that commits behind its writer.
   *
   * @return true if so
   */
  default boolean anyThread() {
    return false;
  }

  /** Returns the same without other threads. */
  default Connections inCallersThread() {
    return this;
  }

  /** A connection held for a while. Closing it reports no failure: the work on it is done. */
  interface Lease extends AutoCloseable {
    /** Returns the connection. */
    Connection connection();

    @Override
    void close();
  }
}
