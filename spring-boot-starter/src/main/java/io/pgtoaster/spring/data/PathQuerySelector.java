package io.pgtoaster.spring.data;

import org.springframework.data.jpa.repository.query.BadJpqlGrammarException;
import org.springframework.data.jpa.repository.query.DeclaredQuery;
import org.springframework.data.jpa.repository.query.QueryEnhancerFactories;
import org.springframework.data.jpa.repository.query.QueryEnhancerFactory;
import org.springframework.data.jpa.repository.query.QueryEnhancerSelector;

/**
 * Leaves queries with paths that Spring Data's grammar of HQL does not have, such as {@code
 * m.notes['people'][:name]} and assignments to them, to Hibernate; they are sorted and counted as
 * Spring Data does it for JPQL that it does not parse. For any threads.
 */
public final class PathQuerySelector implements QueryEnhancerSelector {
  /** Creates the selector; Spring Data does. */
  public PathQuerySelector() {}

  @Override
  public QueryEnhancerFactory select(DeclaredQuery query) {
    QueryEnhancerFactory usual = DEFAULT_SELECTOR.select(query);
    if (query.isNative() || query.getQueryString().indexOf('[') < 0) {
      return usual;
    }
    try {
      usual.create(query);
      return usual;
    } catch (BadJpqlGrammarException e) {
      return QueryEnhancerFactories.fallback();
    }
  }
}
