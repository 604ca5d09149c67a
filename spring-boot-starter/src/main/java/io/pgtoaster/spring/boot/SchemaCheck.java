package io.pgtoaster.spring.boot;

import io.pgtoaster.Catalog;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.internal.column.ColumnLookup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;

/**
 * Makes startup fail if the catalog has a different version after migrations. A missing catalog is
 * accepted, because columns that are not attached still work. A database that cannot run the query,
 * such as a substitute for PostgreSQL in tests, is accepted with a warning.
 */
record SchemaCheck(Catalog catalog) implements InitializingBean {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaCheck.class);

  @Override
  public void afterPropertiesSet() {
    int version;
    try {
      version = catalog.installedVersion();
    } catch (DatabaseException e) {
      LOG.warn("the version of the catalog cannot be checked: {}", e.getMessage());
      return;
    }
    check(version);
  }

  static void check(int version) {
    int known = ColumnLookup.CATALOG_VERSION;
    String there =
        "The catalog of pgtoaster has version "
            + version
            + ", but this library needs version "
            + known
            + ".";
    if (version > known) {
      throw new UnsuitableDatabaseException(
          there,
          "Update pgtoaster to the version that installed it; a catalog is never downgraded.");
    }
    if (version > 0 && version < known) {
      throw new UnsuitableDatabaseException(
          there,
          "Remedy: "
              + ColumnLookup.remedy(version)
              + ". pgtoaster.schema.initialize=always calls Catalog.install() at startup.");
    }
  }
}
