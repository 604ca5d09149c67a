package io.pgtoaster.jsonb.keyed.edit;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.EditOutcome;
import io.pgtoaster.jsonb.JsonEdit;
import io.pgtoaster.jsonb.keyed.format.Steps;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
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
    try (PreparedStatement s = connection.prepareStatement(store.sql().setInRow)) {
      int next = path.bindSlot(connection, s, 1);
      s.setObject(next++, text, Types.OTHER);
      s.setBoolean(next++, set.createMissing());
      s.setBoolean(next++, condition != null);
      JsonNode expected = condition == null ? null : condition.expected();
      s.setObject(next++, expected == null ? null : JsonbText.text(expected), Types.OTHER);
      s.setInt(next++, store.policy().rowBudget());
      key.bind(s, next);
      return s.executeUpdate() == 1 ? Optional.of(EditOutcome.APPLIED) : Optional.empty();
    }
  }

  private Optional<EditOutcome> increment(
      Connection connection, RowKey key, Steps path, BigDecimal delta) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(store.sql().incrementInRow)) {
      int next = path.bindSlot(connection, s, 1);
      s.setBigDecimal(next++, delta);
      s.setInt(next++, store.policy().rowBudget());
      key.bind(s, next);
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? Optional.of(new EditOutcome(true, r.getBigDecimal(1))) : Optional.empty();
      }
    }
  }
}
