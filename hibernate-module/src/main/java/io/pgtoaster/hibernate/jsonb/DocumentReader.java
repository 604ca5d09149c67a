package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.internal.Contents.Slot;
import io.pgtoaster.hibernate.internal.Owner;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads one path of a document, and of the session's other documents that have not loaded it. */
final class DocumentReader {
  private DocumentReader() {}

  /** Reads a path of a document, and of the session's other documents in the same column. */
  static void read(DocumentState document, DocumentRow place, DocumentPath path) {
    DocumentColumn column = place.column();
    Map<RowKey, DocumentState> batch = new LinkedHashMap<>();
    batch.put(place.key(column), document);
    if (place.kind().settings().batchSize() > 1 && place.owner().session().isEventSource()) {
      gather(batch, place, column, path);
    }
    if (batch.size() == 1) {
      document.learn(path, place.at(path).get());
      return;
    }
    Map<RowKey, JsonNode> found = column.getAll(batch.keySet(), path);
    batch.forEach((key, one) -> one.learn(path, Optional.ofNullable(found.get(key))));
  }

  private static void gather(
      Map<RowKey, DocumentState> batch,
      DocumentRow place,
      DocumentColumn column,
      DocumentPath path) {
    SharedSessionContractImplementor session = place.owner().session();
    Contents contents = Contents.of(session.getFactory());
    for (var managed : session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
      if (batch.size() >= place.kind().settings().batchSize()) {
        return;
      }
      EntityEntry entry = managed.getValue();
      DocumentState other =
          entry.isExistsInDatabase()
              ? value(contents, entry, managed.getKey(), place.attribute())
              : null;
      if (other != null && other.isOf(place.attribute(), managed.getKey()) && other.lacks(path)) {
        Owner owner = new Owner(session, entry.getPersister(), entry.getId(), managed.getKey());
        batch.putIfAbsent(owner.key(column.describe()), other);
      }
    }
  }

  /** Returns the document of an entity in the same column, if it has been fetched. */
  private static @Nullable DocumentState value(
      Contents contents, EntityEntry entry, Object entity, ContentAttribute attribute) {
    EntityPersister persister = entry.getPersister();
    for (Slot slot : contents.slots(persister)) {
      if (slot.attribute().sameColumn(attribute)) {
        return slot.value(persister, entity) instanceof KeyedJson<?> document
            ? document.state()
            : null;
      }
    }
    return null;
  }

  /**
   * Finds the entity of a document that was not bound to it, for example because it was fetched
   * lazily.
   */
  static @Nullable DocumentRow place(
      SharedSessionContractImplementor session, DocumentState document) {
    if (session.isClosed() || !session.isEventSource()) {
      return null;
    }
    Contents contents = Contents.of(session.getFactory());
    for (var managed : session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
      EntityEntry entry = managed.getValue();
      Object entity = managed.getKey();
      for (Slot slot : contents.slots(entry.getPersister())) {
        if (value(contents, entry, entity, slot.attribute()) == document
            && slot.attribute().kind() instanceof DocumentKind) {
          return new DocumentRow(
              slot.attribute(), new Owner(session, entry.getPersister(), entry.getId(), entity));
        }
      }
    }
    return null;
  }
}
