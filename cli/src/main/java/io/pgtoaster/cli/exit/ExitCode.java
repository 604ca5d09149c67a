package io.pgtoaster.cli.exit;

/** What the exit status of a command says. */
public final class ExitCode {
  /** The command did what it was asked. */
  public static final int OK = 0;

  /** The operation failed. */
  public static final int FAILED = 1;

  /** The command line was wrong; nothing was done. */
  public static final int USAGE = 2;

  /** There is no such table, column, row or blob. */
  public static final int NOT_FOUND = 3;

  /** Another length or content than the expected one; nothing was changed. */
  public static final int CONFLICT = 4;

  /** Sealed, forbidden, or beyond what the column can do. */
  public static final int REFUSED = 5;

  /** No connection to the database, or it broke. */
  public static final int CONNECTION = 6;

  private ExitCode() {}
}
