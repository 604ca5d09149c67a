package io.pgtoaster.hibernate.query;

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
 * Paths into documents for the Criteria API, and so for Specifications of Spring Data: in
 * conditions, selections, ORDER BY and GROUP BY, and in the SET clause of an update.
 *
 * <p>A document is an attribute that is a {@link io.pgtoaster.hibernate.jsonb.KeyedJson} or has a
 * {@link io.pgtoaster.hibernate.jsonb.KeyedColumn}: {@code root.get("notes")}. A path is written as
 * {@link io.pgtoaster.jsonb.DocumentPath#parse} reads it. Stateless.
 */
public final class DocumentExpressions {
  /** What PostgreSQL makes of the text of a value, by a cast. */
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
   * The value at a path; NULL where nothing is there or a JSON null.
   *
   * @param document the attribute
   * @param path such as {@code roles[0].title}
   * @param type {@link String} for text, of what is no string its JSON; {@link Boolean}, {@link
   *     BigDecimal} or another class of numbers, {@link LocalDate} and the like, {@link UUID}, or
   *     {@link JsonNode}. A query fails that meets a value that is none of the type, such as 1.5
   *     for an {@link Integer}
   * @param <T> the type
   * @return an expression of that type
   * @throws IllegalArgumentException if the type is another
   * @throws org.hibernate.query.SemanticException if the path is none
   */
  @SuppressWarnings("unchecked") // the functions give these types
  public static <T> Expression<T> get(Expression<?> document, String path, Class<T> type) {
    if (type == String.class) {
      return (Expression<T>) at(QueryFunctions.TEXT, document, path);
    }
    if (type == Boolean.class) {
      return (Expression<T>) at(QueryFunctions.BOOLEAN, document, path);
    }
    if (type == BigDecimal.class) {
      return (Expression<T>) at(QueryFunctions.NUMBER, document, path);
    }
    if (type == JsonNode.class) {
      return (Expression<T>) at(QueryFunctions.GET, document, path);
    }
    if (!CAST.contains(type)) {
      throw new IllegalArgumentException(
          "a path of a query cannot be of "
              + type.getName()
              + "; take String, Boolean, BigDecimal, JsonNode or one of "
              + CAST.stream().map(Class::getSimpleName).toList());
    }
    return at(QueryFunctions.TEXT, document, path).cast(type);
  }

  /**
   * Whether something is at a path, be it a JSON null.
   *
   * @param document the attribute
   * @param path such as {@code roles[0]}
   * @return a condition
   * @throws org.hibernate.query.SemanticException if the path is none
   */
  public static Predicate exists(Expression<?> document, String path) {
    return isTrue(at(QueryFunctions.EXISTS, document, path));
  }

  /**
   * Whether a document contains another, as {@code @>} of {@code jsonb} has it.
   *
   * @param document the attribute
   * @param part of any class that is mapped as JSON, such as {@code Map.of("artist", "Ada")}
   * @return a condition
   */
  public static Predicate contains(Expression<?> document, Object part) {
    return isTrue(function(QueryFunctions.CONTAINS, document, value(document, part)));
  }

  /**
   * The document with a value at a path, for {@code update.set(root.get("notes"), set(...))}. As in
   * SQL nothing changes where the path leads nowhere; only its last member may be missing.
   *
   * @param document the attribute that is updated
   * @param path such as {@code roles[0].title}
   * @param value of any class that is mapped as JSON, or an {@link Expression}; null stores a JSON
   *     null
   * @param <D> type of the attribute
   * @return an expression for the same attribute of an update
   * @throws org.hibernate.query.SemanticException if the path is none
   */
  public static <D> Expression<D> set(Expression<D> document, String path, @Nullable Object value) {
    return edited(
        KeyedEdit.Kind.SET, document, nodes(document).literal(path), value(document, value));
  }

  /**
   * The document without what is at a path, for {@code update.set(root.get("notes"), remove(...))}.
   *
   * @param document the attribute that is updated
   * @param path such as {@code roles[0]}
   * @param <D> type of the attribute
   * @return an expression for the same attribute of an update
   * @throws org.hibernate.query.SemanticException if the path is none
   */
  public static <D> Expression<D> remove(Expression<D> document, String path) {
    return edited(KeyedEdit.Kind.REMOVE, document, nodes(document).literal(path));
  }

  @SuppressWarnings("unchecked") // an edited document has the type of the document
  private static <D> Expression<D> edited(
      KeyedEdit.Kind kind, Expression<D> document, Expression<?>... rest) {
    return (Expression<D>) function(QueryFunctions.nameOf(kind), document, rest);
  }

  @SuppressWarnings("unchecked") // the function is one that gives it
  private static Predicate isTrue(SqmExpression<?> truth) {
    return truth.nodeBuilder().isTrue((Expression<Boolean>) truth);
  }

  private static SqmExpression<?> at(String function, Expression<?> document, String path) {
    return function(function, document, nodes(document).literal(path));
  }

  /** A call of one of our functions: {@code CriteriaBuilder.function} would not know its type. */
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
