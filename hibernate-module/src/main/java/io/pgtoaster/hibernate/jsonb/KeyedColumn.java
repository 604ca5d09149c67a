package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.Compression;
import io.pgtoaster.jsonb.JsonOptions;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.AttributeBinderType;

/**
 * Maps an attribute to a {@code jsonb} column that is written by path. An attribute of type {@link
 * KeyedJson} needs the annotation only for options. On any other type of attribute, such as a
 * class, a record, a {@code Map<String, Object>} or a {@code JsonNode}, it makes pgtoaster compare
 * the object with the loaded one and write only the differences. A difference is, for example, a
 * member or an element with another value, or elements that were added at the end of an array.
 *
 * <p>Members of the stored document that the class does not know are kept, except in array elements
 * that move. If elements are compared one by one, such members stay at their positions. If an array
 * is written as a whole, it loses them. That happens if many elements differ, or if the class
 * reorders or selects the stored elements, as a {@code HashSet} does.
 *
 * <p>{@code merge} of a detached entity merges such an attribute as a whole. The attribute is
 * always loaded as a whole. Records, and objects of classes with {@link
 * org.hibernate.annotations.Immutable}, are compared only if the attribute was assigned another
 * object. All others are compared in each flush.
 *
 * <p>Store options apply to new columns; a column that is already attached keeps its own.
 */
@AttributeBinderType(binder = KeyedColumnBinder.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface KeyedColumn {
  /**
   * Returns the toaster for attaching a new column.
   *
   * @return its name: {@code keyed}, {@code default} for an ordinary column, or another installed
   *     one
   */
  String toaster() default JsonOptions.TOASTER;

  /**
   * Returns how many bytes the row may reach before members are moved out of it.
   *
   * @return see {@link JsonOptions#withRowBudget}; 0 for the server's default
   */
  int rowBudget() default 0;

  /**
   * Returns the size of a stored row of out-of-line members, in bytes.
   *
   * @return see {@link JsonOptions#withLeafSize}; 0 for the server's default
   */
  int leafSize() default 0;

  /**
   * Returns the maximum number of children of a stored row.
   *
   * @return see {@link JsonOptions#withFanOut}; 0 for the server's default
   */
  int fanOut() default 0;

  /**
   * Returns members that stay in the row, and are therefore loaded with the entity. Queries read
   * them from the row alone, so the attached column must keep all of them. To add one to an
   * attached column, first change the column's option {@code keep_inline} with {@code
   * pgtoaster.set_options} and compact the column.
   *
   * @return their paths
   */
  String[] keepInline() default {};

  /**
   * Returns the compression of stored rows.
   *
   * @return one method, or none for LZ4 if the server was built with it, else PGLZ
   */
  Compression[] compression() default {};

  /**
   * Returns the treatment of the row when only stored rows change.
   *
   * @return see {@link JsonOptions#withTouch}
   */
  JsonOptions.Touch touch() default JsonOptions.Touch.NONE;

  /**
   * Returns the treatment of an UPDATE of the column in plain SQL that leaves a split document
   * unchanged.
   *
   * @return see {@link JsonOptions#withUnchanged}
   */
  JsonOptions.Unchanged unchanged() default JsonOptions.Unchanged.WARNING;

  /**
   * Returns whether the store's tables are created in the schema of the entity's table instead of
   * {@code pgtoaster}. Use it for roles that did not install the catalog.
   *
   * @return true if so
   */
  boolean inOwnerSchema() default false;

  /**
   * Returns the unique index that addresses rows instead of the primary key.
   *
   * @return its exact name; empty for the primary key
   */
  String keyIndex() default "";

  /**
   * Returns the column of the row key that is part of every table of the store, such as a tenant.
   *
   * @return its exact name; empty for none
   */
  String leadingKey() default "";

  /**
   * Returns whether the schema has a search index for containment. {@code keyed_contains} then uses
   * it.
   *
   * @return true to create the index when the column is attached
   */
  boolean containmentIndex() default false;

  /**
   * Returns the text search configuration of a search index for words, which {@code keyed_matches}
   * uses.
   *
   * @return such as {@code english}; empty to create no such index
   */
  String textIndex() default "";

  /**
   * Returns the maximum number of the session's entities for which one statement loads a missing
   * out-of-line member.
   *
   * @return maximum number; with 1, each entity needs a separate statement
   */
  int batchSize() default 100;

  /**
   * Returns what to do if another transaction has changed a value that is about to be overwritten.
   *
   * @return how paths that were read are written
   */
  Conflicts conflicts() default Conflicts.DETECT;
}
