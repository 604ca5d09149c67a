package io.pgtoaster.quarkus;

import io.pgtoaster.PgToaster;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.internal.column.ColumnLookup;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Ready if the catalog is not installed, or has the version that this library needs. */
@Readiness
@Singleton
public class PgToasterHealthCheck implements HealthCheck {
  private final PgToaster toaster;

  PgToasterHealthCheck(PgToaster toaster) {
    this.toaster = toaster;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder response = HealthCheckResponse.named("pgtoaster");
    try {
      int version = toaster.catalog().installedVersion();
      response.withData("catalogVersion", version);
      return response.status(version == 0 || version == ColumnLookup.CATALOG_VERSION).build();
    } catch (DatabaseException e) {
      return response.down().withData("error", e.getMessage()).build();
    }
  }
}
