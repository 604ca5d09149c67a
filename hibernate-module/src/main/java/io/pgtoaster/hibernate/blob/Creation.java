package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.TransactionRequiredException;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.internal.Contents.Slot;
import io.pgtoaster.hibernate.internal.Owner;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobCapability;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;
import org.jspecify.annotations.Nullable;

/** Creates the handles with which rows are inserted. */
final class Creation {
  private Creation() {}

  /** Creates the handle, together with those of all rows that the flush will insert. */
  static void beforeInsert(
      BlobKind kind, ContentAttribute attribute, Owner owner, AppendableBlob blob) {
    BlobState state = blob.state();
    prepare(attribute, owner, state);
    state.inserted = true;
    if (state.handle != null) {
      return;
    }
    BlobColumn column = attribute.blobsOutsideBatch(owner.session());
    if (takesHandle(kind, attribute, column)) {
      List<BlobState> all = new ArrayList<>(List.of(state));
      addOthers(attribute, owner, blob, all);
      long[] handles = column.create(all.size());
      for (int i = 0; i < handles.length; i++) {
        BlobState made = all.get(i);
        made.handle = handles[i];
        made.awaitEnd(owner.session());
      }
    }
  }

  /** Creates a handle, unless the row already exists, because then it keeps its handle. */
  static void beforeUpsert(
      BlobKind kind, ContentAttribute attribute, Owner owner, AppendableBlob blob) {
    BlobState state = blob.state();
    if (state.parts == null) {
      // The blob belongs to this row; otherwise the database rejects it.
      state.inserting = true;
      return;
    }
    prepare(attribute, owner, state);
    BlobColumn column = attribute.blobsOutsideBatch(owner.session());
    if (!takesHandle(kind, attribute, column)) {
      return;
    }
    AttachedColumn at = column.describe();
    Long there = Finder.handle(at, owner.key(at), owner.session());
    state.handle = there == null ? column.create() : there;
    state.awaitEnd(owner.session());
  }

  private static void prepare(ContentAttribute attribute, Owner owner, BlobState state) {
    PendingContent parts = state.parts;
    if (parts == null) {
      throw new BlobStateException(
          owner.describe()
              + "."
              + attribute.property()
              + ": this AppendableBlob is the content of a row that already exists or was deleted;"
              + " assign a new blob to the attribute");
    }
    if (!owner.session().isTransactionInProgress()) {
      throw new TransactionRequiredException(
          owner.describe()
              + "."
              + attribute.property()
              + ": inserting an entity with content requires a transaction; begin one");
    }
    parts.check();
    state.place = new BlobRow.OfEntity(attribute, owner);
    state.inserting = true;
  }

  private static boolean takesHandle(BlobKind kind, ContentAttribute attribute, BlobColumn column) {
    AttachedColumn at = column.describe();
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

  /** Adds the blobs of other entities that wait for their INSERT into the same column. */
  private static void addOthers(
      ContentAttribute attribute, Owner owner, AppendableBlob first, List<BlobState> all) {
    SharedSessionContractImplementor session = owner.session();
    if (!session.isEventSource()) {
      return;
    }
    Contents contents = Contents.of(session.getFactory());
    for (var managed : session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
      EntityEntry entry = managed.getValue();
      if (entry.getStatus() != Status.MANAGED || entry.isExistsInDatabase()) {
        continue;
      }
      for (Slot slot : contents.slots(entry.getPersister())) {
        Object[] state = entry.getLoadedState();
        Object value = state == null ? null : state[slot.index()];
        if (value != first
            && value instanceof AppendableBlob other
            && attribute.sameColumn(slot.attribute())
            && isReady(other.state(), attribute, managed.getKey())) {
          all.add(other.state());
        }
      }
    }
  }

  private static boolean isReady(BlobState state, ContentAttribute attribute, Object entity) {
    @Nullable BlobRow place = state.place;
    return state.parts != null
        && state.handle == null
        && place instanceof BlobRow.OfEntity at
        && at.isValueOf(attribute, entity);
  }
}
