package io.pgtoaster.spring.data;

import org.springframework.data.jpa.repository.query.BadJpqlGrammarException;
import org.springframework.data.jpa.repository.query.DeclaredQuery;
import org.springframework.data.jpa.repository.query.QueryEnhancerFactories;
import org.springframework.data.jpa.repository.query.QueryEnhancerFactory;
import org.springframework.data.jpa.repository.query.QueryEnhancerSelector;

/**
 * Passes queries with paths that Spring Data's HQL grammar does not support, such as {@code
 * m.notes['people'][:name]} and assignments to them, to Hibernate unparsed. Spring Data sorts and
 * counts them like JPQL that it does not parse. Thread-safe.
 */
public final class PathQuerySelector implements QueryEnhancerSelector {
  /** Creates the selector. Called by Spring Data. */
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
