package io.pgtoaster.hibernate.blob;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.TransactionRequiredException;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Owner;
import io.pgtoaster.hibernate.internal.TransactionEnd;
import java.lang.ref.WeakReference;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.TransactionCompletionCallbacks.AfterCompletionCallback;
import org.jspecify.annotations.Nullable;

/**
 * Where the content of a blob is: in parts that are not written yet, in a row, or, of a blob that
 * was selected by itself, behind a handle.
 */
final class BlobState {
  /** What is to be written; null if nothing is. */
  @Nullable PendingContent parts;

  /** The row, once it is known; of a blob with parts the row that they will go to. */
  @Nullable BlobRow place;

  /** What the column holds, as far as it is known. */
  @Nullable Long handle;

  /** Whether it is being inserted, so that Hibernate may bind it to a parameter. */
  boolean inserting;

  /** Whether its row was inserted with it, so that the parts are the first content. */
  boolean inserted;

  /** Whether it was selected by itself, and the query cache may give it to other sessions. */
  private boolean shared;

  /** Whether content has changed that the version of the entity is to tell. */
  boolean touched;

  /** Why it cannot be used any more; null if it can. */
  @Nullable String gone;

  /** Whether it can only be of the row of the entity that has it. */
  private boolean ofItsRow;

  private @Nullable PendingContent written;

  private final TransactionEnd end = new TransactionEnd(this::completed);

  /** Held weakly: the query cache keeps selected blobs. */
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

  /** The state of a selected blob, for one session; no query cache gives it to another. */
  static BlobState copied(@Nullable Long handle, SharedSessionContractImplementor session) {
    return new BlobState(null, handle, session);
  }

  /** Without a handle, as merged into an entity whose attribute is not read yet. */
  static BlobState ofItsRow(@Nullable SharedSessionContractImplementor session) {
    BlobState state = new BlobState(null, null, session);
    state.ofItsRow = true;
    return state;
  }

  boolean isOfItsRow() {
    return ofItsRow;
  }

  /** Whether its handle, if it has one, is of the databases of a factory, as far as is known. */
  boolean isFrom(SessionFactoryImplementor factory) {
    SharedSessionContractImplementor session = origin == null ? null : origin.get();
    return session == null || session.getFactory() == factory;
  }

  /** The row of a blob in the transaction of its session. */
  record Row(BlobRow place, BlobColumn column, RowKey key) {}

  Row row(AppendableBlob blob) {
    BlobRow at = place(blob);
    BlobColumn column = at.attribute().blobs(at.session());
    return new Row(at, column, at.key(column.describe()));
  }

  Row rowInTransaction(AppendableBlob blob, String what) {
    BlobRow at = place(blob);
    if (!at.session().isTransactionInProgress()) {
      throw new TransactionRequiredException(
          at.describe()
              + ": "
              + what
              + " happens in the transaction of the session, and none is in progress; begin one");
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
              + " is not in the database yet; give it to an attribute of a managed entity and flush"
              + " the session first");
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
    // Never kept: another session may have the same object.
    BlobRow found = session.isEventSource() ? Finder.findEntity(blob, session) : null;
    if (found == null && handle != null) {
      throw new BlobStateException(
          "this AppendableBlob was selected by itself, and with the query cache on other sessions"
              + " may have the same one; select the entity, or call in(session)");
    }
    return found == null ? Finder.find(blob, null, session) : found;
  }

  /** Returns the session that it came from, or if that is closed another one, or none. */
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

  /** Takes the parts as written: a rollback brings them back. */
  void wrote(SharedSessionContractImplementor session) {
    awaitEnd(session);
    written = parts;
    parts = null;
    inserted = false;
    inserting = false;
  }

  /** Makes a rollback forget what the transaction has made. */
  void awaitEnd(SharedSessionContractImplementor session) {
    end.await(session);
  }

  /** Notes a change that the version of the entity is to tell, unless it is rolled back. */
  void touch(SharedSessionContractImplementor session) {
    if (!touched) {
      touched = true;
      AfterCompletionCallback callback = (success, s) -> touched &= success;
      session.getTransactionCompletionCallbacks().registerCallback(callback);
    }
  }

  /** Looks whether the transaction was rolled back without a call. */
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

  /** Puts the blob out of use when another one, or none, has taken its place. */
  void release(ContentAttribute attribute, Owner owner) {
    gone =
        owner.describe()
            + "."
            + attribute.property()
            + ": this content was replaced or deleted; take the blob from the entity again";
    parts = null;
    touched = false;
  }
}
