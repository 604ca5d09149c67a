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
     * When to install the catalog, before migrations and Hibernate: always or never.
     *
     * @return when
     */
    @WithDefault("always")
    Initialize initialize();

    /**
     * Whether to attach the columns of entities that are not attached, if their tables exist.
     * Requires that the catalog is installed at startup.
     *
     * @return true if so
     */
    @WithDefault("true")
    boolean attach();
  }

  /** When to install the catalog. */
  enum Initialize {
    /** At each start, unless it is installed. */
    ALWAYS,
    /** Never: migrations install it. */
    NEVER
  }
}
