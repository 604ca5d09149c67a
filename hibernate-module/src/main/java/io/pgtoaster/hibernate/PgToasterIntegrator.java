package io.pgtoaster.hibernate;

import io.pgtoaster.hibernate.blob.BlobMapping;
import io.pgtoaster.hibernate.event.ContentIntegration;
import io.pgtoaster.hibernate.jsonb.DocumentMapping;
import java.util.List;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/** Registers pgtoaster with each session factory. Loaded by {@link java.util.ServiceLoader}. */
public final class PgToasterIntegrator implements Integrator {
  private final ContentIntegration contents =
      new ContentIntegration(List.of(new BlobMapping(), new DocumentMapping()));

  /** Creates the integrator. Called by {@link java.util.ServiceLoader}. */
  public PgToasterIntegrator() {}

  @Override
  public void integrate(
      Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
    contents.integrate(metadata, factory, PgToasterSettings.pgToaster(factory.getProperties()));
  }

  @Override
  public void disintegrate(
      SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {
    contents.disintegrate(factory);
  }
}
