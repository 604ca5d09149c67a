package io.pgtoaster.quarkus;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Properties of pgtoaster. */
@ConfigMapping(prefix = "quarkus.pgtoaster")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface PgToasterConfig {
  /**
   * Whether to call the functions of the server extension if it is installed.
   *
   * @return true if so
   */
  @WithDefault("true")
  boolean extension();

  /**
   * Database objects that are created at startup.
   *
   * @return their properties
   */
  Schema schema();

  /** Database objects that are created at startup. */
  interface Schema {
    /**
     * When to install the catalog, before Hibernate: always or never.
     *
     * @return when
     */
    @WithDefault("always")
    Initialize initialize();
  }

  /** When to install the catalog. */
  enum Initialize {
    /** At each start, unless it is installed. */
    ALWAYS,
    /** Never: migrations install it. */
    NEVER
  }
}
