package io.pgtoaster.cli.exit;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code and a message for the user. */
public final class Failure extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final int exitCode;

  /**
   * Creates a failure.
   *
   * @param exitCode one of {@link ExitCode}
   * @param message the problem, and what to do next
   */
  public Failure(int exitCode, String message) {
    this(exitCode, message, null);
  }

  /**
   * Creates a failure with its cause.
   *
   * @param exitCode one of {@link ExitCode}
   * @param message the problem, and what to do next
   * @param cause shown with {@code --verbose}, or null
   */
  public Failure(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /**
   * Returns the exit code.
   *
   * @return one of {@link ExitCode}
   */
  public int exitCode() {
    return exitCode;
  }
}
