package io.pgtoaster.spring.actuate;

import io.pgtoaster.ExtensionStatus;
import io.pgtoaster.PgToaster;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.spring.actuate.AttachedColumns.Name;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health of the catalog: its version, the extension, the executor of each column, and the findings
 * of this instance's last checks. Queries only the catalog; no store is read.
 */
final class PgToasterHealthIndicator extends AbstractHealthIndicator {
  private final PgToaster toaster;
  private final DataSource dataSource;
  private final boolean extensionWanted;
  private final Maintenance maintenance;

  PgToasterHealthIndicator(
      PgToaster toaster, DataSource dataSource, boolean extensionWanted, Maintenance maintenance) {
    super("the catalog of pgtoaster cannot be read");
    this.toaster = toaster;
    this.dataSource = dataSource;
    this.extensionWanted = extensionWanted;
    this.maintenance = maintenance;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) throws SQLException {
    int version = toaster.catalog().installedVersion();
    builder.withDetail("catalogVersion", version);
    if (version == 0) {
      builder
          .unknown()
          .withDetail("advice", "the catalog is not installed; install it to attach columns");
      return;
    }
    if (version != ColumnLookup.CATALOG_VERSION) {
      builder
          .down()
          .withDetail("advice", "this library needs version " + ColumnLookup.CATALOG_VERSION);
      return;
    }
    ExtensionStatus extension = toaster.catalog().extension();
    builder.up();
    if (extension.installed() != null) {
      builder.withDetail("extension", extension.installed());
    }
    Map<String, String> columns = new LinkedHashMap<>();
    for (Name name : AttachedColumns.read(dataSource)) {
      columns.put(
          name.toString(), AttachedColumns.executor(name.toaster(), extension, extensionWanted));
    }
    builder.withDetail("executors", columns);
    maintenance
        .lastFinding(Job.GC)
        .ifPresent(
            found ->
                builder
                    .withDetail("orphans", found.count())
                    .withDetail("orphansCheckedAt", found.at().toString()));
    maintenance
        .lastFinding(Job.VERIFY)
        .ifPresent(
            found -> {
              builder
                  .withDetail("damages", found.count())
                  .withDetail("verifiedAt", found.at().toString());
              if (found.count() > 0) {
                builder.down();
              }
            });
  }
}
