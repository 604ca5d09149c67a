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
   * @param attribute attribute of the owner
   * @param owner a managed entity
   * @param value value of the attribute, not null
   */
  default void bind(ContentAttribute attribute, Owner owner, Object value) {}

  /**
   * Converts a value that was read into the value of a loaded entity.
   *
   * @param attribute attribute of the owner
   * @param owner a managed entity
   * @param value value as read, not null; the query cache may share it
   * @return the value to store in the entity, bound
   */
  default Object loaded(ContentAttribute attribute, Owner owner, Object value) {
    bind(attribute, owner, value);
    return value;
  }

  /**
   * Converts a value assigned to an entity, which may belong to another entity.
   *
   * @param attribute attribute of the owner
   * @param owner entity with the attribute; its key may not be known yet
   * @param value value of the attribute, not null
   * @return the value to store in the entity
   */
  default Object given(ContentAttribute attribute, Owner owner, Object value) {
    return value;
  }

  /**
   * Finds the changes to write. Called once per flush and entity, so it must be cheap, and again
   * after callbacks that may change content.
   *
   * @param attribute attribute of the owner
   * @param owner owner of the row, which exists
   * @param loaded value when the attribute was loaded or last written; any object if it is not
   *     known
   * @param now current value
   * @return writes the change, in the same flush; null if there is nothing to write
   */
  @Nullable Runnable change(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now);

  /**
   * Accepts a value that was assigned to an entity and has the same content as the loaded one.
   *
   * @param attribute attribute of the owner
   * @param owner owner of the row
   * @param value current value
   */
  default void unchanged(ContentAttribute attribute, Owner owner, Object value) {}

  /**
   * Prepares a value for the INSERT of its row.
   *
   * @param attribute attribute of the owner
   * @param owner entity about to be inserted; its key may not be known yet
   * @param value value of the attribute, not null
   */
  void beforeInsert(ContentAttribute attribute, Owner owner, Object value);

  /**
   * Prepares a value for an upsert of its row, which may exist already.
   *
   * @param attribute attribute of the owner
   * @param owner entity about to be inserted or updated
   * @param value value of the attribute, not null
   */
  default void beforeUpsert(ContentAttribute attribute, Owner owner, Object value) {
    beforeInsert(attribute, owner, value);
  }

  /**
   * Binds a value whose row has been inserted, or was inserted or updated by an upsert.
   *
   * @param attribute attribute of the owner
   * @param owner owner of the row
   * @param value value of the attribute, not null
   * @return writes the content that the INSERT did not contain; null if it contained everything
   */
  default @Nullable Runnable inserted(ContentAttribute attribute, Owner owner, Object value) {
    bind(attribute, owner, value);
    return change(attribute, owner, value, value);
  }

  /**
   * Returns the old value for update listeners.
   *
   * @param attribute attribute of the owner
   * @param owner the entity
   * @param loaded previous value, which may be the same object
   * @param now current value
   * @return the old value; null if it is not known
   */
  @Nullable Object before(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now);

  /**
   * Returns whether writing a change counts as an update of its entity. An update notifies
   * listeners and increments the version, unless the mapping excludes the attribute from optimistic
   * locking.
   *
   * @param attribute attribute of the owner
   * @param loaded previous value
   * @param now current value
   * @return true if so
   */
  boolean isUpdate(ContentAttribute attribute, @Nullable Object loaded, @Nullable Object now);
}
