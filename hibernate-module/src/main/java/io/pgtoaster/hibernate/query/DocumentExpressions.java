package io.pgtoaster.hibernate.query;

import io.pgtoaster.hibernate.query.KeyedFunction.Kind;
import jakarta.persistence.criteria.Expression;
import jakarta.persistence.criteria.Predicate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.hibernate.query.spi.QueryEngine;
import org.hibernate.query.sqm.internal.SqmCriteriaNodeBuilder;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.ValueBindJpaCriteriaParameter;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Paths into documents for the Criteria API, and therefore for Spring Data Specifications: in
 * conditions, selections, ORDER BY and GROUP BY, and in the SET clause of an update.
 *
 * <p>A document is an attribute that is a {@link io.pgtoaster.hibernate.jsonb.KeyedJson} or has a
 * {@link io.pgtoaster.hibernate.jsonb.KeyedColumn}: {@code root.get("notes")}. Paths use the syntax
 * of {@link io.pgtoaster.column.DocumentPath#parse}. Stateless.
 */
public final class DocumentExpressions {
  /** Types to which PostgreSQL can cast the text of a value. */
  private static final List<Class<?>> CAST =
      List.of(
          Short.class,
          Integer.class,
          Long.class,
          BigInteger.class,
          Float.class,
          Double.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetDateTime.class,
          Instant.class,
          UUID.class);

  private DocumentExpressions() {}

  /**
   * Returns an expression for the value at a path. It is NULL if the value is missing or a JSON
   * null.
   *
   * @param document the attribute
   * @param path such as {@code roles[0].title}
   * @param type {@link String} for text, which is JSON if the value is not a string; {@link
   *     Boolean}, {@link BigDecimal} or another numeric class, {@link LocalDate} and similar,
   *     {@link UUID}, or {@link JsonNode}. The query fails on a value that cannot be converted to
   *     the type, such as 1.5 for an {@link Integer}
   * @param <T> the type
   * @return an expression of that type
   * @throws IllegalArgumentException if the type is not supported
   * @throws org.hibernate.query.SemanticException if the path is invalid
   */
  @SuppressWarnings("unchecked") // the functions return these types
  public static <T> Expression<T> get(Expression<?> document, String path, Class<T> type) {
    if (type == String.class) {
      return (Expression<T>) at(Kind.TEXT, document, path);
    }
    if (type == Boolean.class) {
      return (Expression<T>) at(Kind.BOOLEAN, document, path);
    }
    if (type == BigDecimal.class) {
      return (Expression<T>) at(Kind.NUMBER, document, path);
    }
    if (type == JsonNode.class) {
      return (Expression<T>) at(Kind.GET, document, path);
    }
    if (!CAST.contains(type)) {
      throw new IllegalArgumentException(
          "a path of a query cannot have the type "
              + type.getName()
              + "; use String, Boolean, BigDecimal, JsonNode or one of "
              + CAST.stream().map(Class::getSimpleName).toList());
    }
    return at(Kind.TEXT, document, path).cast(type);
  }

  /**
   * Returns a condition that is true if there is a value at a path, including a JSON null.
   *
   * @param document the attribute
   * @param path such as {@code roles[0]}
   * @return a condition
   * @throws org.hibernate.query.SemanticException if the path is invalid
   */
  public static Predicate exists(Expression<?> document, String path) {
    return isTrue(at(Kind.EXISTS, document, path));
  }

  /**
   * Returns a condition that is true if a document contains another, like {@code @>} of {@code
   * jsonb}.
   *
   * @param document the attribute
   * @param part a value of any class that is mapped to JSON, such as {@code Map.of("artist",
   *     "Ada")}
   * @return a condition
   */
  public static Predicate contains(Expression<?> document, Object part) {
    return isTrue(function(Kind.CONTAINS.functionName(), document, value(document, part)));
  }

  /**
   * Returns a condition that is true if a document contains words. Uses the text index of the
   * column.
   *
   * @param document the attribute
   * @param words as {@code websearch_to_tsquery} reads them: all words, {@code "a phrase"}, {@code
   *     or}, {@code -not}
   * @return a condition; the query fails if the column has no text index
   */
  public static Predicate matches(Expression<?> document, String words) {
    return isTrue(
        function(
            Kind.MATCHES.functionName(),
            document,
            new ValueBindJpaCriteriaParameter<>(
                nodes(document).getTypeConfiguration().getBasicTypeForJavaType(String.class),
                words,
                nodes(document))));
  }

  /**
   * Returns the document with a value set at a path, for {@code update.set(root.get("notes"),
   * set(...))}. As in SQL, nothing changes if the path does not exist; only its last member may be
   * missing.
   *
   * @param document the attribute that is updated
   * @param path such as {@code roles[0].title}
   * @param value a value of any class that is mapped to JSON, or an {@link Expression}; null stores
   *     a JSON null
   * @param <D> type of the attribute
   * @return an expression for the same attribute of an update
   * @throws org.hibernate.query.SemanticException if the path is invalid
   */
  public static <D> Expression<D> set(Expression<D> document, String path, @Nullable Object value) {
    return edited(
        KeyedEdit.Kind.SET, document, nodes(document).literal(path), value(document, value));
  }

  /**
   * Returns the document without the value at a path, for {@code update.set(root.get("notes"),
   * remove(...))}.
   *
   * @param document the attribute that is updated
   * @param path such as {@code roles[0]}
   * @param <D> type of the attribute
   * @return an expression for the same attribute of an update
   * @throws org.hibernate.query.SemanticException if the path is invalid
   */
  public static <D> Expression<D> remove(Expression<D> document, String path) {
    return edited(KeyedEdit.Kind.REMOVE, document, nodes(document).literal(path));
  }

  @SuppressWarnings("unchecked") // an edit does not change the document's type
  private static <D> Expression<D> edited(
      KeyedEdit.Kind kind, Expression<D> document, Expression<?>... rest) {
    return (Expression<D>) function(kind.functionName(), document, rest);
  }

  @SuppressWarnings("unchecked") // the function returns this type
  private static Predicate isTrue(SqmExpression<?> truth) {
    return truth.nodeBuilder().isTrue((Expression<Boolean>) truth);
  }

  private static SqmExpression<?> at(Kind function, Expression<?> document, String path) {
    return function(function.functionName(), document, nodes(document).literal(path));
  }

  /** Calls one of our functions. {@code CriteriaBuilder.function} would not know its type. */
  private static SqmExpression<?> function(
      String name, Expression<?> document, Expression<?>... rest) {
    List<SqmExpression<?>> arguments = new ArrayList<>();
    arguments.add((SqmExpression<?>) document);
    for (Expression<?> argument : rest) {
      arguments.add((SqmExpression<?>) argument);
    }
    QueryEngine engine = nodes(document).getQueryEngine();
    return engine
        .getSqmFunctionRegistry()
        .getFunctionDescriptor(name)
        .generateSqmExpression(arguments, null, engine);
  }

  private static Expression<?> value(Expression<?> document, @Nullable Object value) {
    return value instanceof Expression<?> expression
        ? expression
        : new ValueBindJpaCriteriaParameter<>(QueryFunctions.VALUE, value, nodes(document));
  }

  private static SqmCriteriaNodeBuilder nodes(Expression<?> document) {
    return (SqmCriteriaNodeBuilder) ((SqmExpression<?>) document).nodeBuilder();
  }
}
