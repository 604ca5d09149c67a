package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.internal.Slot;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads one path of a document, and of the session's other documents that have not loaded it. */
final class DocumentReader {
  private DocumentReader() {}

  /** Reads a path of a document, and of the session's other documents in the same column. */
  static void read(DocumentState document, DocumentRow row, DocumentPath path) {
    DocumentColumn column = row.column();
    int size = row.kind().settings().batchSize();
    Map<RowKey, DocumentState> batch = new LinkedHashMap<>();
    batch.put(row.key(column), document);
    if (size > 1) {
      Contents.managed(row.session())
          .filter(slot -> slot.attribute().sameColumn(row.slot().attribute()))
          .takeWhile(slot -> batch.size() < size)
          .forEach(
              slot -> {
                DocumentState other = slot.owner().exists() ? value(slot) : null;
                if (other != null && other.isOf(slot) && other.lacks(path)) {
                  batch.putIfAbsent(slot.owner().key(ColumnAccess.column(column)), other);
                }
              });
    }
    if (batch.size() == 1) {
      document.learn(path, row.at(path).get());
      return;
    }
    Map<RowKey, JsonNode> found = column.getAll(batch.keySet(), path);
    batch.forEach((key, one) -> one.learn(path, Optional.ofNullable(found.get(key))));
  }

  /** Returns the document of an entity, if it has been fetched. */
  private static @Nullable DocumentState value(Slot slot) {
    return slot.value() instanceof KeyedJson<?> document ? document.state() : null;
  }

  /**
   * Finds the entity of a document that was not bound to it, for example because it was fetched
   * lazily.
   */
  static @Nullable DocumentRow row(
      SharedSessionContractImplementor session, DocumentState document) {
    return session.isClosed()
        ? null
        : Contents.managed(session)
            .filter(slot -> slot.kind() instanceof DocumentKind && value(slot) == document)
            .findFirst()
            .map(DocumentRow::new)
            .orElse(null);
  }
}
