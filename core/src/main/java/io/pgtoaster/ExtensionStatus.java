package io.pgtoaster;

import org.jspecify.annotations.Nullable;

/** How the server extension stands, in one database. */
public sealed interface ExtensionStatus permits Extension.ExtensionVersions {
  /** {@return its version in the database; null if it is not there} */
  @Nullable String installed();

  /** {@return its version on the server; null if its files are not there} */
  @Nullable String available();

  /** {@return whether calls go through its functions} */
  boolean used();

  /** {@return what to do about it; null if there is nothing} */
  @Nullable String advice();

  /**
   * Tells whether an update of the installed one is there.
   *
   * @return true if the server has another version than the database
   */
  boolean isOutdated();
}
