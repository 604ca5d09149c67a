package io.pgtoaster.jsonb;

import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import tools.jackson.core.JacksonException;

/** Unwraps errors that streams and parsers passed on. */
final class Failures {
  private Failures() {}

  /**
   * Returns the exception for a call within a transaction. Throws the server's error itself, so
   * that the call is retried.
   */
  static RuntimeException inCall(Exception e) throws SQLException {
    PgToasterException known = SqlErrors.causeOf(e);
    return known == null ? outside(e) : known;
  }

  /** Returns the exception for a call that works through an open stream. */
  static RuntimeException afterwards(Exception e) {
    try {
      return inCall(e);
    } catch (SQLException sql) {
      return SqlErrors.translate(sql);
    }
  }

  private static RuntimeException outside(Exception e) {
    if (e instanceof JacksonException wrong) {
      return Json.failure(wrong);
    }
    if (e instanceof IOException io) {
      return new UncheckedIOException(io);
    }
    return e instanceof RuntimeException r ? r : new IllegalStateException(e);
  }

  /** Returns the exception that a stream throws. */
  static IOException asIo(Exception e, String place) {
    if (e instanceof SQLException sql) {
      RuntimeException known = SqlErrors.at(SqlErrors.translate(sql), place);
      return new IOException(known.getMessage(), known);
    }
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof PgToasterException known) {
        return new IOException(SqlErrors.at(known, place).getMessage(), known);
      }
      if (t instanceof SQLException sql && !(e instanceof SQLException)) {
        return asIo(sql, place);
      }
    }
    return e instanceof IOException io ? io : new IOException(e.getMessage(), e);
  }
}
