package io.pgtoaster.spring.flyway;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;

/**
 * Installs the catalog as a migration of the application. Add a subclass with a Flyway name, such
 * as {@code V2__pgtoaster}, to a package that Flyway scans ({@code db.migration}). To install the
 * changes of a newer library, add another subclass with a higher version. Used by the thread that
 * runs the migrations.
 */
public abstract class CatalogMigration extends BaseJavaMigration {
  /** For subclasses. */
  protected CatalogMigration() {}

  /**
   * Runs the scripts of {@link Catalog#scriptNames()} in the migration's transaction.
   *
   * @param context provides the connection
   */
  @Override
  public void migrate(Context context) {
    PgToaster.on(context.getConnection()).catalog().install();
  }
}
