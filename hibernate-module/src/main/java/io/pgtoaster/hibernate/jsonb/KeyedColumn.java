package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.jsonb.JsonOptions;
import io.pgtoaster.jsonb.keyed.KeyedToaster;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.AttributeBinderType;

/**
 * Maps an attribute to a {@code jsonb} column that is written by path. On an attribute of type
 * {@link KeyedJson} it is needed only to give options. On one of any other type, such as a class, a
 * record, a {@code Map<String, Object>} or a {@code JsonNode}, it makes pgtoaster compare the
 * object with what was loaded, and write what differs: a member or an element that has another
 * value, elements that were added at the end of an array, and so on. Members of the stored document
 * that the class does not know stay, but for those of array elements that move: where elements are
 * compared one by one they stay at their positions, and an array that is written as a whole loses
 * them. That happens if many elements differ, or if the class orders or chooses them in another way
 * than they are stored, as a {@code HashSet} does. {@code merge} of a detached entity merges such
 * an attribute as a whole. It is always loaded whole. Objects of records, and of classes with
 * {@link org.hibernate.annotations.Immutable}, are compared when the attribute was assigned another
 * one, all others in each flush.
 *
 * <p>Options of the store are those of a new column; a column that is attached keeps its own.
 */
@AttributeBinderType(binder = KeyedColumnBinder.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface KeyedColumn {
  /**
   * The toaster that a new column is attached to.
   *
   * @return its name: {@code keyed}, {@code default} for an ordinary column, or another installed
   *     one
   */
  String toaster() default KeyedToaster.NAME;

  /**
   * Bytes that the row may have before members are moved out of it.
   *
   * @return see {@link JsonOptions#withRowBudget}; 0 for the server's default
   */
  int rowBudget() default 0;

  /**
   * Bytes of a stored row of members that are out of line.
   *
   * @return see {@link JsonOptions#withLeafSize}; 0 for the server's default
   */
  int leafSize() default 0;

  /**
   * Stored rows that one stored row may lead to.
   *
   * @return see {@link JsonOptions#withFanOut}; 0 for the server's default
   */
  int fanOut() default 0;

  /**
   * Members that stay in the row, and so come with the entity. Queries ask the row alone for them:
   * the attached column must keep them all. To add one to a column that is attached, change its
   * option {@code keep_inline} by {@code pgtoaster.set_options} and compact it first.
   *
   * @return their paths
   */
  String[] keepInline() default {};

  /**
   * How stored rows are compressed.
   *
   * @return one method, or none for LZ4 where the server was built with it, else PGLZ
   */
  JsonOptions.Compression[] compression() default {};

  /**
   * What becomes of the row when only stored rows change.
   *
   * @return see {@link JsonOptions#withTouch}
   */
  JsonOptions.Touch touch() default JsonOptions.Touch.NONE;

  /**
   * What an UPDATE of the column by plain SQL is that leaves a split document as it was.
   *
   * @return see {@link JsonOptions#withUnchanged}
   */
  JsonOptions.Unchanged unchanged() default JsonOptions.Unchanged.WARNING;

  /**
   * Whether the store's tables are made in the schema of the entity's table, and not in {@code
   * pgtoaster}: for roles that did not install the catalog.
   *
   * @return true if so
   */
  boolean inOwnerSchema() default false;

  /**
   * Unique index that addresses rows instead of the primary key.
   *
   * @return its exact name; empty for the primary key
   */
  String keyIndex() default "";

  /**
   * Column of the row key that every table of the store carries, such as a tenant.
   *
   * @return its exact name; empty for none
   */
  String leadingKey() default "";

  /**
   * Entities for which one statement loads a member that is out of line: those of the session that
   * lack it, too.
   *
   * @return highest number; 1 loads each by a statement of its own
   */
  int batchSize() default 100;

  /**
   * What happens where another transaction has changed what is about to be overwritten.
   *
   * @return how paths that were read are written
   */
  Conflicts conflicts() default Conflicts.DETECT;
}
