package io.pgtoaster.jsonb.keyed.edit;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.format.Steps;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.spi.Edited;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Edits small values, numbers and arrays that are expected in the owner's row: each edit is an
 * UPDATE of that row alone.
 */
final class SmallEdits {
  private static final int MAX_CHARS = 1_000;

  private final KeyedStore store;
  private final RowGuess guess = new RowGuess();

  SmallEdits(KeyedStore store) {
    this.store = store;
  }

  /** Edits the row if the last edits at the same keys did so; returns empty if nothing was done. */
  Optional<Edited> edit(Connection connection, RowKey key, JsonEdit given) throws SQLException {
    JsonEdit.Conditional condition = given instanceof JsonEdit.Conditional c ? c : null;
    JsonEdit edit = condition == null ? given : condition.edit();
    Steps path = new Steps(edit.path().steps());
    int slot = RowGuess.slot(path);
    if (!guess.expects(slot) || !path.isPlain() || store.column().distributed()) {
      return Optional.empty();
    }
    Optional<Edited> done;
    if (edit instanceof JsonEdit.Increment increment) {
      done = increment(connection, key, path, increment.delta());
    } else {
      JsonNode value = value(edit);
      String text = value == null ? null : JsonbText.text(value);
      if (text == null || text.length() > MAX_CHARS) {
        return Optional.empty();
      }
      done =
          edit instanceof JsonEdit.Set set
              ? set(connection, key, path, text, set.createMissing(), condition)
              : append(connection, key, path, text);
    }
    guess.found(slot, done.isPresent());
    return done;
  }

  /** Returns the value to set or append; null if this class cannot handle the edit. */
  private static @Nullable JsonNode value(JsonEdit edit) {
    if (edit instanceof JsonEdit.Set set && !set.value().isContainer()) {
      return set.value();
    }
    // The root has no slot. Keys that look like markers are stored with an escape, so a plain
    // document has none.
    return edit instanceof JsonEdit.Append append
            && !append.path().isRoot()
            && !Markers.hasSuchKey(append.elements())
        ? append.elements()
        : null;
  }

  /** Records where an edit ended. */
  void found(JsonEdit edit, boolean inRow) {
    guess.found(RowGuess.slot(new Steps(edit.path().steps())), inRow);
  }

  private Optional<Edited> set(
      Connection connection,
      RowKey key,
      Steps path,
      String value,
      boolean createMissing,
      JsonEdit.@Nullable Conditional condition)
      throws SQLException {
    JsonNode expected = condition == null ? null : condition.expected();
    Query.Parameters slot = path::bindSlot;
    int written =
        Query.update(
            connection,
            store.at(key).sql(KeyedSql.SET_IN_ROW),
            slot,
            Query.untyped(value),
            createMissing,
            condition != null,
            Query.untyped(expected == null ? null : JsonbText.text(expected)),
            store.policy().rowBudget(),
            key);
    return written == 1 ? Optional.of(Edited.APPLIED) : Optional.empty();
  }

  private Optional<Edited> increment(
      Connection connection, RowKey key, Steps path, BigDecimal delta) throws SQLException {
    Query.Parameters slot = path::bindSlot;
    return Query.read(
        connection,
        store.at(key).sql(KeyedSql.INCREMENT_IN_ROW),
        r -> r.next() ? Optional.of(new Edited(true, r.getBigDecimal(1), false)) : Optional.empty(),
        slot,
        delta,
        store.policy().rowBudget(),
        key);
  }

  private Optional<Edited> append(Connection connection, RowKey key, Steps path, String elements)
      throws SQLException {
    Query.Parameters array = path::bind;
    int written =
        Query.update(
            connection,
            store.at(key).sql(KeyedSql.APPEND_IN_ROW),
            array,
            Query.untyped(elements),
            store.policy().rowBudget(),
            key);
    return written == 1 ? Optional.of(Edited.APPLIED) : Optional.empty();
  }
}
