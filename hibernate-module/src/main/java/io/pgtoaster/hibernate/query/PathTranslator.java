package io.pgtoaster.hibernate.query;

import io.pgtoaster.hibernate.internal.Contents;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.hibernate.QueryException;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.grammars.hql.HqlLexer;
import org.hibernate.grammars.hql.HqlParser;
import org.hibernate.query.hql.HqlTranslator;
import org.hibernate.query.hql.internal.HqlParseTreeBuilder;
import org.hibernate.query.hql.internal.StandardHqlTranslator;
import org.hibernate.query.sqm.internal.SqmCreationOptionsStandard;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.jspecify.annotations.Nullable;

/**
 * Translates HQL as Hibernate does, and supports paths into documents: {@code
 * p.profile['roles'][0].title}, also on the left of an assignment. Active unless the application
 * sets its own translator in {@code hibernate.query.hql.translator}.
 *
 * <p>Thread-safe.
 */
public final class PathTranslator implements HqlTranslator {
  private volatile @Nullable SessionFactoryImplementor factory;

  /** Creates a translator that is bound to its session factory later. Called by Hibernate. */
  public PathTranslator() {}

  /**
   * Binds query translation to a session factory that is being built.
   *
   * @param factory the factory; it may have another translator
   */
  public static void integrate(SessionFactoryImplementor factory) {
    if (factory.getSessionFactoryOptions().getCustomHqlTranslator()
        instanceof PathTranslator translator) {
      translator.factory = factory;
    }
    // The dialect registers its functions after all contributors. HQL that is translated before the
    // factory is complete, to validate named queries, passes through the translator.
    factory.addObserver(
        new SessionFactoryObserver() {
          private static final long serialVersionUID = 1;

          @Override
          public void sessionFactoryCreated(SessionFactory created) {
            BlobOrElse.install(factory);
          }
        });
  }

  @Override
  public <R> SqmStatement<R> translate(String query, @Nullable Class<R> resultType) {
    SessionFactoryImplementor owner = factory;
    if (owner == null) {
      throw new IllegalStateException(
          "pgtoaster was not integrated into this session factory; do not disable its Integrator");
    }
    BlobOrElse.install(owner);
    var options = new SqmCreationOptionsStandard(owner.getSessionFactoryOptions());
    var context = owner.getQueryEngine().getCriteriaBuilder();
    HqlTranslator standard = new StandardHqlTranslator(context, options);
    String edits = query.indexOf('[') < 0 ? query : PathAssignments.rewritten(query);
    HqlParser.StatementContext tree = query.indexOf('[') < 0 ? null : parse(edits);
    if (tree == null) {
      return standard.translate(query, resultType);
    }
    PathQueryBuilder<R> builder =
        new PathQueryBuilder<>(resultType, options, context, query, Contents.of(owner));
    try {
      return builder.visitStatement(tree);
    } catch (QueryException e) {
      throw e;
    } catch (RuntimeException e) {
      if (!edits.equals(query)) {
        throw e;
      }
      // Hibernate reports the error in the query, or accepts the query.
      return standard.translate(query, resultType);
    }
  }

  /** Returns the parse tree, or null if the query is not valid HQL. */
  private static HqlParser.@Nullable StatementContext parse(String query) {
    HqlParseTreeBuilder trees = HqlParseTreeBuilder.INSTANCE;
    String apart = separated(query);
    HqlParser parser = trees.buildHqlParser(apart, trees.buildHqlLexer(apart));
    parser.removeErrorListeners();
    parser.setErrorHandler(new BailErrorStrategy());
    try {
      return parser.statement();
    } catch (ParseCancellationException e) {
      return null;
    }
  }

  /** Inserts a separator member between adjacent brackets, which HQL's grammar does not allow. */
  private static String separated(String query) {
    StringBuilder text = new StringBuilder();
    int copied = 0;
    int before = Token.EOF;
    for (Token token : PathAssignments.tokens(query)) {
      if (token.getType() == HqlLexer.LEFT_BRACKET && before == HqlLexer.RIGHT_BRACKET) {
        int at = query.offsetByCodePoints(0, token.getStartIndex());
        text.append(query, copied, at).append('.').append(KeyedPath.NEXT);
        copied = at;
      }
      before = token.getType();
    }
    return text.append(query, copied, query.length()).toString();
  }
}
