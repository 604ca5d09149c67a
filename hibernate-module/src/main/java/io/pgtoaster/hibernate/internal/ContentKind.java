package io.pgtoaster.hibernate.internal;

import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.jsonb.JsonIndex;
import io.pgtoaster.spi.AttachedColumn;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores the values of one kind of attribute. Hibernate selects the column and inserts the value
 * that the kind has prepared; it never updates the column. Changes are written by path, or after
 * Hibernate has executed its own statements of the flush. Implementations are immutable.
 */
public interface ContentKind {
  /**
   * Returns the options for attaching the column.
   *
   * @return its toaster and options
   */
  ToasterOptions options();

  /**
   * Returns the search indexes of the column.
   *
   * @return the indexes to create
   */
  default List<JsonIndex> indexes() {
    return List.of();
  }

  /**
   * Rejects a column that does not fit the mapping.
   *
   * @param attribute attribute of the column
   * @param column looks up the column on demand; returns null if that is not possible at that time
   * @throws org.hibernate.MappingException if the column does not fit
   */
  default void check(ContentAttribute attribute, Supplier<@Nullable AttachedColumn> column) {}

  /**
   * Binds a value to its owner.
   *
   * @param slot attribute of a managed entity
   * @param value value of the attribute, not null
   */
  default void bind(Slot slot, Object value) {}

  /**
   * Converts a value that was read into the value of a loaded entity.
   *
   * @param slot attribute of a managed entity
   * @param value value as read, not null; the query cache may share it
   * @return the value to store in the entity, bound
   */
  default Object loaded(Slot slot, Object value) {
    bind(slot, value);
    return value;
  }

  /**
   * Converts a value assigned to an entity, which may belong to another entity.
   *
   * @param slot attribute of the entity, whose key may not be known yet
   * @param value value of the attribute, not null
   * @return the value to store in the entity
   */
  default Object given(Slot slot, Object value) {
    return value;
  }

  /**
   * Finds the changes to write. Called once per flush and entity, so it must be cheap, and again
   * after callbacks that may change content.
   *
   * @param slot attribute of an entity whose row exists
   * @param loaded value when the attribute was loaded or last written; any object if it is not
   *     known
   * @param now current value
   * @return writes the change, in the same flush; null if there is nothing to write
   */
  @Nullable Runnable change(Slot slot, @Nullable Object loaded, @Nullable Object now);

  /**
   * Accepts a value that was assigned to an entity and has the same content as the loaded one.
   *
   * @param slot attribute of the entity
   * @param value current value
   */
  default void unchanged(Slot slot, Object value) {}

  /**
   * Prepares a value for the INSERT of its row.
   *
   * @param slot attribute of an entity about to be inserted, whose key may not be known yet
   * @param value value of the attribute, not null
   */
  void beforeInsert(Slot slot, Object value);

  /**
   * Prepares a value for an upsert of its row, which may exist already.
   *
   * @param slot attribute of an entity about to be inserted or updated
   * @param value value of the attribute, not null
   */
  void beforeUpsert(Slot slot, Object value);

  /**
   * Binds a value whose row has been inserted, or was inserted or updated by an upsert.
   *
   * @param slot attribute of the entity
   * @param value value of the attribute, not null
   * @return writes the content that the INSERT did not contain; null if it contained everything
   */
  default @Nullable Runnable inserted(Slot slot, Object value) {
    bind(slot, value);
    return change(slot, value, value);
  }

  /**
   * Returns the old value for update listeners.
   *
   * @param slot attribute of the entity
   * @param loaded previous value, which may be the same object
   * @param now current value
   * @return the old value; null if it is not known
   */
  default @Nullable Object before(Slot slot, @Nullable Object loaded, @Nullable Object now) {
    return loaded == now ? null : loaded;
  }

  /**
   * Returns whether writing a change counts as an update of its entity. An update notifies
   * listeners and increments the version, unless the mapping excludes the attribute from optimistic
   * locking.
   *
   * @param now current value
   * @return true if so
   */
  default boolean isUpdate(@Nullable Object now) {
    return true;
  }
}
