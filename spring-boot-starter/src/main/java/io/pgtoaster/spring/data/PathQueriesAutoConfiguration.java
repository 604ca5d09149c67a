package io.pgtoaster.spring.data;

import io.pgtoaster.hibernate.query.PathTranslator;
import org.hibernate.query.hql.HqlTranslator;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.query.QueryEnhancerSelector.DefaultQueryEnhancerSelector;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactoryBean;

/** Allows paths of documents in a repository's {@code @Query}. */
@AutoConfiguration
@ConditionalOnClass({PathTranslator.class, HqlTranslator.class, JpaRepositoryFactoryBean.class})
public final class PathQueriesAutoConfiguration {
  private static final String SELECTOR = "queryEnhancerSelector";

  PathQueriesAutoConfiguration() {}

  /** Replaces the default selector, but not a selector that the application has chosen. */
  @Bean
  static BeanFactoryPostProcessor pgToasterPathQueries() {
    return factory -> {
      for (String name : factory.getBeanDefinitionNames()) {
        BeanDefinition definition = factory.getBeanDefinition(name);
        Object selector = definition.getPropertyValues().get(SELECTOR);
        if (selector == DefaultQueryEnhancerSelector.class
            || DefaultQueryEnhancerSelector.class.getName().equals(selector)) {
          definition.getPropertyValues().add(SELECTOR, PathQuerySelector.class);
        }
      }
    };
  }
}
