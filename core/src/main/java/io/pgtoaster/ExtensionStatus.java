package io.pgtoaster;

import org.jspecify.annotations.Nullable;

/**
 * The status of the server extension in one database.
 *
 * @param installed its version in the database; null if it is not installed
 * @param available the version of its files on the server; null if the files are missing
 * @param used whether calls use its functions
 * @param advice advice for the administrator, or null
 */
public record ExtensionStatus(
    @Nullable String installed, @Nullable String available, boolean used, @Nullable String advice) {
  /** Returns whether the installed version differs from the one on the server. */
  public boolean isOutdated() {
    return installed != null && available != null && !installed.equals(available);
  }
}
