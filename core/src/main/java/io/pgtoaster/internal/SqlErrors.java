package io.pgtoaster.internal;

import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.hook.Hidden;
import java.io.IOException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Translates an {@link SQLException} into the exception of this library that says what to do next.
 */
public final class SqlErrors {
  /**
   * The name of a relation that does not exist. Statements use this name if the connection's search
   * path finds another table.
   */
  public static final String OTHER_PATH = "pgtoaster: another search_path";

  private static final String UNIQUE_VIOLATION = "23505";
  private static final String PROTOCOL_VIOLATION = "08P01";
  private static final String IDLE_TOO_LONG = "25P03";
  private static final String TRANSACTION_TOO_LONG = "25P04";
  private static final String TOO_MANY_CONNECTIONS = "53300";
  private static final Pattern NODE_KEY = Pattern.compile("store_[0-9]+_node_pkey(_[0-9]+)?");
  private static final Pattern HEAD_KEY = Pattern.compile("store_([0-9]+)_head_pkey");

  /** The name of a key on a worker of Citus, where new content gets random numbers. */
  private static final Pattern DRAWN_KEY = Pattern.compile("store_[0-9]+_head_pkey_[0-9]+");

  /** Source files of Citus that report errors of Citus's connections to workers. */
  private static final Pattern CITUS_CONNECTIONS =
      Pattern.compile("(remote_\\w+|connection_\\w+|placement_connection|adaptive_executor)\\.c");

  /** Matches the message of a closed pool. */
  private static final Pattern CLOSED = Pattern.compile("(?i)\\bclosed\\b");

  private SqlErrors() {}

  /**
   * Adds the place of a failure to its message: column, row key, offset and length. Only the first
   * call has an effect, because the first caller knows most.
   *
   * @param place never contains payload
   * @return the failure
   */
  public static <E extends PgToasterException> E at(E failure, String place) {
    Hidden.part(PgToasterException.class, failure, Hidden.Place.class).add(place);
    return failure;
  }

  /** Translates an error of a statement whose transaction was not committed. */
  public static PgToasterException translate(SQLException thrown) {
    SQLException e = withoutPayload(thrown);
    String state = state(e);
    String message = message(e, thrown);
    if (isNumberTaken(thrown)) {
      return new ConcurrencyException(
          "the transaction generated a number that a concurrent one also generated; run it again: "
              + message,
          e);
    }
    if (isConnectionLost(thrown)) {
      return new ConnectionLostException(
          "the connection broke, and no part of the call was committed: " + message, e);
    }
    Matcher head = HEAD_KEY.matcher(violatedKey(thrown));
    if (head.matches()) {
      return new DatabaseException(
          ("the next number for new content is already in use, for example after a switchover"
                  + " to a server that did not receive the sequence; the owner must run SELECT"
                  + " pgtoaster.advance_numbers(%s): %s")
              .formatted(head.group(1), message),
          e);
    }
    return switch (state) {
      case "40001", "40P01" ->
          new ConcurrencyException(
              "the transaction was aborted because of a concurrent one; run it again: " + message,
              e);
      case "42501" -> new AccessDeniedException(message, e);
      case "42P01", "42703", "3F000" ->
          String.valueOf(e.getMessage()).contains(OTHER_PATH)
              ? new ColumnNotFoundException(
                  "the search_path of this connection no longer finds the table where the column"
                      + " was found before; name the schema, or use PgToaster.on(connection)",
                  e)
              : new CatalogException(
                  "the database changed under this handle (" + message + "); open the column again",
                  e);
      case "26000", "42P05" ->
          new DatabaseException(
              message
                  + "; with a pool that assigns connections per transaction, connect with"
                  + " prepareThreshold=0",
              e);
      default -> new DatabaseException(message, e);
    };
  }

  /** Translates an error at a time when the transaction may or may not have been committed. */
  public static PgToasterException translateAtCommit(SQLException thrown) {
    SQLException e = withoutPayload(thrown);
    if (mayBeCommitted(thrown) && !state(e).equals(IDLE_TOO_LONG)) {
      return new OutcomeUnknownException(
          "the connection broke while the call was being committed, and it may have been applied;"
              + " check the row before you repeat the call (an append: repeat it with the same"
              + " token, or compare the length): "
              + message(e, thrown),
          e);
    }
    return translate(e);
  }

  /**
   * Returns whether the connection is lost, according to the SQLState. A protocol violation
   * reported by the server or by a pool in front of it counts only if it closes the connection.
   */
  public static boolean isConnectionLost(SQLException e) {
    String state = state(e);
    if (state.equals(PROTOCOL_VIOLATION)) {
      ServerErrorMessage reported = serverMessage(e);
      return reported == null || "FATAL".equals(reported.getSeverity());
    }
    return state.startsWith("08")
        || state.startsWith("57P")
        || state.equals(IDLE_TOO_LONG)
        || state.equals(TRANSACTION_TOO_LONG);
  }

  /**
   * Returns whether a transaction whose commit failed may still have been committed. This is the
   * case if the connection was lost. It is also the case if Citus's coordinator lost its connection
   * to a worker, which Citus reports as an internal error.
   */
  static boolean mayBeCommitted(SQLException e) {
    ServerErrorMessage reported = serverMessage(e);
    String file = reported == null ? null : reported.getFile();
    return isConnectionLost(e)
        || (state(e).equals("XX000") && file != null && CITUS_CONNECTIONS.matcher(file).matches());
  }

  /**
   * Translates the exception of a data source that provides no connection. Nothing has been done
   * yet.
   */
  static PgToasterException notConnected(SQLException e) {
    String why = firstLine(String.valueOf(e.getMessage()));
    boolean ofPool = e.getSQLState() == null && !(e.getCause() instanceof SQLException);
    if (ofPool || state(e).equals(TOO_MANY_CONNECTIONS)) {
      return new ConnectionUnavailableException(
          (e.getCause() instanceof InterruptedException
                  ? "the thread was interrupted while it waited for a connection, and the call did"
                      + " nothing: "
                  : ofPool && CLOSED.matcher(why).find()
                      ? "the data source is closed, and the call did nothing; close it only after"
                          + " its last use: "
                      : "the data source provided no connection, and the call did nothing; enlarge"
                          + " the pool, or release connections sooner: ")
              + why,
          e);
    }
    String state = state(e);
    if (state.equals("08001")) {
      return new ConnectionLostException(
          "cannot connect to the server; check host and port, and that the server is running: "
              + why,
          e);
    }
    if (state.startsWith("28")) {
      return new DatabaseException(
          "the server refused the login; check user, password and pg_hba.conf: " + why, e);
    }
    return translate(e);
  }

  /** Returns whether the same transaction may succeed if it runs again. */
  public static boolean isRetryable(SQLException e) {
    String state = state(e);
    return state.equals("40001") || state.equals("40P01") || isNumberTaken(e);
  }

  /** Returns whether two transactions generated the same number for new nodes or new content. */
  private static boolean isNumberTaken(SQLException e) {
    String key = violatedKey(e);
    return NODE_KEY.matcher(key).matches() || DRAWN_KEY.matcher(key).matches();
  }

  /**
   * Returns whether an insert failed because the row already exists: a unique index other than a
   * store's rejected it.
   */
  public static boolean isRowThere(SQLException e) {
    String constraint = violatedKey(e);
    return !constraint.isEmpty() && !isNumberTaken(e) && !HEAD_KEY.matcher(constraint).matches();
  }

  /**
   * Returns the exception of this library that caused a failure of a stream or parser, or null.
   *
   * @throws SQLException the server's error, if that is the cause, so that the call is retried
   */
  public static @Nullable PgToasterException causeOf(Exception e) throws SQLException {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql) {
        throw sql;
      }
      if (t instanceof PgToasterException known) {
        if (known.getCause() instanceof SQLException sql) {
          throw sql;
        }
        return known;
      }
    }
    return null;
  }

  /** Returns the unique constraint that was violated; empty for any other error. */
  private static String violatedKey(SQLException e) {
    ServerErrorMessage reported = serverMessage(e);
    @Nullable String constraint =
        reported != null && UNIQUE_VIOLATION.equals(reported.getSQLState())
            ? reported.getConstraint()
            : null;
    return constraint == null ? "" : constraint;
  }

  /** Returns the server's message, even if a batch wraps it. */
  private static @Nullable ServerErrorMessage serverMessage(SQLException e) {
    for (SQLException error = e; error != null; error = error.getNextException()) {
      if (error instanceof PSQLException known && known.getServerErrorMessage() != null) {
        return known.getServerErrorMessage();
      }
    }
    return null;
  }

  /**
   * Returns the same error without text that may quote payload. The message of a batch contains its
   * statement with all parameters. After the first line of a server's message, its DETAIL quotes
   * the row.
   */
  private static SQLException withoutPayload(SQLException e) {
    SQLException error = e;
    while (error instanceof BatchUpdateException && error.getNextException() != null) {
      error = error.getNextException();
    }
    String text = error.getMessage();
    if (error.equals(e) && (text == null || text.indexOf('\n') < 0)) {
      return e;
    }
    boolean batch = error instanceof BatchUpdateException;
    SQLException clean =
        new SQLException(
            batch || text == null ? "a batch failed" : firstLine(text),
            state(error),
            error.getErrorCode());
    clean.setStackTrace(error.getStackTrace());
    for (Throwable suppressed : e.getSuppressed()) {
      clean.addSuppressed(suppressed);
    }
    if (error.getCause() instanceof IOException io) {
      clean.initCause(io);
    }
    return clean;
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  private static String state(SQLException e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof SQLException s && s.getSQLState() != null) {
        return s.getSQLState();
      }
    }
    // A pool that cannot provide a connection may throw an exception without a state.
    boolean connection =
        e instanceof SQLTransientConnectionException
            || e instanceof SQLNonTransientConnectionException;
    return connection ? "08000" : "58000";
  }

  /** Returns the primary message and the HINT. A DETAIL line may quote values of the row. */
  private static String message(SQLException e, SQLException thrown) {
    @Nullable String text = e.getMessage();
    if (text == null) {
      return "SQLState " + state(e);
    }
    ServerErrorMessage reported = serverMessage(thrown);
    @Nullable String hint = reported == null ? null : reported.getHint();
    String rest = hint == null ? "" : "; " + hint.replace('\n', ' ');
    return firstLine(text) + " (SQLState " + state(e) + ")" + rest;
  }
}
