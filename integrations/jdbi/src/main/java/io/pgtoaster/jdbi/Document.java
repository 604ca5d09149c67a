package io.pgtoaster.jdbi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jdbi.v3.core.qualifier.Qualifier;

/**
 * Converts between a {@code jsonb} value and an object of your class, with Jackson. A {@code
 * String} is the JSON text. Use it on a parameter, on a field or component of a mapped class, or on
 * a method of an SQL object, where it applies to the result.
 *
 * <p>{@code JsonNode} is converted without this annotation.
 *
 * <pre>{@code
 * record Person(long id, @Document Profile doc) {}
 *
 * @SqlQuery("SELECT id, pgtoaster.expand(doc) AS doc FROM person WHERE id = :id")
 * Person find(long id);
 * }</pre>
 */
@Qualifier
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE})
public @interface Document {}
