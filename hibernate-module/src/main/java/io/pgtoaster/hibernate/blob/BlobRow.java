package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Owner;
import io.pgtoaster.hibernate.internal.Slot;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.AttachedColumn;
import java.io.InputStream;
import java.util.Objects;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;

/** The row that references a blob, in a session. */
sealed interface BlobRow {
  ContentAttribute attribute();

  SharedSessionContractImplementor session();

  RowKey key(AttachedColumn column);

  /** Throws an exception if the blob may no longer be used here. */
  void check(AppendableBlob blob);

  /** Returns whether the entity now has another value. */
  boolean isReplaced(AppendableBlob blob);

  /** Returns a description of the place for messages. */
  String describe();

  /** Returns whether this is the row of an entity, possibly in another session. */
  boolean isOf(Slot slot);

  /** Opens the content for copying, in its own session if that is open. */
  default InputStream copy(SharedSessionContractImplementor target) {
    SharedSessionContractImplementor from = session().isClosed() ? target : session();
    if (!from.getFactory().equals(session().getFactory())) {
      throw new BlobStateException(
          describe()
              + ": its session is closed, and its session factory differs from that of the"
              + " attribute it was assigned to; copy it while its session is open");
    }
    BlobColumn column = attribute().blobs(from);
    return column.inputStream(key(ColumnAccess.column(column)));
  }

  /** The row of an entity that a session manages, or that a stateless session loaded. */
  record OfEntity(Slot slot) implements BlobRow {
    @Override
    public ContentAttribute attribute() {
      return slot.attribute();
    }

    @Override
    public SharedSessionContractImplementor session() {
      return slot.session();
    }

    @Override
    public RowKey key(AttachedColumn column) {
      return slot.owner().key(column);
    }

    @Override
    public void check(AppendableBlob blob) {
      if (session().isClosed()) {
        throw new BlobStateException(
            describe()
                + ": the session that loaded the entity is closed; load the entity in an open"
                + " session and use its blob, or call in(session)");
      }
      if (!session().isEventSource()) {
        return;
      }
      EntityEntry entry = slot.owner().entry();
      if (entry == null || entry.getStatus() == Status.GONE) {
        throw new BlobStateException(
            describe()
                + ": the session no longer manages the entity (it was evicted, cleared or"
                + " removed); find or merge the entity and use its blob");
      }
      if (isReplaced(blob)) {
        throw new BlobStateException(
            describe()
                + ": this AppendableBlob is no longer the value of the attribute (it was"
                + " replaced or refreshed); get it from the entity again");
      }
    }

    @Override
    public boolean isReplaced(AppendableBlob blob) {
      return slot.owner().persister().getValue(slot.owner().entity(), slot.index()) != blob;
    }

    @Override
    public String describe() {
      return slot.describe();
    }

    @Override
    public boolean isOf(Slot other) {
      Owner owner = slot.owner();
      Owner otherOwner = other.owner();
      return attribute().sameColumn(other.attribute())
          && owner
              .persister()
              .getRootEntityName()
              .equals(otherOwner.persister().getRootEntityName())
          && owner.id() != null
          && Objects.equals(owner.id(), otherOwner.id());
    }
  }

  /** A row found by its handle, or the row of an entity that is used in another session. */
  record OfRow(ContentAttribute attribute, SharedSessionContractImplementor session, RowKey key)
      implements BlobRow {
    @Override
    public RowKey key(AttachedColumn column) {
      return key;
    }

    @Override
    public void check(AppendableBlob blob) {
      if (session.isClosed()) {
        throw new BlobStateException(
            describe()
                + ": the session that this AppendableBlob came from is closed; call in(session)"
                + " with an open one");
      }
    }

    @Override
    public boolean isReplaced(AppendableBlob blob) {
      return false;
    }

    @Override
    public String describe() {
      return attribute + " of " + key.values();
    }

    @Override
    public boolean isOf(Slot slot) {
      Owner owner = slot.owner();
      return attribute.sameColumn(slot.attribute())
          && owner.id() != null
          && owner
              .key(ColumnAccess.column(attribute.blobsOutsideBatch(owner.session())))
              .equals(key);
    }
  }
}
