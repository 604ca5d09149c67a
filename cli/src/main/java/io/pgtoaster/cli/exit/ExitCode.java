package io.pgtoaster.cli.exit;

/** The exit codes of commands. */
public final class ExitCode {
  /** The command succeeded. */
  public static final int OK = 0;

  /** The operation failed. */
  public static final int FAILED = 1;

  /** The command line was invalid; nothing was done. */
  public static final int USAGE = 2;

  /** The table, column, row or blob does not exist. */
  public static final int NOT_FOUND = 3;

  /** The length or content was not the expected one; nothing was changed. */
  public static final int CONFLICT = 4;

  /** The blob is sealed, access is forbidden, or the column does not support the operation. */
  public static final int REFUSED = 5;

  /** The connection to the database failed or broke. */
  public static final int CONNECTION = 6;

  private ExitCode() {}
}
