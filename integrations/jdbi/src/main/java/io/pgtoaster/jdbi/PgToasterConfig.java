package io.pgtoaster.jdbi;

import org.jdbi.v3.core.config.JdbiConfig;
import org.jspecify.annotations.Nullable;

/** The settings of {@link PgToasterPlugin}. Jdbi creates it, so it is public. */
public final class PgToasterConfig implements JdbiConfig<PgToasterConfig> {
  private @Nullable Columns columns;

  /** Creates the configuration of a {@code Jdbi} without the plugin. */
  public PgToasterConfig() {}

  void set(Columns opened) {
    columns = opened;
  }

  Columns columns() {
    if (columns == null) {
      throw new IllegalStateException(
          "PgToasterPlugin is not installed; call jdbi.installPlugin(new PgToasterPlugin(toaster))");
    }
    return columns;
  }

  @Override
  public PgToasterConfig createCopy() {
    PgToasterConfig copy = new PgToasterConfig();
    copy.columns = columns;
    return copy;
  }
}
