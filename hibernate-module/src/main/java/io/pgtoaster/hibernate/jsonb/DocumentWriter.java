package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import io.pgtoaster.jsonb.SetOptions;
import io.pgtoaster.spi.JsonEdit;
import java.util.List;
import java.util.function.BooleanSupplier;
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
    run(
        () -> {
          column.clear(key);
          return true;
        });
  }

  void put(JsonNode document) {
    run(
        () -> {
          column.put(key, document);
          return true;
        });
  }

  void write(List<Change> changes) {
    for (Change change : changes) {
      Seen seen = change.seen();
      try {
        if (!run(() -> apply(change.edit(), seen)) && seen != null) {
          throw overwritten(change, null);
        }
      } catch (PathNotFoundException e) {
        throw seen == null ? e : overwritten(change, e);
      }
    }
  }

  /** Returns the text of the document as it is stored now. */
  String stored() {
    try {
      return column.text(key).orElseThrow(() -> changed(null));
    } catch (RowNotFoundException e) {
      throw changed(e);
    }
  }

  /** Returns whether a change was made, or its condition was met. */
  private boolean apply(JsonEdit edit, @Nullable Seen seen) {
    DocumentValue value = column.at(key, edit.path());
    JsonNode before = seen == null ? null : seen.value();
    if (edit instanceof JsonEdit.Set set) {
      if (before != null) {
        return value.replaceIf(before, set.value());
      } else if (seen != null) {
        return value.setIfAbsent(set.value());
      }
      value.set(set.value(), SetOptions.defaults().withCreateMissing(set.createMissing()));
    } else if (edit instanceof JsonEdit.Remove) {
      return before == null ? value.remove() || seen != null : value.removeIf(before);
    } else if (edit instanceof JsonEdit.Insert insert) {
      if (insert.after()) {
        value.insertAfter(insert.value());
      } else {
        value.insert(insert.value());
      }
    } else if (edit instanceof JsonEdit.Append append) {
      value.append((Object[]) append.elements().values().toArray(JsonNode[]::new));
    } else if (edit instanceof JsonEdit.Increment increment) {
      value.increment(increment.delta());
    } else {
      throw JsonChanges.unknown(edit);
    }
    return true;
  }

  /** Translates conflicts with other transactions to the exceptions of JPA. */
  private boolean run(BooleanSupplier work) {
    try {
      return work.getAsBoolean();
    } catch (ConcurrencyException | RowNotFoundException e) {
      throw changed(e);
    }
  }

  private StaleObjectStateException changed(@Nullable Exception cause) {
    return stale(
        "another transaction has changed or deleted "
            + place.describe()
            + " at the same time; repeat the transaction",
        cause);
  }

  private StaleObjectStateException overwritten(Change change, @Nullable Exception cause) {
    return stale(
        "another transaction has changed "
            + place.describe()
            + " at \""
            + change.edit().path()
            + "\" since it was read; read the entity again and repeat the change",
        cause);
  }

  private StaleObjectStateException stale(String message, @Nullable Exception cause) {
    StaleObjectStateException stale =
        new StaleObjectStateException(
            place.owner().persister().getEntityName(), place.owner().id(), message);
    if (cause != null) {
      stale.initCause(cause);
    }
    return stale;
  }
}
