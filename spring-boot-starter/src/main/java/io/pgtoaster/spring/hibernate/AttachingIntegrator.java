package io.pgtoaster.spring.hibernate;

import io.pgtoaster.hibernate.schema.PgToasterSchema;
import java.sql.SQLException;
import java.util.List;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.jdbc.spi.SqlExceptionHelper;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;

/**
 * Attaches the columns of entities in session factories that Spring Boot configures. Loaded by
 * {@link java.util.ServiceLoader}. Used by the thread that builds the factory.
 */
public final class AttachingIntegrator implements Integrator {
  /** Creates the integrator. Called by {@link java.util.ServiceLoader}. */
  public AttachingIntegrator() {}

  @Override
  public void integrate(
      Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
    if (factory.getProperties().get(EntityColumns.SETTING) instanceof EntityColumns columns) {
      attach(columns, PgToasterSchema.attachments(metadata));
    }
  }

  private static void attach(EntityColumns columns, List<String> statements) {
    if (statements.isEmpty()) {
      return;
    }
    try {
      columns.attach(statements);
    } catch (SQLException e) {
      throw new SqlExceptionHelper(false)
          .convert(e, "the columns of entities cannot be attached; see pgtoaster.schema.attach");
    }
  }
}
