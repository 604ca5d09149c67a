package io.pgtoaster.hibernate.query;

import io.pgtoaster.hibernate.jsonb.DocumentJdbcType;
import java.util.List;
import org.hibernate.engine.spi.LoadQueryInfluencers;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.JdbcMappingContainer;
import org.hibernate.query.spi.QueryOptions;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.sql.SqmTranslator;
import org.hibernate.query.sqm.sql.SqmTranslatorFactory;
import org.hibernate.query.sqm.sql.internal.SqmParameterInterpretation;
import org.hibernate.query.sqm.sql.internal.StandardSqmTranslator;
import org.hibernate.query.sqm.tree.SqmDmlStatement;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.predicate.SqmComparisonPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInListPredicate;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.spi.SqlAstCreationContext;
import org.hibernate.sql.ast.tree.MutationStatement;
import org.hibernate.sql.ast.tree.Statement;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.hibernate.sql.ast.tree.expression.JdbcParameter;
import org.hibernate.sql.ast.tree.expression.SelfRenderingExpression;
import org.hibernate.sql.ast.tree.predicate.ComparisonPredicate;
import org.hibernate.sql.ast.tree.predicate.InListPredicate;
import org.hibernate.sql.ast.tree.predicate.Predicate;
import org.hibernate.sql.ast.tree.select.SelectStatement;
import org.jspecify.annotations.Nullable;

/**
 * Translates HQL and criteria to SQL as Hibernate does, but compares documents as wholes, and not
 * what stands of them in the row. It is used unless the application names a translator of its own
 * in the setting {@code hibernate.query.sqm.translator}.
 *
 * <p>For any threads.
 */
public final class DocumentComparisons implements SqmTranslatorFactory {
  /** Creates the factory; Hibernate does. */
  public DocumentComparisons() {}

  @Override
  public SqmTranslator<SelectStatement> createSelectTranslator(
      SqmSelectStatement<?> statement,
      QueryOptions options,
      DomainParameterXref parameters,
      QueryParameterBindings bindings,
      LoadQueryInfluencers influencers,
      SqlAstCreationContext context,
      boolean deduplicateSelectionItems) {
    return new Translator<>(
        statement, options, parameters, bindings, influencers, context, deduplicateSelectionItems);
  }

  @Override
  public SqmTranslator<? extends MutationStatement> createMutationTranslator(
      SqmDmlStatement<?> statement,
      QueryOptions options,
      DomainParameterXref parameters,
      QueryParameterBindings bindings,
      LoadQueryInfluencers influencers,
      SqlAstCreationContext context) {
    return new Translator<MutationStatement>(
        statement, options, parameters, bindings, influencers, context, false);
  }

  private static final class Translator<T extends Statement> extends StandardSqmTranslator<T> {
    Translator(
        SqmStatement<?> statement,
        QueryOptions options,
        DomainParameterXref parameters,
        QueryParameterBindings bindings,
        LoadQueryInfluencers influencers,
        SqlAstCreationContext context,
        boolean deduplicateSelectionItems) {
      super(
          statement,
          options,
          parameters,
          bindings,
          influencers,
          context,
          deduplicateSelectionItems);
    }

    @Override
    public ComparisonPredicate visitComparisonPredicate(SqmComparisonPredicate predicate) {
      ComparisonPredicate made = super.visitComparisonPredicate(predicate);
      Expression left = whole(made.getLeftHandExpression());
      Expression right = whole(made.getRightHandExpression());
      return left == made.getLeftHandExpression() && right == made.getRightHandExpression()
          ? made
          : new ComparisonPredicate(left, made.getOperator(), right, made.getExpressionType());
    }

    @Override
    public Predicate visitInListPredicate(SqmInListPredicate<?> predicate) {
      Predicate made = super.visitInListPredicate(predicate);
      if (!(made instanceof InListPredicate in)) {
        return made;
      }
      Expression test = whole(in.getTestExpression());
      List<Expression> list = in.getListExpressions();
      list.replaceAll(Translator::whole);
      return test == in.getTestExpression()
          ? in
          : new InListPredicate(test, list, in.isNegated(), in.getExpressionType());
    }

    private static Expression whole(Expression side) {
      DocumentJdbcType document = Document.type(side);
      return document != null
              && document.holdsStubs()
              && !(side instanceof SqmParameterInterpretation)
              && !(side instanceof JdbcParameter)
          ? new Whole(side)
          : side;
    }
  }

  /** The whole document of a column. */
  private record Whole(Expression column) implements SelfRenderingExpression {
    @Override
    public void renderToSql(
        SqlAppender sql, SqlAstTranslator<?> walker, SessionFactoryImplementor factory) {
      sql.append("pgtoaster.expand(");
      column.accept(walker);
      sql.append(")");
    }

    @Override
    public @Nullable JdbcMappingContainer getExpressionType() {
      return column.getExpressionType();
    }
  }
}
