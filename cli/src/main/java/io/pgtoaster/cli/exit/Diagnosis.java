package io.pgtoaster.cli.exit;

import io.pgtoaster.embedded.EmbeddedPostgresException;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.BlobSealedException;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/**
 * The exit code and message for an exception.
 *
 * @param exitCode one of {@link ExitCode}
 * @param message one or two lines
 */
public record Diagnosis(int exitCode, String message) {
  /**
   * Returns the diagnosis of an exception.
   *
   * @param thrown exception that ended a command
   * @return its exit code and message
   */
  public static Diagnosis of(Throwable thrown) {
    if (thrown instanceof Failure failure) {
      return new Diagnosis(failure.exitCode(), text(failure));
    }
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof PgToasterException e) {
        boolean neverConnected = e.sqlState().equals("08001") || e.sqlState().equals("08004");
        return neverConnected && e.getCause() instanceof SQLException cause
            ? ofSql(cause)
            : new Diagnosis(exitCode(e), text(e));
      }
      if (t instanceof SQLException e) {
        return ofSql(e);
      }
      if (t instanceof EmbeddedPostgresException e) {
        return new Diagnosis(
            ExitCode.CONNECTION, text(e) + causes(e) + "\nto use your own server, give --url");
      }
    }
    if (thrown instanceof NoSuchFileException e) {
      return new Diagnosis(ExitCode.FAILED, "there is no file " + e.getFile());
    }
    if (thrown instanceof FileSystemException e) {
      @Nullable String reason = e.getReason();
      String why = reason == null ? e.getClass().getSimpleName() : reason;
      return new Diagnosis(ExitCode.FAILED, "cannot use the file " + e.getFile() + ": " + why);
    }
    if (thrown instanceof IllegalArgumentException) {
      return new Diagnosis(ExitCode.USAGE, text(thrown));
    }
    String name = thrown instanceof IOException ? "" : thrown.getClass().getSimpleName() + ": ";
    return new Diagnosis(ExitCode.FAILED, name + text(thrown));
  }

  private static int exitCode(PgToasterException e) {
    if (e instanceof ColumnNotFoundException
        || e instanceof PathNotFoundException
        || e instanceof RowNotFoundException
        || e instanceof BlobNotFoundException) {
      return ExitCode.NOT_FOUND;
    }
    if (e instanceof BlobSealedException
        || e instanceof AccessDeniedException
        || e instanceof UnsupportedCapabilityException) {
      return ExitCode.REFUSED;
    }
    if (e instanceof PatchFailedException || e instanceof OffsetConflictException) {
      return ExitCode.CONFLICT;
    }
    if (e instanceof ConnectionLostException
        || e instanceof ConnectionUnavailableException
        || e instanceof OutcomeUnknownException) {
      return ExitCode.CONNECTION;
    }
    return isConnection(e.sqlState()) ? ExitCode.CONNECTION : ExitCode.FAILED;
  }

  private static Diagnosis ofSql(SQLException e) {
    @Nullable String state = e.getSQLState();
    if (isConnection(state)) {
      return new Diagnosis(
          ExitCode.CONNECTION,
          "no connection to the database: "
              + text(e)
              + "\ncheck --url, the PG* variables and the password (PGPASSWORD or ~/.pgpass)");
    }
    if ("42501".equals(state)) {
      return new Diagnosis(ExitCode.REFUSED, text(e) + hint(e));
    }
    boolean absent = "42P01".equals(state) || "42703".equals(state) || "3F000".equals(state);
    return new Diagnosis(absent ? ExitCode.NOT_FOUND : ExitCode.FAILED, text(e) + hint(e));
  }

  /** Returns the server's hint, on a separate line. */
  private static String hint(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof PSQLException e && e.getServerErrorMessage() != null) {
        @Nullable String hint = e.getServerErrorMessage().getHint();
        return hint == null ? "" : "\nhint: " + hint;
      }
    }
    return "";
  }

  /**
   * Returns true if the connection broke, login was refused (28: password; 3D: no such database),
   * or the server shut down.
   */
  private static boolean isConnection(@Nullable String state) {
    return state != null
        && (state.startsWith("08")
            || state.startsWith("57P")
            || state.startsWith("28")
            || state.startsWith("3D")
            || state.equals("53300"));
  }

  private static String causes(Throwable t) {
    @Nullable Throwable cause = t.getCause();
    return cause == null ? "" : ": " + text(cause);
  }

  /**
   * Returns the first line of the message; the driver adds DETAIL and position on further lines.
   */
  private static String text(Throwable t) {
    @Nullable String message = t.getMessage();
    if (message == null) {
      return t.getClass().getSimpleName();
    }
    boolean ours = t instanceof Failure || t instanceof EmbeddedPostgresException;
    return ours ? message : message.lines().findFirst().orElse(message);
  }
}
