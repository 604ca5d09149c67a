package io.pgtoaster.it.hibernate.query;

import org.hibernate.query.hql.HqlTranslator;
import org.hibernate.query.sqm.tree.SqmStatement;

/** A translator that an application configures. */
public final class OwnTranslator implements HqlTranslator {
  @Override
  public <R> SqmStatement<R> translate(String query, Class<R> expectedResultType) {
    throw new UnsupportedOperationException("the application's translator");
  }
}
