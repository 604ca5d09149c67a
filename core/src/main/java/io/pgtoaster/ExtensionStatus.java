package io.pgtoaster;

import org.jspecify.annotations.Nullable;

/** The status of the server extension in one database. */
public sealed interface ExtensionStatus permits Extension.ExtensionVersions {
  /** {@return its version in the database; null if it is not installed} */
  @Nullable String installed();

  /** {@return the version of its files on the server; null if the files are missing} */
  @Nullable String available();

  /** {@return whether calls use its functions} */
  boolean used();

  /** {@return advice for the administrator, or null} */
  @Nullable String advice();

  /**
   * Returns whether the installed version differs from the one on the server.
   *
   * @return true if both versions are known and differ
   */
  boolean isOutdated();
}
