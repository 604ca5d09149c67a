package io.pgtoaster.spring.boot;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.internal.column.ColumnLookup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Installs the catalog when the application starts, before migrations and JPA, which may need it.
 * It is used once, by the thread that starts the application.
 */
public final class PgToasterSchemaInitializer implements InitializingBean {
  private final DataSource dataSource;
  private final DatabaseInitializationMode mode;
  private final List<JdbcConnectionDetails> details;
  private boolean wanted;

  PgToasterSchemaInitializer(
      DataSource dataSource, DatabaseInitializationMode mode, List<JdbcConnectionDetails> details) {
    this.dataSource = dataSource;
    this.mode = mode;
    this.details = List.copyOf(details);
  }

  @Override
  public void afterPropertiesSet() throws SQLException {
    wanted =
        switch (mode) {
          case ALWAYS -> true;
          case EMBEDDED -> EmbeddedServer.serves(dataSource, details);
          case NEVER -> false;
        };
    if (wanted) {
      requirePostgreSql();
      Catalog catalog = PgToaster.create(dataSource).catalog();
      if (catalog.installedVersion() != ColumnLookup.CATALOG_VERSION) {
        catalog.install();
      }
    }
  }

  private void requirePostgreSql() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      String product = connection.getMetaData().getDatabaseProductName();
      if (!product.equals("PostgreSQL")) {
        throw new UnsuitableDatabaseException(
            "pgtoaster requires PostgreSQL, but the DataSource connects to " + product + ".",
            "Set pgtoaster.datasource to the name of the DataSource that connects to PostgreSQL, or"
                + " set pgtoaster.schema.initialize=never if there is none, as in some tests.");
      }
    }
  }

  /**
   * Returns whether to install the catalog and attach the columns of entities at startup.
   *
   * @return true if so
   */
  public boolean isWanted() {
    return wanted;
  }
}
