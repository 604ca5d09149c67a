package io.pgtoaster.hibernate.query;

import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;

/** Binds queries to each session factory; {@link java.util.ServiceLoader} finds it. */
public final class QueryIntegrator implements Integrator {
  /** Creates the integrator; {@link java.util.ServiceLoader} does. */
  public QueryIntegrator() {}

  @Override
  public void integrate(
      Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
    if (factory.getSessionFactoryOptions().getCustomHqlTranslator()
        instanceof PathTranslator translator) {
      translator.bind(factory);
    }
    // The dialect registers its functions after all contributors. Whoever translates HQL before the
    // factory is complete, to validate named queries, comes by the translator.
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
