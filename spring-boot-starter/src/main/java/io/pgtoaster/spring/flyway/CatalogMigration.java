package io.pgtoaster.spring.flyway;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;

/**
 * Installs the catalog as a migration of the application: a subclass with Flyway's kind of name,
 * such as {@code V2__pgtoaster}, in a package where Flyway looks ({@code db.migration}) is all it
 * takes. What a newer library brings is a further subclass of a higher version. Used by the thread
 * that migrates.
 */
public abstract class CatalogMigration extends BaseJavaMigration {
  /** For subclasses. */
  protected CatalogMigration() {}

  /**
   * Runs the scripts of {@link Catalog#scriptNames()} in the migration's transaction.
   *
   * @param context has the connection
   */
  @Override
  public void migrate(Context context) {
    PgToaster.on(context.getConnection()).catalog().install();
  }
}
