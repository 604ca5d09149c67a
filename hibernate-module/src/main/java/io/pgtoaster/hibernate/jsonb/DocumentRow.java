package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonCapability;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.ConditionFailedException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.hibernate.internal.Slot;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.util.List;
import java.util.function.BiConsumer;
import org.hibernate.FlushMode;
import org.hibernate.LazyInitializationException;
import org.hibernate.StaleObjectStateException;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The row of an entity's document. It can be read and written as long as the session is open.
 *
 * @param slot attribute of the entity
 */
record DocumentRow(Slot slot) {
  /** Returns the kind of an attribute of type {@link KeyedJson}. */
  DocumentKind kind() {
    return (DocumentKind) slot.kind();
  }

  SharedSessionContractImplementor session() {
    return slot.session();
  }

  ObjectMapping mapping() {
    return Mappers.of(session().getFactory());
  }

  String describe() {
    return slot.describe();
  }

  /** Returns whether SQL can be sent for the owner. */
  boolean isAttached() {
    SharedSessionContractImplementor session = session();
    if (session.isClosed()) {
      return false;
    }
    if (!session.isEventSource()) {
      return true;
    }
    EntityEntry entry = slot.owner().entry();
    return entry != null && entry.getStatus() != Status.GONE && entry.getStatus() != Status.DELETED;
  }

  boolean isReadOnly() {
    EntityEntry entry = session().isClosed() ? null : slot.owner().entry();
    return entry != null && entry.getStatus() == Status.READ_ONLY;
  }

  /**
   * Throws an exception if reading a path requires writing changes, but the caller would not expect
   * that.
   */
  void requireFlushable(DocumentPath path) {
    SharedSessionContractImplementor session = session();
    String refused =
        !session.isTransactionInProgress()
            ? "there is no transaction; begin one, or read it first"
            : session.isEventSource() && session.getHibernateFlushMode() == FlushMode.MANUAL
                ? "the flush mode is MANUAL; flush the session first, or read it before the change"
                : null;
    if (refused != null) {
      throw new IllegalStateException(
          describe()
              + ": changes must be written before \""
              + path
              + "\" can be read, but "
              + refused);
    }
  }

  DocumentColumn column() {
    return slot.attribute().documents(session());
  }

  RowKey key(DocumentColumn column) {
    return slot.owner().key(ColumnAccess.column(column));
  }

  DocumentValue at(DocumentPath path) {
    DocumentColumn column = column();
    return column.at(key(column), path);
  }

  /** Returns whether a value that looks like a stub is a stub. */
  boolean holdsStubs() {
    return !isAttached() || column().capabilities().contains(JsonCapability.STUBS);
  }

  void requireAttached(DocumentPath path) {
    if (!isAttached()) {
      throw new LazyInitializationException(
          describe()
              + ": \""
              + path
              + "\" was not loaded with the row and was not read before the entity was detached;"
              + " read it while the session is open, or name it in keepInline of @KeyedColumn");
    }
  }

  void clear() {
    write(DocumentColumn::clear);
  }

  void put(JsonNode document) {
    write((column, key) -> column.put(key, document));
  }

  void edit(List<Change> changes) {
    if (!changes.isEmpty()) {
      List<JsonEdit> edits = changes.stream().map(Change::checked).toList();
      write((column, key) -> column.edit(key, edits));
    }
  }

  /** Returns the text of the document as it is stored now. */
  String stored() {
    DocumentColumn column = column();
    try {
      return column.text(key(column)).orElseThrow(() -> stale("there is no document", null));
    } catch (RowNotFoundException e) {
      throw stale(e.getMessage(), e);
    }
  }

  /** Translates conflicts with other transactions to the exceptions of JPA. */
  private void write(BiConsumer<DocumentColumn, RowKey> work) {
    DocumentColumn column = column();
    RowKey key = key(column);
    try {
      work.accept(column, key);
    } catch (ConcurrencyException | ConditionFailedException | RowNotFoundException e) {
      throw stale(e.getMessage(), e);
    }
  }

  private StaleObjectStateException stale(@Nullable String reason, @Nullable Exception cause) {
    StaleObjectStateException stale =
        new StaleObjectStateException(
            slot.owner().persister().getEntityName(),
            slot.owner().id(),
            "another transaction has changed or deleted %s; read the entity again and repeat the change: %s"
                .formatted(describe(), reason));
    if (cause != null) {
      stale.initCause(cause);
    }
    return stale;
  }
}
