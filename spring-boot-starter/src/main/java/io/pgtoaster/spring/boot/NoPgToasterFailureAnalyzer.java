package io.pgtoaster.spring.boot;

import io.pgtoaster.PgToaster;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/**
 * Explains why the PgToaster bean is missing: the application has no DataSource, or has several and
 * selects none.
 */
final class NoPgToasterFailureAnalyzer
    extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> implements Ordered {
  private final BeanFactory beans;

  NoPgToasterFailureAnalyzer(BeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, NoSuchBeanDefinitionException cause) {
    if (cause.getBeanType() != PgToaster.class
        || cause instanceof NoUniqueBeanDefinitionException
        || !(beans instanceof ListableBeanFactory listable)
        || DataSources.count(listable) == 1) {
      return null;
    }
    return new FailureAnalysis(
        "There is no PgToaster, because it is unclear which DataSource to use. DataSources: "
            + DataSources.names(listable)
            + ".",
        "Set pgtoaster.datasource to the name of the one that connects to PostgreSQL, or mark it"
            + " @Primary; if there is none, set spring.datasource.url.",
        cause);
  }
}
