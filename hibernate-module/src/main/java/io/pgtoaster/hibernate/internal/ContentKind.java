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
  /** Writes what has changed in an attribute. */
  @FunctionalInterface
  interface Work {
    /**
     * Writes the change.
     *
     * @param appends accepts content that may be appended together with that of other rows
     */
    void run(Appends appends);

    /** Writes the change without waiting for other rows. */
    default void runAlone() {
      Appends appends = new Appends();
      run(appends);
      appends.send();
    }
  }

  /** Returns the toaster of the column, and its options for attaching it. */
  ToasterOptions options();

  /** Returns the search indexes of the column. */
  default List<JsonIndex> indexes() {
    return List.of();
  }

  /**
   * Rejects a column that does not fit the mapping.
   *
   * @param column looks up the column on demand; returns null if that is not possible at that time
   * @throws org.hibernate.MappingException if the column does not fit
   */
  default void check(ContentAttribute attribute, Supplier<@Nullable AttachedColumn> column) {}

  /** Binds a value to its owner. */
  default void bind(Slot slot, Object value) {}

  /**
   * Converts a value that was read, which the query cache may share, to the value of a loaded
   * entity, and binds it.
   */
  default Object loaded(Slot slot, Object value) {
    bind(slot, value);
    return value;
  }

  /**
   * Converts a value assigned to an entity, whose key may not be known yet. The value may belong to
   * another entity.
   */
  default Object given(Slot slot, Object value) {
    return value;
  }

  /**
   * Returns a task that writes what has changed, in the same flush; null if there is nothing to
   * write. Called once per flush and entity, so it must be cheap, and again after callbacks that
   * may change content.
   *
   * @param loaded value when the attribute was loaded or last written; any object if it is not
   *     known
   */
  @Nullable Work change(Slot slot, @Nullable Object loaded, @Nullable Object now);

  /** Accepts a value that was assigned to an entity and has the same content as the loaded one. */
  default void unchanged(Slot slot, Object value) {}

  /** Prepares a value for the INSERT of its row, whose key may not be known yet. */
  void beforeInsert(Slot slot, Object value);

  /** Prepares a value for an upsert of its row, which may exist already. */
  void beforeUpsert(Slot slot, Object value);

  /**
   * Binds a value whose row has been inserted, or was inserted or updated by an upsert. Returns a
   * task that writes the content that the INSERT did not contain; null if it contained everything.
   */
  default @Nullable Work inserted(Slot slot, Object value) {
    bind(slot, value);
    return change(slot, value, value);
  }

  /**
   * Returns the old value for update listeners; null if it is not known. The loaded value may be
   * the same object as the current one.
   */
  default @Nullable Object before(Slot slot, @Nullable Object loaded, @Nullable Object now) {
    return loaded == now ? null : loaded;
  }

  /**
   * Returns whether writing a change counts as an update of its entity. An update notifies
   * listeners and increments the version, unless the mapping excludes the attribute from optimistic
   * locking.
   */
  default boolean isUpdate(@Nullable Object now) {
    return true;
  }
}
