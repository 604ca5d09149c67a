package io.pgtoaster.hibernate.schema;

import io.pgtoaster.PgToaster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Stream;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.jdbc.spi.JdbcServices;

/**
 * Adds stores and triggers to the schema that Hibernate exports. Loaded by {@link
 * java.util.ServiceLoader}.
 */
public final class SchemaContributor implements AdditionalMappingContributor {
  /** Creates the contributor. Called by {@link java.util.ServiceLoader}. */
  public SchemaContributor() {}

  @Override
  public void contribute(
      AdditionalMappingContributions contributions,
      InFlightMetadataCollector metadata,
      ResourceStreamLocator resources,
      MetadataBuildingContext context) {
    boolean installed = isInstalled(context.getBootstrapContext().getServiceRegistry());
    Database database = metadata.getDatabase();
    // The objects read the entities only when a schema is exported; by then everything is bound.
    // Before an update, Hibernate drops both in this order, with no DROP TABLE between them.
    database.addAuxiliaryDatabaseObject(
        new SchemaObject(
            metadata,
            "pgtoaster-catalog",
            false,
            columns ->
                Stream.concat(
                        installed ? Stream.empty() : Stream.of(Scripts.installAtOnce()),
                        columns.stream().map(Attachment::sql))
                    .toArray(String[]::new),
            columns -> new String[] {Scripts.recordStores(columns)}));
    database.addAuxiliaryDatabaseObject(
        new SchemaObject(
            metadata,
            "pgtoaster-left-stores",
            true,
            columns -> new String[0],
            columns -> new String[] {Scripts.dropRecordedStores(columns)}));
  }

  /**
   * Returns true if an update of the schema will find the catalog up to date. This is checked now,
   * because an export holds a connection and the pool may have no other one.
   */
  private static boolean isInstalled(StandardServiceRegistry services) {
    Map<String, Object> settings =
        services.requireService(ConfigurationService.class).getSettings();
    Object database = settings.get(AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION);
    Object action = database == null ? settings.get(AvailableSettings.HBM2DDL_AUTO) : database;
    if (!"update".equals(String.valueOf(action))
        || settings.get(AvailableSettings.JAKARTA_HBM2DDL_SCRIPTS_ACTION) != null) {
      return false;
    }
    try {
      JdbcConnectionAccess access =
          services.requireService(JdbcServices.class).getBootstrapJdbcConnectionAccess();
      Connection connection = access.obtainConnection();
      try {
        return PgToaster.on(connection).catalog().isInstalled();
      } finally {
        try {
          // A pool might keep the connection with its transaction open.
          if (!connection.getAutoCommit()) {
            connection.rollback();
          }
        } finally {
          access.releaseConnection(connection);
        }
      }
    } catch (SQLException | RuntimeException e) {
      // If the database cannot be reached, the schema export reports the error.
      return false;
    }
  }
}
