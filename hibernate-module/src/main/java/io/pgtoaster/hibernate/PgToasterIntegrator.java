package io.pgtoaster.hibernate;

import io.pgtoaster.hibernate.blob.BlobJavaType;
import io.pgtoaster.hibernate.blob.BlobMapping;
import io.pgtoaster.hibernate.event.ContentIntegration;
import io.pgtoaster.hibernate.jsonb.DocumentMapping;
import io.pgtoaster.hibernate.jsonb.KeyedJsonJavaType;
import io.pgtoaster.hibernate.query.DocumentComparisons;
import io.pgtoaster.hibernate.query.PathTranslator;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.TypeContributions;
import org.hibernate.boot.model.TypeContributor;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.cfg.QuerySettings;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.service.spi.ServiceContributor;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Registers pgtoaster with Hibernate: the types of attributes, the translators of queries, and
 * listeners for each session factory. Loaded by {@link java.util.ServiceLoader}.
 */
public final class PgToasterIntegrator implements Integrator, ServiceContributor, TypeContributor {
  private final ContentIntegration contents =
      new ContentIntegration(List.of(new BlobMapping(), new DocumentMapping()));

  /** Creates the integrator. Called by {@link java.util.ServiceLoader}. */
  public PgToasterIntegrator() {}

  /** Sets the translators of queries, unless the application names others. */
  @Override
  public void contribute(StandardServiceRegistryBuilder builder) {
    Map<String, Object> settings = builder.getSettings();
    settings.putIfAbsent(QuerySettings.SEMANTIC_QUERY_PRODUCER, PathTranslator.class.getName());
    settings.putIfAbsent(
        QuerySettings.SEMANTIC_QUERY_TRANSLATOR, DocumentComparisons.class.getName());
  }

  @Override
  public void contribute(TypeContributions contributions, ServiceRegistry registry) {
    contributions.contributeJavaType(new BlobJavaType());
    contributions.contributeJavaType(new KeyedJsonJavaType());
  }

  @Override
  public void integrate(
      Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
    contents.integrate(metadata, factory, PgToasterSettings.pgToaster(factory.getProperties()));
    PathTranslator.integrate(factory);
  }

  @Override
  public void disintegrate(
      SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {
    contents.disintegrate(factory);
  }
}
