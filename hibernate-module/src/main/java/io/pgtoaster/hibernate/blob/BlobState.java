package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.TransactionRequiredException;
import io.pgtoaster.hibernate.internal.Slot;
import io.pgtoaster.hibernate.internal.TransactionEnd;
import io.pgtoaster.internal.column.ColumnAccess;
import java.lang.ref.WeakReference;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.jspecify.annotations.Nullable;

/**
 * The location of a blob's content: parts that are not written yet, a row, or only a handle if the
 * blob was selected without its entity.
 */
final class BlobState {
  /** The parts to write, or null. */
  @Nullable PendingContent parts;

  /** The row, once it is known; for a blob with parts, the row to which they will be written. */
  @Nullable BlobRow place;

  /** The value in the column, if it is known. */
  @Nullable Long handle;

  /** Whether the blob is being inserted, so that Hibernate may bind it to a parameter. */
  boolean inserting;

  /** Whether the row was inserted with the blob, so that the parts are its first content. */
  boolean inserted;

  /**
   * Whether the blob was selected without its entity, and the query cache may share it with other
   * sessions.
   */
  private boolean shared;

  /** Whether content has changed in a way that must increment the version of the entity. */
  boolean touched;

  /** The reason why the blob can no longer be used; null if it can. */
  @Nullable String gone;

  /** Whether the blob can belong only to the row of the entity that has it. */
  private boolean ofItsRow;

  private @Nullable PendingContent written;

  private final TransactionEnd end = new TransactionEnd(this::completed);

  /** A weak reference, because the query cache keeps selected blobs. */
  private final @Nullable WeakReference<SharedSessionContractImplementor> origin;

  private BlobState(
      @Nullable PendingContent parts,
      @Nullable Long handle,
      @Nullable SharedSessionContractImplementor at) {
    this.parts = parts;
    this.handle = handle;
    this.origin = at == null ? null : new WeakReference<>(at);
  }

  static BlobState of(PendingContent parts) {
    return new BlobState(parts, null, null);
  }

  static BlobState of(BlobRow place, @Nullable Long handle) {
    BlobState state = new BlobState(null, handle, null);
    state.place = place;
    return state;
  }

  static BlobState selected(
      @Nullable Long handle, @Nullable SharedSessionContractImplementor session) {
    BlobState state = new BlobState(null, handle, session);
    state.shared =
        session != null && session.getFactory().getSessionFactoryOptions().isQueryCacheEnabled();
    return state;
  }

  /** Returns the state of a selected blob for one session; the query cache does not share it. */
  static BlobState copied(@Nullable Long handle, SharedSessionContractImplementor session) {
    return new BlobState(null, handle, session);
  }

  /**
   * Returns a state without a handle, for merging into an entity whose attribute is not loaded yet.
   */
  static BlobState ofItsRow(SharedSessionContractImplementor session) {
    BlobState state = new BlobState(null, null, session);
    state.ofItsRow = true;
    return state;
  }

  boolean isOfItsRow() {
    return ofItsRow;
  }

  /**
   * Returns whether the handle belongs to the databases of a factory. Also returns true if that is
   * unknown.
   */
  boolean isFrom(SessionFactoryImplementor factory) {
    SharedSessionContractImplementor session = origin == null ? null : origin.get();
    return session == null || session.getFactory() == factory;
  }

  /** The row of a blob in the transaction of its session. */
  record Row(BlobRow place, BlobColumn column, RowKey key) {}

  Row row(AppendableBlob blob) {
    BlobRow at = place(blob);
    BlobColumn column = at.attribute().blobs(at.session());
    return new Row(at, column, at.key(ColumnAccess.column(column)));
  }

  Row rowInTransaction(AppendableBlob blob, String what) {
    BlobRow at = place(blob);
    if (!at.session().isTransactionInProgress()) {
      throw new TransactionRequiredException(
          at.describe()
              + ": "
              + what
              + " requires a transaction of the session, but none is in progress; begin one");
    }
    return row(blob);
  }

  BlobRow place(AppendableBlob blob) {
    checkEnd();
    if (gone != null) {
      throw new BlobStateException(gone);
    }
    if (parts != null) {
      throw new BlobStateException(
          (place == null ? "this AppendableBlob" : place.describe())
              + " is not in the database yet; assign it to an attribute of a managed entity and"
              + " flush the session first");
    }
    BlobRow at = place == null ? find(blob) : place;
    at.check(blob);
    return at;
  }

  private BlobRow find(AppendableBlob blob) {
    SharedSessionContractImplementor session = origin(null);
    if (!shared) {
      BlobRow found = Finder.find(blob, handle, session);
      place = found;
      return found;
    }
    // Do not store the place: another session may share the object.
    BlobRow found = Finder.findEntity(blob, session);
    if (found == null && handle != null) {
      throw new BlobStateException(
          "this AppendableBlob was selected without its entity, and with the query cache on, other"
              + " sessions may share it; select the entity, or call in(session)");
    }
    return found == null ? Finder.find(blob, null, session) : found;
  }

  /** Returns the session from which the blob came, or the other session if that one is closed. */
  SharedSessionContractImplementor origin(@Nullable SharedSessionContractImplementor other) {
    SharedSessionContractImplementor session = origin == null ? null : origin.get();
    if (session == null || session.isClosed()) {
      session = other;
    }
    if (session == null) {
      throw new BlobStateException(
          "the session that this AppendableBlob came from is closed, or it came from the query"
              + " cache or from serialization; select the entity, or call in(session)");
    }
    return session;
  }

  /** Marks the parts as written; a rollback restores them. */
  void wrote(SharedSessionContractImplementor session) {
    awaitEnd(session);
    written = parts;
    parts = null;
    inserted = false;
    inserting = false;
  }

  /** Makes a rollback discard what the transaction has created. */
  void awaitEnd(SharedSessionContractImplementor session) {
    end.await(session);
  }

  /** Records a change that must increment the version of the entity, unless it is rolled back. */
  void touch(SharedSessionContractImplementor session) {
    if (!touched) {
      touched = true;
      AfterCompletionCallback callback = (success, s) -> touched &= success;
      session.getTransactionCompletionCallbacks().registerCallback(callback);
    }
  }

  /** Checks whether the transaction was rolled back without a callback. */
  void checkEnd() {
    end.check();
  }

  private void completed(boolean success) {
    if (!success) {
      parts = parts == null ? written : parts;
      if (gone == null) {
        place = null;
      }
      handle = null;
      inserted = false;
      inserting = false;
      touched = false;
    }
    written = null;
  }

  /** Makes the blob unusable after it was replaced or deleted. */
  void release(Slot slot) {
    gone =
        slot.describe()
            + ": this content was replaced or deleted; get the blob from the entity again";
    parts = null;
    touched = false;
  }
}
