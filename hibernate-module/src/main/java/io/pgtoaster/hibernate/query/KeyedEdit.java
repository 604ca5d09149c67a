package io.pgtoaster.hibernate.query;

import io.pgtoaster.hibernate.internal.SqlArrays;
import io.pgtoaster.hibernate.jsonb.AnyJavaType;
import io.pgtoaster.hibernate.jsonb.DocumentJdbcType;
import io.pgtoaster.internal.sql.Identifiers;
import java.util.List;
import java.util.Locale;
import org.hibernate.metamodel.mapping.MappingModelExpressible;
import org.hibernate.metamodel.model.domain.ReturnableType;
import org.hibernate.query.spi.QueryEngine;
import org.hibernate.query.sqm.function.AbstractSqmSelfRenderingFunctionDescriptor;
import org.hibernate.query.sqm.function.SelfRenderingSqmFunction;
import org.hibernate.query.sqm.produce.function.ArgumentsValidator;
import org.hibernate.query.sqm.produce.function.StandardArgumentsValidators;
import org.hibernate.query.sqm.produce.function.StandardFunctionReturnTypeResolvers;
import org.hibernate.query.sqm.produce.function.internal.AbstractFunctionArgumentTypeResolver;
import org.hibernate.query.sqm.sql.SqmToSqlAstConverter;
import org.hibernate.query.sqm.tree.SqmTypedNode;
import org.hibernate.query.sqm.tree.expression.AbstractSqmParameter;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.ast.tree.SqlAstNode;
import org.hibernate.sql.ast.tree.expression.Literal;
import org.hibernate.type.BasicType;
import org.jspecify.annotations.Nullable;

/**
 * A function that returns its first argument, a document, as edited. Used as the value for the
 * document's own column in the SET clause of an update.
 */
final class KeyedEdit extends AbstractSqmSelfRenderingFunctionDescriptor {
  private final Kind kind;
  private final BasicType<?> value;

  /**
   * The kinds of edits: each has a pgtoaster function in SQL and, for ordinary columns, a
   * PostgreSQL function.
   */
  enum Kind {
    SET("set", "jsonb_set"),
    /** The same as SET, but with the value before the steps. */
    SET_AT("set", "jsonb_set"),
    INSERT("insert", "jsonb_insert"),
    REMOVE("remove", "jsonb_delete_path"),
    APPEND("append", null),
    INCREMENT("increment", null);

    private final String function;
    private final @Nullable String stock;

    Kind(String function, @Nullable String stock) {
      this.function = "pgtoaster." + function;
      this.stock = stock == null ? null : "pg_catalog." + stock;
    }

    String functionName() {
      return "keyed_" + name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the position of the value among the arguments; for REMOVE, the position after the
     * last argument.
     */
    private int value() {
      return this == SET_AT ? 1 : 2;
    }

    private Arguments arguments() {
      return switch (this) {
        case SET_AT ->
            new Arguments(
                StandardArgumentsValidators.min(3),
                true,
                false,
                "(DOCUMENT document, JSON value, STRING step, ...)");
        case SET, INSERT, APPEND ->
            path(
                StandardArgumentsValidators.exactly(3),
                "(DOCUMENT document, STRING path, JSON value)");
        case INCREMENT ->
            path(
                StandardArgumentsValidators.between(2, 3),
                "(DOCUMENT document, STRING path[, NUMERIC delta])");
        case REMOVE ->
            path(StandardArgumentsValidators.exactly(2), "(DOCUMENT document, STRING path)");
      };
    }

    private static Arguments path(ArgumentsValidator count, String signature) {
      return new Arguments(count, true, true, signature);
    }
  }

  /**
   * Creates the function.
   *
   * @param value type of the value: JSON, or a number for INCREMENT
   */
  KeyedEdit(Kind kind, BasicType<?> value) {
    super(
        kind.functionName(),
        kind.arguments(),
        StandardFunctionReturnTypeResolvers.useArgType(1),
        new ValueType(kind.value(), value));
    this.kind = kind;
    this.value = value;
  }

  /** Provides the type of a value whose own type is unknown. */
  private record ValueType(int position, BasicType<?> type)
      implements AbstractFunctionArgumentTypeResolver {
    @Override
    public @Nullable MappingModelExpressible<?> resolveFunctionArgumentType(
        List<? extends SqmTypedNode<?>> arguments,
        int argumentIndex,
        SqmToSqlAstConverter converter) {
      return argumentIndex == position ? type : null;
    }
  }

  @Override
  protected <T> SelfRenderingSqmFunction<T> generateSqmFunctionExpression(
      List<? extends SqmTypedNode<?>> arguments,
      @Nullable ReturnableType<T> impliedResultType,
      QueryEngine queryEngine) {
    if (arguments.size() > kind.value()
        && arguments.get(kind.value()) instanceof AbstractSqmParameter<?> parameter) {
      // A list is a single value.
      parameter.disallowMultiValuedBinding();
      // Otherwise it would take the type of the bound value.
      parameter.applyInferableType(queryEngine.getCriteriaBuilder().resolveExpressible(value));
    }
    if (kind == Kind.SET_AT
        && arguments.get(2) instanceof AbstractSqmParameter<?> root
        && Arguments.holdsStubs(arguments.get(0))) {
      root.applyInferableType(
          queryEngine.getCriteriaBuilder().resolveExpressible(QueryFunctions.ROOT_STEP));
    }
    // The document keeps its type, whatever type a caller requests.
    return super.generateSqmFunctionExpression(arguments, null, queryEngine);
  }

  @Override
  public void render(
      SqlAppender sql,
      List<? extends SqlAstNode> arguments,
      @Nullable ReturnableType<?> returnType,
      SqlAstTranslator<?> translator) {
    PathSql paths = new PathSql(sql, translator);
    SqlAstNode document = arguments.get(0);
    boolean stock = !Document.settings(document, translator.getSessionFactory()).holdsStubs();
    sql.append(stock && kind.stock != null ? kind.stock : kind.function);
    sql.append("(");
    document.accept(translator);
    sql.append(",");
    if (kind == Kind.SET_AT) {
      paths.array(arguments.subList(2, arguments.size()));
    } else {
      sql.append(SqlArrays.literal(PathSql.literalSteps(arguments.get(1))));
    }
    if (arguments.size() > kind.value()) {
      SqlAstNode operand = arguments.get(kind.value());
      sql.append(",");
      if (kind == Kind.INCREMENT) {
        number(sql, operand, translator);
      } else {
        json(sql, operand, translator);
      }
    }
    sql.append(")");
  }

  /** Writes a number. NULL would make the whole document NULL, as a JSON value would. */
  private static void number(SqlAppender sql, SqlAstNode operand, SqlAstTranslator<?> translator) {
    sql.append("coalesce(cast(");
    operand.accept(translator);
    sql.append(" as numeric),0)");
  }

  private static void json(SqlAppender sql, SqlAstNode operand, SqlAstTranslator<?> translator) {
    if (operand instanceof Literal literal) {
      String text = AnyJavaType.json(literal.getLiteralValue(), translator.getSessionFactory());
      sql.append("cast(" + Identifiers.literal(text) + " as jsonb)");
      return;
    }
    sql.append("coalesce(");
    if (KeyedFunction.isPath(operand)) {
      KeyedFunction.renderJson(operand, new PathSql(sql, translator));
    } else {
      DocumentJdbcType type = Document.type(operand);
      sql.append(
          type == null
              ? "pg_catalog.to_jsonb("
              : type.holdsStubs() ? "pgtoaster.expand(" : "cast(");
      operand.accept(translator);
      sql.append(type == null || type.holdsStubs() ? ")" : " as jsonb)");
    }
    sql.append(",'null')");
  }
}
