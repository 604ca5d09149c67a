package io.pgtoaster;

import org.jspecify.annotations.Nullable;

/**
 * How the server extension stands, in one database.
 *
 * @param installed its version in the database; null if it is not there
 * @param available its version on the server; null if its files are not there
 * @param used whether calls go through its functions
 * @param advice what to do about it; null if there is nothing
 */
public record ExtensionStatus(
    @Nullable String installed, @Nullable String available, boolean used, @Nullable String advice) {
  /**
   * Tells whether an update of the installed one is there.
   *
   * @return true if the server has another version than the database
   */
  public boolean isOutdated() {
    return installed != null && available != null && !installed.equals(available);
  }
}
