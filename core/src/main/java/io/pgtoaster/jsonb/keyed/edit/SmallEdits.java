package io.pgtoaster.jsonb.keyed.edit;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.EditOutcome;
import io.pgtoaster.jsonb.JsonEdit;
import io.pgtoaster.jsonb.keyed.format.Steps;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Small values and numbers that are expected in the owner's row: an UPDATE of that row alone. */
final class SmallEdits {
  private static final int MAX_CHARS = 1_000;

  private final KeyedStore store;
  private final RowGuess guess = new RowGuess();

  SmallEdits(KeyedStore store) {
    this.store = store;
  }

  /** Edits the row, if the last edits at the same keys did; empty if nothing was done. */
  Optional<EditOutcome> edit(Connection connection, RowKey key, JsonEdit given)
      throws SQLException {
    JsonEdit.Conditional condition = given instanceof JsonEdit.Conditional c ? c : null;
    JsonEdit edit = condition == null ? given : condition.edit();
    Steps path = new Steps(edit.path().steps());
    int slot = RowGuess.slot(path);
    if (!guess.expects(slot) || !path.isPlain()) {
      return Optional.empty();
    }
    Optional<EditOutcome> done = Optional.empty();
    if (edit instanceof JsonEdit.Set set && !set.value().isContainer()) {
      done = set(connection, key, path, set, condition);
    } else if (edit instanceof JsonEdit.Increment increment) {
      done = increment(connection, key, path, increment.delta());
    }
    guess.found(slot, done.isPresent());
    return done;
  }

  /** Notes where an edit has ended. */
  void found(JsonEdit edit, boolean inRow) {
    guess.found(RowGuess.slot(new Steps(edit.path().steps())), inRow);
  }

  private Optional<EditOutcome> set(
      Connection connection,
      RowKey key,
      Steps path,
      JsonEdit.Set set,
      JsonEdit.@Nullable Conditional condition)
      throws SQLException {
    String text = JsonbText.text(set.value());
    if (text.length() > MAX_CHARS) {
      return Optional.empty();
    }
    JsonNode expected = condition == null ? null : condition.expected();
    Query.Parameters slot = path::bindSlot;
    int written =
        Query.update(
            connection,
            store.sql(KeyedSql.SET_IN_ROW),
            slot,
            Query.untyped(text),
            set.createMissing(),
            condition != null,
            Query.untyped(expected == null ? null : JsonbText.text(expected)),
            store.policy().rowBudget(),
            key);
    return written == 1 ? Optional.of(EditOutcome.APPLIED) : Optional.empty();
  }

  private Optional<EditOutcome> increment(
      Connection connection, RowKey key, Steps path, BigDecimal delta) throws SQLException {
    Query.Parameters slot = path::bindSlot;
    return Query.read(
        connection,
        store.sql(KeyedSql.INCREMENT_IN_ROW),
        r -> r.next() ? Optional.of(new EditOutcome(true, r.getBigDecimal(1))) : Optional.empty(),
        slot,
        delta,
        store.policy().rowBudget(),
        key);
  }
}
