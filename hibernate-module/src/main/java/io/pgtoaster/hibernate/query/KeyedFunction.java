package io.pgtoaster.hibernate.query;

import io.pgtoaster.hibernate.query.PathSql.Access;
import java.util.List;
import java.util.Locale;
import org.hibernate.metamodel.model.domain.ReturnableType;
import org.hibernate.query.sqm.function.AbstractSqmSelfRenderingFunctionDescriptor;
import org.hibernate.query.sqm.function.SelfRenderingFunctionSqlAstExpression;
import org.hibernate.query.sqm.produce.function.ArgumentsValidator;
import org.hibernate.query.sqm.produce.function.StandardArgumentsValidators;
import org.hibernate.query.sqm.produce.function.StandardFunctionReturnTypeResolvers;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.type.BasicType;

/** A function whose first argument is a document. */
final class KeyedFunction extends AbstractSqmSelfRenderingFunctionDescriptor {
  private final Kind kind;

  /** The kinds of functions. */
  enum Kind {
    /** Takes a path step by step. */
    AT,
    TEXT,
    NUMBER,
    BOOLEAN,
    GET,
    EXISTS,
    CONTAINS,
    MATCHES;

    String functionName() {
      return "keyed_" + name().toLowerCase(Locale.ROOT);
    }

    private ArgumentsValidator arguments() {
      return switch (this) {
        case AT -> StandardArgumentsValidators.min(2);
        case CONTAINS, MATCHES -> StandardArgumentsValidators.exactly(2);
        default ->
            new Arguments(
                StandardArgumentsValidators.exactly(2),
                false,
                true,
                "(DOCUMENT document, STRING path)");
      };
    }
  }

  KeyedFunction(Kind kind, BasicType<?> result) {
    super(
        kind.functionName(),
        kind.arguments(),
        StandardFunctionReturnTypeResolvers.invariant(result),
        null);
    this.kind = kind;
  }

  @Override
  public void render(
      SqlAppender sql,
      List<? extends SqlAstNode> arguments,
      ReturnableType<?> returnType,
      SqlAstTranslator<?> translator) {
    PathSql paths = new PathSql(sql, translator);
    SqlAstNode document = arguments.get(0);
    SqlAstNode second = arguments.get(1);
    switch (kind) {
      case AT -> paths.steps(document, arguments.subList(1, arguments.size()), Access.TEXT);
      case TEXT -> paths.path(document, second, Access.TEXT);
      case GET -> paths.path(document, second, Access.JSON);
      case NUMBER -> cast(sql, paths, document, second, "numeric");
      case BOOLEAN -> cast(sql, paths, document, second, "boolean");
      case EXISTS -> {
        sql.append("(");
        paths.path(document, second, Access.JSON);
        sql.append(" is not null)");
      }
      case CONTAINS -> ContainsSql.render(sql, translator, document, second);
      case MATCHES -> SearchSql.of(document, translator).render(sql, "matches", second, "text");
    }
  }

  /** Returns true if an expression is a path given step by step, as brackets produce it. */
  static boolean isPath(SqlAstNode expression) {
    return expression instanceof SelfRenderingFunctionSqlAstExpression<?> function
        && Kind.AT.functionName().equals(function.getFunctionName());
  }

  /** Writes the JSON at such a path, instead of its text. */
  static void renderJson(SqlAstNode path, PathSql paths) {
    var arguments = ((SelfRenderingFunctionSqlAstExpression<?>) path).getArguments();
    paths.steps(arguments.get(0), arguments.subList(1, arguments.size()), Access.JSON);
  }

  private static void cast(
      SqlAppender sql, PathSql paths, SqlAstNode document, SqlAstNode path, String type) {
    sql.append("cast(");
    paths.path(document, path, Access.TEXT);
    sql.append(" as " + type + ")");
  }
}
