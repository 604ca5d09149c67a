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

/** Turns an {@link SQLException} into the exception of this library that tells what to do next. */
public final class SqlErrors {
  /** Names a relation that does not exist, in statements on a connection with another path. */
  public static final String OTHER_PATH = "pgtoaster: another search_path";

  private static final String UNIQUE_VIOLATION = "23505";
  private static final String PROTOCOL_VIOLATION = "08P01";
  private static final String IDLE_TOO_LONG = "25P03";
  private static final String TRANSACTION_TOO_LONG = "25P04";
  private static final String TOO_MANY_CONNECTIONS = "53300";
  private static final Pattern NODE_KEY = Pattern.compile("store_[0-9]+_node_pkey(_[0-9]+)?");
  private static final Pattern HEAD_KEY = Pattern.compile("store_([0-9]+)_head_pkey");

  /** On a worker of Citus, where numbers of new content are drawn by chance. */
  private static final Pattern DRAWN_KEY = Pattern.compile("store_[0-9]+_head_pkey_[0-9]+");

  /** Files of Citus that tell of its own connections to workers. */
  private static final Pattern CITUS_CONNECTIONS =
      Pattern.compile("(remote_\\w+|connection_\\w+|placement_connection|adaptive_executor)\\.c");

  /** What a pool says that is closed. */
  private static final Pattern CLOSED = Pattern.compile("(?i)\\bclosed\\b");

  private SqlErrors() {}

  /** Translates an error of a statement whose transaction was not committed. */
  public static PgToasterException translate(SQLException thrown) {
    SQLException e = withoutPayload(thrown);
    String state = state(e);
    String message = message(e, thrown);
    if (isNumberTaken(thrown)) {
      return new ConcurrencyException(
          "drew a number that a concurrent transaction has drawn; run the transaction again: "
              + message,
          e);
    }
    if (isConnectionLost(thrown)) {
      return new ConnectionLostException(
          "the connection broke, and nothing of the call was committed: " + message, e);
    }
    Matcher head = HEAD_KEY.matcher(keyTwice(thrown));
    if (head.matches()) {
      return new DatabaseException(
          ("the next number for new content is taken, as after a switch-over to a"
                  + " server that did not get the sequence; the owner runs SELECT"
                  + " pgtoaster.advance_numbers(%s): %s")
              .formatted(head.group(1), message),
          e);
    }
    return switch (state) {
      case "40001", "40P01" ->
          new ConcurrencyException(
              "gave way to a concurrent transaction; run the transaction again: " + message, e);
      case "42501" -> new AccessDeniedException(message, e);
      case "42P01", "42703", "3F000" ->
          String.valueOf(e.getMessage()).contains(OTHER_PATH)
              ? new ColumnNotFoundException(
                  "the search_path of this connection does not lead to the table where the column"
                      + " was found before; name the schema, or use PgToaster.on(connection)",
                  e)
              : new CatalogException(
                  "the database changed under this handle (" + message + "); open the column again",
                  e);
      case "26000", "42P05" ->
          new DatabaseException(
              message
                  + "; behind a pool that gives out connections by the transaction, connect with"
                  + " prepareThreshold=0",
              e);
      default -> new DatabaseException(message, e);
    };
  }

  /** Translates an error at a moment when the transaction may or may not have been committed. */
  public static PgToasterException translateAtCommit(SQLException thrown) {
    SQLException e = withoutPayload(thrown);
    if (mayBeCommitted(thrown) && !state(e).equals(IDLE_TOO_LONG)) {
      return new OutcomeUnknownException(
          "the connection broke while the call was being committed, and it may have been applied;"
              + " look at the row before you repeat the call (an append: repeat it with the same"
              + " token, or compare the length): "
              + message(e, thrown),
          e);
    }
    return translate(e);
  }

  /**
   * Whether the connection is gone: by its state, and where a server or a pool in front of it tells
   * of a violation of the protocol, only if it says that it hangs up.
   *
   * @return whether it is
   */
  public static boolean isConnectionLost(SQLException e) {
    String state = state(e);
    if (state.equals(PROTOCOL_VIOLATION)) {
      ServerErrorMessage told = told(e);
      return told == null || "FATAL".equals(told.getSeverity());
    }
    return state.startsWith("08")
        || state.startsWith("57P")
        || state.equals(IDLE_TOO_LONG)
        || state.equals(TRANSACTION_TOO_LONG);
  }

  /**
   * Whether what failed at a commit may have been committed: the connection is gone, or that of
   * Citus's coordinator to the worker that had it, which it calls an internal error.
   *
   * @return whether it may
   */
  static boolean mayBeCommitted(SQLException e) {
    ServerErrorMessage told = told(e);
    String file = told == null ? null : told.getFile();
    return isConnectionLost(e)
        || (state(e).equals("XX000") && file != null && CITUS_CONNECTIONS.matcher(file).matches());
  }

  /**
   * Translates what a data source throws that gives no connection; nothing of the call was done.
   */
  static PgToasterException notConnected(SQLException e) {
    String why = firstLine(String.valueOf(e.getMessage()));
    boolean ofPool = e.getSQLState() == null && !(e.getCause() instanceof SQLException);
    if (ofPool || state(e).equals(TOO_MANY_CONNECTIONS)) {
      return new ConnectionUnavailableException(
          (e.getCause() instanceof InterruptedException
                  ? "the thread was interrupted while it waited for a connection, and nothing of"
                      + " the call was done: "
                  : ofPool && CLOSED.matcher(why).find()
                      ? "the data source is closed, and nothing of the call was done; close it only"
                          + " after its last use: "
                      : "the data source had no connection to give, and nothing of the call was"
                          + " done; give it more connections, or hold them for shorter: ")
              + why,
          e);
    }
    String state = state(e);
    if (state.equals("08001")) {
      return new ConnectionLostException(
          "cannot connect to the server; check host and port, and that the server runs: " + why, e);
    }
    if (state.startsWith("28")) {
      return new DatabaseException(
          "the server refused the login; check user, password and pg_hba.conf: " + why, e);
    }
    return translate(e);
  }

  /** Whether the same transaction may succeed when it is run again. */
  static boolean isRetryable(SQLException e) {
    String state = state(e);
    return state.equals("40001") || state.equals("40P01") || isNumberTaken(e);
  }

  /** Whether two transactions have drawn the same number for new nodes, or new content. */
  private static boolean isNumberTaken(SQLException e) {
    String key = keyTwice(e);
    return NODE_KEY.matcher(key).matches() || DRAWN_KEY.matcher(key).matches();
  }

  /**
   * Tells a row that could not be inserted.
   *
   * @return whether a unique index refused it that is none of a store
   */
  public static boolean isRowThere(SQLException e) {
    String constraint = keyTwice(e);
    return !constraint.isEmpty() && !isNumberTaken(e) && !HEAD_KEY.matcher(constraint).matches();
  }

  /** The unique constraint that was violated; empty if it was none. */
  private static String keyTwice(SQLException e) {
    ServerErrorMessage told = told(e);
    @Nullable String constraint =
        told != null && UNIQUE_VIOLATION.equals(told.getSQLState()) ? told.getConstraint() : null;
    return constraint == null ? "" : constraint;
  }

  /** What the server said, also where a batch wraps it. */
  private static @Nullable ServerErrorMessage told(SQLException e) {
    for (SQLException error = e; error != null; error = error.getNextException()) {
      if (error instanceof PSQLException known && known.getServerErrorMessage() != null) {
        return known.getServerErrorMessage();
      }
    }
    return null;
  }

  /**
   * The same error without what may quote payload: the message of a batch holds its statement with
   * all parameters, and behind the first line of a server's message its DETAIL quotes the row.
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
    // What a pool throws that has no connection to give need not have a state.
    boolean connection =
        e instanceof SQLTransientConnectionException
            || e instanceof SQLNonTransientConnectionException;
    return connection ? "08000" : "58000";
  }

  /** The primary message and the HINT: a DETAIL line may quote values of the row. */
  private static String message(SQLException e, SQLException thrown) {
    @Nullable String text = e.getMessage();
    if (text == null) {
      return "SQLState " + state(e);
    }
    ServerErrorMessage told = told(thrown);
    @Nullable String hint = told == null ? null : told.getHint();
    return firstLine(text)
        + " (SQLState "
        + state(e)
        + ")"
        + (hint == null ? "" : "; " + hint.replace('\n', ' '));
  }
}
