package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Owner;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import io.pgtoaster.spi.JsonCapability;
import org.hibernate.FlushMode;
import org.hibernate.LazyInitializationException;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;

/**
 * The location of an entity's document. It is valid as long as the session is open.
 *
 * @param attribute of the owner
 * @param owner the entity
 */
record DocumentRow(ContentAttribute attribute, Owner owner) {
  /** Returns the kind of an attribute of type {@link KeyedJson}. */
  DocumentKind kind() {
    return (DocumentKind) attribute.kind();
  }

  ObjectMapping mapping() {
    return Mappers.of(owner.session().getFactory());
  }

  String describe() {
    return owner.describe() + "." + attribute.property();
  }

  /** Returns whether SQL can be sent for the owner. */
  boolean isAttached() {
    SharedSessionContractImplementor session = owner.session();
    if (session.isClosed()) {
      return false;
    }
    if (!session.isEventSource()) {
      return true;
    }
    EntityEntry entry = owner.entry();
    return entry != null && entry.getStatus() != Status.GONE && entry.getStatus() != Status.DELETED;
  }

  boolean isReadOnly() {
    EntityEntry entry = owner.session().isClosed() ? null : owner.entry();
    return entry != null && entry.getStatus() == Status.READ_ONLY;
  }

  /**
   * Throws an exception if reading a path requires writing changes, but the caller would not expect
   * that.
   */
  void requireFlushable(DocumentPath path) {
    SharedSessionContractImplementor session = owner.session();
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
    return attribute.documents(owner.session());
  }

  RowKey key(DocumentColumn column) {
    return owner.key(column.describe());
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
}
