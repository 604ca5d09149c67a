package io.pgtoaster.spring.boot;

import io.pgtoaster.Catalog;
import io.pgtoaster.column.ColumnLookup;
import io.pgtoaster.error.DatabaseException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;

/**
 * Refuses to start on a catalog of another version, once migrations had their chance. Without any
 * catalog only columns that are not attached can be used, which is fine; so is a database that does
 * not know the question, as it stands in for PostgreSQL in some tests.
 */
final class SchemaCheck implements InitializingBean {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaCheck.class);

  private final Catalog catalog;

  SchemaCheck(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public void afterPropertiesSet() {
    int version;
    try {
      version = catalog.installedVersion();
    } catch (DatabaseException e) {
      LOG.warn("whether the catalog fits is not known: {}", e.getMessage());
      return;
    }
    check(version);
  }

  static void check(int version) {
    int known = ColumnLookup.CATALOG_VERSION;
    String there =
        "The catalog of pgtoaster has version "
            + version
            + ", and this library works on version "
            + known
            + ".";
    if (version > known) {
      throw new UnsuitableDatabaseException(
          there,
          "Update pgtoaster to the version that installed it; a catalog is never downgraded.");
    }
    if (version > 0 && version < known) {
      throw new UnsuitableDatabaseException(
          there, "Upgrade it: set pgtoaster.schema.initialize=always, or run pgtoaster install.");
    }
  }
}
