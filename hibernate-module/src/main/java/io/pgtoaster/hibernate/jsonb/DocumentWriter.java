package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import io.pgtoaster.jsonb.EditOutcome;
import io.pgtoaster.jsonb.JsonEdit;
import io.pgtoaster.jsonb.SetOptions;
import io.pgtoaster.spi.json.JsonChanges;
import java.util.List;
import java.util.function.Supplier;
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
          return EditOutcome.APPLIED;
        });
  }

  void put(JsonNode document) {
    run(
        () -> {
          column.put(key, document);
          return EditOutcome.APPLIED;
        });
  }

  void write(List<Change> changes) {
    for (Change change : changes) {
      EditOutcome outcome = run(() -> apply(change.edit(), change.seen()));
      if (outcome.conflict()
          || (!outcome.applied() && !(change.edit() instanceof JsonEdit.Remove))) {
        throw failure(change);
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

  private EditOutcome apply(JsonEdit edit, @Nullable Seen seen) {
    DocumentValue value = column.at(key, edit.path());
    JsonNode before = seen == null ? null : seen.value();
    if (edit instanceof JsonEdit.Set set && seen != null) {
      return before == null ? value.setIfAbsent(set.value()) : value.replaceIf(before, set.value());
    }
    if (edit instanceof JsonEdit.Remove && before != null) {
      return value.removeIf(before);
    }
    return applyAlways(value, edit) ? EditOutcome.APPLIED : EditOutcome.MISSED;
  }

  private static boolean applyAlways(DocumentValue value, JsonEdit edit) {
    if (edit instanceof JsonEdit.Set set) {
      SetOptions options = SetOptions.defaults().withCreateMissing(set.createMissing());
      return value.set(set.value(), options);
    }
    if (edit instanceof JsonEdit.Insert insert) {
      return insert.after() ? value.insertAfter(insert.value()) : value.insert(insert.value());
    }
    if (edit instanceof JsonEdit.Concat concat) {
      return value.concat(concat.value());
    }
    if (edit instanceof JsonEdit.Increment increment) {
      return value.increment(increment.delta()).isPresent();
    }
    if (edit instanceof JsonEdit.Remove) {
      return value.remove();
    }
    throw JsonChanges.unknown(edit);
  }

  /** Translates conflicts with other transactions to the exceptions of JPA. */
  private EditOutcome run(Supplier<EditOutcome> work) {
    try {
      return work.get();
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

  private RuntimeException failure(Change change) {
    String where = place.describe() + " at \"" + change.edit().path() + "\"";
    return change.seen() == null
        ? new InvalidPathException(
            "there is nothing that could be changed: " + where + "; set its parent first")
        : stale(
            "another transaction has changed "
                + where
                + " since it was read; read the entity again and repeat the change",
            null);
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
