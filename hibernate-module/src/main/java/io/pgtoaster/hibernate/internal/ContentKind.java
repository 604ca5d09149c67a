package io.pgtoaster.hibernate.internal;

import io.pgtoaster.column.AttachedColumn;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the values of one kind of attribute get into the database. Hibernate selects their column,
 * and inserts what the kind has prepared; it never updates it. What has changed is written by path
 * or at the end, when Hibernate has carried out its own statements of the flush. Implementations
 * are immutable.
 */
public interface ContentKind {
  /**
   * Refuses a column with which what the mapping says cannot work.
   *
   * @param attribute of the column
   * @param column looks it up, if that is needed; null if it cannot be looked up now
   * @throws org.hibernate.MappingException if the column does not fit
   */
  default void check(ContentAttribute attribute, Supplier<@Nullable AttachedColumn> column) {}

  /**
   * Binds a value to its owner.
   *
   * @param attribute of the owner
   * @param owner a managed entity
   * @param value of the attribute, not null
   */
  void bind(ContentAttribute attribute, Owner owner, Object value);

  /**
   * Makes the value of a loaded entity of what was read.
   *
   * @param attribute of the owner
   * @param owner a managed entity
   * @param value as it was read, not null; perhaps shared by what the query cache holds
   * @return the value that the entity gets, bound
   */
  default Object loaded(ContentAttribute attribute, Owner owner, Object value) {
    bind(attribute, owner, value);
    return value;
  }

  /**
   * Makes the value of an entity of one that was given to it, which may belong to another.
   *
   * @param attribute of the owner
   * @param owner whose attribute has it; its key may not be known yet
   * @param value of the attribute, not null
   * @return the value that the entity gets
   */
  default Object given(ContentAttribute attribute, Owner owner, Object value) {
    return value;
  }

  /**
   * Tells whether something is to be written. Called once per flush and entity, so it must be
   * cheap.
   *
   * @param attribute of the owner
   * @param loaded what the attribute had when it was loaded or last written
   * @param now what it has
   * @return whether {@link #write} has something to do
   */
  boolean isChanged(ContentAttribute attribute, @Nullable Object loaded, @Nullable Object now);

  /**
   * Tells whether something is to be written, for kinds that keep what they need for that with the
   * owner.
   *
   * @param attribute of the owner
   * @param owner whose attribute it is
   * @param loaded what the attribute had when it was loaded or last written
   * @param now what it has
   * @return whether {@link #write} has something to do
   */
  default boolean isChanged(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now) {
    return isChanged(attribute, loaded, now);
  }

  /**
   * Prepares a value for the INSERT of its row.
   *
   * @param attribute of the owner
   * @param owner about to be inserted; its key may not be known yet
   * @param value of the attribute, not null
   */
  void beforeInsert(ContentAttribute attribute, Owner owner, Object value);

  /**
   * Prepares a value for an upsert of its row, which may be there already.
   *
   * @param attribute of the owner
   * @param owner about to be inserted or updated
   * @param value of the attribute, not null
   */
  default void beforeUpsert(ContentAttribute attribute, Owner owner, Object value) {
    beforeInsert(attribute, owner, value);
  }

  /**
   * Writes what has changed; the row is there.
   *
   * @param attribute of the owner
   * @param owner whose row it is
   * @param loaded what the attribute had when it was loaded or last written; the value itself after
   *     an insert
   * @param now what it has
   */
  void write(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now);

  /**
   * Returns what listeners of an update get for the old value.
   *
   * @param attribute of the owner
   * @param owner the entity
   * @param loaded what the attribute had, which may be the same object
   * @param now what it has
   * @return the old value; null if it is not known
   */
  @Nullable Object before(
      ContentAttribute attribute, Owner owner, @Nullable Object loaded, @Nullable Object now);

  /**
   * Tells whether writing a change is an update of its entity, which listeners hear of and which
   * increments the version, unless the mapping excludes the attribute from optimistic locking.
   *
   * @param attribute of the owner
   * @param loaded what the attribute had
   * @param now what it has
   * @return true if so
   */
  boolean isUpdate(ContentAttribute attribute, @Nullable Object loaded, @Nullable Object now);
}
