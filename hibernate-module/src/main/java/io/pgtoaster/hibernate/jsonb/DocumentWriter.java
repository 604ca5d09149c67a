package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import org.hibernate.StaleObjectStateException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes the document of one entity. */
final class DocumentWriter {
  private final DocumentRow place;
  private final DocumentColumn column;
  private final RowKey key;

  DocumentWriter(DocumentRow place) {
    this.place = place;
    this.column = place.column();
    this.key = place.key(column);
  }

  void clear() {
    run(() -> column.clear(key));
  }

  void put(JsonNode document) {
    run(() -> column.put(key, document));
  }

  void write(List<Change> changes) {
    if (!changes.isEmpty()) {
      List<JsonEdit> edits = changes.stream().map(DocumentWriter::edit).toList();
      run(() -> column.edit(key, edits));
    }
  }

  /** Returns an edit that fails if the value is not the one that was read. */
  private static JsonEdit edit(Change change) {
    ReadValue seen = change.seen();
    if (seen == null || (seen.value() == null && change.edit() instanceof JsonEdit.Remove)) {
      return change.edit();
    }
    return new JsonEdit.Conditional(change.edit(), seen.value());
  }

  /** Returns the text of the document as it is stored now. */
  String stored() {
    try {
      return column.text(key).orElseThrow(() -> stale("there is no document", null));
    } catch (RowNotFoundException e) {
      throw stale(e.getMessage(), e);
    }
  }

  /** Translates conflicts with other transactions to the exceptions of JPA. */
  private void run(Runnable work) {
    try {
      work.run();
    } catch (ConcurrencyException | RowNotFoundException e) {
      throw stale(e.getMessage(), e);
    }
  }

  private StaleObjectStateException stale(@Nullable String reason, @Nullable Exception cause) {
    StaleObjectStateException stale =
        new StaleObjectStateException(
            place.owner().persister().getEntityName(),
            place.owner().id(),
            "another transaction has changed or deleted %s; read the entity again and repeat the change: %s"
                .formatted(place.describe(), reason));
    if (cause != null) {
      stale.initCause(cause);
    }
    return stale;
  }
}
