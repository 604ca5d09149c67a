package io.pgtoaster;

import org.jspecify.annotations.Nullable;

/** Components as the methods of {@link ExtensionStatus}. */
record ExtensionVersions(
    @Nullable String installed, @Nullable String available, boolean used, @Nullable String advice)
    implements ExtensionStatus {
  @Override
  public boolean isOutdated() {
    return installed != null && available != null && !installed.equals(available);
  }
}
