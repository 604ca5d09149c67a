package io.pgtoaster.hibernate.query;

import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;

/** Binds query translation to each session factory. Loaded by {@link java.util.ServiceLoader}. */
public final class QueryIntegrator implements Integrator {
  /** Creates the integrator. Called by {@link java.util.ServiceLoader}. */
  public QueryIntegrator() {}

  @Override
  public void integrate(
      Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
    if (factory.getSessionFactoryOptions().getCustomHqlTranslator()
        instanceof PathTranslator translator) {
      translator.bind(factory);
    }
    // The dialect registers its functions after all contributors. HQL that is translated before the
    // factory is complete, to validate named queries, passes through the translator.
    factory.addObserver(
        new SessionFactoryObserver() {
          private static final long serialVersionUID = 1;

          @Override
          public void sessionFactoryCreated(SessionFactory created) {
            overlay(factory);
          }
        });
  }

  static void overlay(SessionFactoryImplementor factory) {
    BlobOrElse.install(
        factory.getQueryEngine().getSqmFunctionRegistry(),
        factory.getQueryEngine().getTypeConfiguration().getBasicTypeRegistry());
  }
}
