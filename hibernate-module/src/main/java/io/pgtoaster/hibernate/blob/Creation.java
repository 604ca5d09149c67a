package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.TransactionRequiredException;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.internal.Slot;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.AttachedColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.Status;
import org.jspecify.annotations.Nullable;

/** Creates the handles with which rows are inserted. */
final class Creation {
  private Creation() {}

  /** Creates the handle, together with those of all rows that the flush will insert. */
  static void beforeInsert(BlobKind kind, Slot slot, AppendableBlob blob) {
    BlobState state = blob.state();
    prepare(slot, state);
    state.inserted = true;
    if (state.handle != null) {
      return;
    }
    BlobColumn column = slot.attribute().blobsOutsideBatch(slot.session());
    if (takesHandle(kind, slot.attribute(), column)) {
      List<BlobState> all = new ArrayList<>(List.of(state));
      Contents.managed(slot.session())
          .filter(other -> other.attribute().sameColumn(slot.attribute()))
          .map(other -> waiting(other, blob))
          .filter(Objects::nonNull)
          .forEach(all::add);
      long[] handles = column.create(all.size());
      for (int i = 0; i < handles.length; i++) {
        BlobState made = all.get(i);
        made.handle = handles[i];
        made.awaitEnd(slot.session());
      }
    }
  }

  /** Creates a handle, unless the row already exists, because then it keeps its handle. */
  static void beforeUpsert(BlobKind kind, Slot slot, AppendableBlob blob) {
    BlobState state = blob.state();
    if (state.parts == null) {
      // The database rejects a blob that belongs to another row.
      state.inserting = true;
      return;
    }
    prepare(slot, state);
    BlobColumn column = slot.attribute().blobsOutsideBatch(slot.session());
    if (!takesHandle(kind, slot.attribute(), column)) {
      return;
    }
    AttachedColumn at = ColumnAccess.column(column);
    Long there = Finder.handle(at, slot.owner().key(at), slot.session());
    state.handle = there == null ? column.create() : there;
    state.awaitEnd(slot.session());
  }

  private static void prepare(Slot slot, BlobState state) {
    PendingContent parts = state.parts;
    if (parts == null) {
      throw new BlobStateException(
          slot.describe()
              + ": this AppendableBlob is the content of a row that already exists or was deleted;"
              + " assign a new blob to the attribute");
    }
    if (!slot.session().isTransactionInProgress()) {
      throw new TransactionRequiredException(
          slot.describe() + ": inserting an entity with content requires a transaction; begin one");
    }
    parts.check();
    state.place = new BlobRow.OfEntity(slot);
    state.inserting = true;
  }

  private static boolean takesHandle(BlobKind kind, ContentAttribute attribute, BlobColumn column) {
    AttachedColumn at = ColumnAccess.column(column);
    boolean attached = column.capabilities().contains(BlobCapability.HANDLES);
    if (kind.handles() && !attached) {
      throw new CatalogException(
          at.describe()
              + ", which is mapped by "
              + attribute
              + ", is not attached to a toaster with handles; attach it, or map it with"
              + " @AppendableColumn(toaster = \""
              + at.toaster()
              + "\")");
    }
    if (!kind.handles() && attached) {
      throw new CatalogException(
          at.describe()
              + ", which "
              + attribute
              + " maps as a column without a handle, is attached to the toaster \""
              + at.toaster()
              + "\"; map it with @AppendableColumn(toaster = \""
              + at.toaster()
              + "\")");
    }
    return attached && at.leadingKey() == null;
  }

  /** Returns the blob of another entity that waits for its INSERT without a handle, or null. */
  private static @Nullable BlobState waiting(Slot slot, AppendableBlob first) {
    EntityEntry entry = slot.owner().entry();
    boolean waits =
        entry != null && entry.getStatus() == Status.MANAGED && !entry.isExistsInDatabase();
    return waits
            && slot.loaded() instanceof AppendableBlob blob
            && blob != first
            && blob.state().parts != null
            && blob.state().handle == null
            && blob.state().place instanceof BlobRow.OfEntity at
            && at.slot().isSame(slot)
        ? blob.state()
        : null;
  }
}
