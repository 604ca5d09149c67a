package io.pgtoaster.quarkus;

import io.pgtoaster.hibernate.schema.PgToasterSchema;
import io.quarkus.arc.Arc;
import io.quarkus.arc.ClientProxy;
import io.quarkus.arc.InstanceHandle;
import io.quarkus.hibernate.orm.runtime.customized.QuarkusConnectionProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.cfg.SchemaToolingSettings;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.spi.SqlExceptionHelper;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.jboss.logging.Logger;

/**
 * Attaches the columns of entities on the default data source, after migrations and before
 * Hibernate creates tables. Loaded by Quarkus.
 */
public final class AttachingIntegrator implements Integrator {
  private static final Logger LOG = Logger.getLogger(AttachingIntegrator.class);
  private static final Set<String> UNDEFINED_TABLE_OR_SCHEMA = Set.of("42P01", "3F000");
  private static final Set<String> CREATES_NO_TABLE = Set.of("none", "validate", "drop");

  /** Creates the integrator. Called by Quarkus. */
  public AttachingIntegrator() {}

  @Override
  public void integrate(
      Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
    InstanceHandle<PgToasterProducer> producer = Arc.container().instance(PgToasterProducer.class);
    if (!producer.isAvailable() || !producer.get().attachesEntities()) {
      return;
    }
    DataSource source = ClientProxy.unwrap(producer.get().dataSource());
    if (factory.getServiceRegistry().getService(ConnectionProvider.class)
            instanceof QuarkusConnectionProvider provider
        && ClientProxy.unwrap(provider.getDataSource()).equals(source)) {
      String action =
          String.valueOf(
              factory.getProperties().get(SchemaToolingSettings.JAKARTA_HBM2DDL_DATABASE_ACTION));
      attach(source, PgToasterSchema.attachments(metadata), !CREATES_NO_TABLE.contains(action));
    }
  }

  /** Runs statements that attach one column each and do nothing if it is already attached. */
  private static void attach(
      DataSource source, List<String> statements, boolean hibernateCreatesTables) {
    if (statements.isEmpty()) {
      return;
    }
    try (Connection connection = source.getConnection();
        Statement s = connection.createStatement()) {
      s.setEscapeProcessing(false);
      for (String statement : statements) {
        try {
          s.execute(statement);
        } catch (SQLException e) {
          if (!UNDEFINED_TABLE_OR_SCHEMA.contains(String.valueOf(e.getSQLState()))) {
            throw e;
          }
          // A table that Hibernate creates later is then attached by Hibernate.
          LOG.logf(
              hibernateCreatesTables ? Logger.Level.DEBUG : Logger.Level.WARN,
              "A column of an entity is not attached, because its table does not exist yet. Create"
                  + " the table in a migration that runs at startup"
                  + " (quarkus.flyway.migrate-at-start=true), or run this statement after creating"
                  + " it: %s",
              statement);
        }
      }
    } catch (SQLException e) {
      throw new SqlExceptionHelper(false)
          .convert(
              e, "the columns of entities cannot be attached; see quarkus.pgtoaster.schema.attach");
    }
  }
}
