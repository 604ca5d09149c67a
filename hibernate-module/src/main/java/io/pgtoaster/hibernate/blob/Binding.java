package io.pgtoaster.hibernate.blob;

import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.AttachedColumn;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** Converts between blobs and the values that Hibernate binds, selects, caches and merges. */
final class Binding {
  /**
   * Placeholder for a handle that is not known, or that does not exist because the column stores
   * the content.
   */
  static final long UNKNOWN = 0;

  private Binding() {}

  /** Returns the value to bind to a parameter; null for a row that gets its content later. */
  static @Nullable Long handle(AppendableBlob blob) {
    BlobState state = blob.state();
    if (state.inserting) {
      return state.handle;
    }
    if (state.parts != null) {
      throw new BlobStateException(
          "an AppendableBlob that is not in the database yet has no handle to compare with: assign"
              + " it to an attribute of a managed entity and flush the session before you use it as"
              + " a parameter");
    }
    Long known = state.handle;
    if (known != null) {
      return known;
    }
    BlobRow place = state.place(blob);
    AttachedColumn column = ColumnAccess.column(place.attribute().blobs(place.session()));
    Long found = Finder.handle(column, place.key(column), place.session());
    if (found == null) {
      throw new BlobStateException(place.describe() + " has no content to compare with");
    }
    state.handle = found;
    return found;
  }

  /**
   * Rejects parameters for columns that contain the content itself: there is no handle to compare
   * with.
   */
  static void requireInserting(AppendableBlob blob) {
    if (!blob.state().inserting) {
      throw new BlobStateException(
          "an AppendableBlob of an ordinary column (toaster \"default\") cannot be a parameter of a"
              + " query; compare the identifier of its entity, or a function of the content");
    }
  }

  /** Creates a blob for a selected or cached handle. */
  static AppendableBlob selected(long handle, @Nullable SharedSessionContractImplementor session) {
    return new AppendableBlob(BlobState.selected(handle == UNKNOWN ? null : handle, session));
  }

  /** Returns the cached value of a blob. */
  static Long cached(AppendableBlob blob) {
    Long handle = blob.state().handle;
    return handle == null ? UNKNOWN : handle;
  }

  /** Returns the value of a managed entity after another value was merged into it. */
  static @Nullable AppendableBlob merged(
      @Nullable AppendableBlob original,
      @Nullable AppendableBlob target,
      SharedSessionContractImplementor session) {
    if (original == null || original == target) {
      return original;
    }
    BlobState from = original.state();
    if (from.parts != null) {
      return original;
    }
    if (target == null) {
      // It may belong to this row, whose managed attribute is not loaded yet. The flush checks
      // this.
      return from.place == null ? unplaced(original, session) : original.in(session);
    }
    if (from.place == null && from.handle == null) {
      // It was deserialized, so it can belong only to this row.
      return target;
    }
    BlobState to = target.state();
    boolean same = from.handle != null && from.handle.equals(to.handle);
    if (from.place instanceof BlobRow.OfEntity one && to.place instanceof BlobRow.OfEntity other) {
      same |= one.isOf(other.slot());
    }
    return same ? target : original;
  }

  /** Creates the attribute's value for a blob that was never used. */
  private static AppendableBlob unplaced(
      AppendableBlob original, SharedSessionContractImplementor session) {
    BlobState from = original.state();
    if (from.handle == null) {
      return new AppendableBlob(BlobState.ofItsRow(session));
    }
    return from.isFrom(session.getFactory())
        ? new AppendableBlob(BlobState.selected(from.handle, session))
        : original;
  }
}
