package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.EditOutcome;
import io.pgtoaster.jsonb.JsonEdit;
import io.pgtoaster.jsonb.PutResult;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Edits that often can be done in one statement: small values, and numbers. Where one is expected
 * in the owner's row it is a statement for that row alone, else one for all places.
 */
final class Trials {
  private static final int MAX_CHARS = 1_000;
  private static final PutResult WRITTEN = new PutResult(1, 0, 0);

  private final KeyedStore store;

  private final RowGuess guess = new RowGuess();

  Trials(KeyedStore store) {
    this.store = store;
  }

  Optional<EditOutcome> edit(Connection connection, RowKey key, JsonEdit given)
      throws SQLException {
    JsonEdit.Conditional condition = given instanceof JsonEdit.Conditional c ? c : null;
    JsonEdit edit = condition == null ? given : condition.edit();
    Steps path = new Steps(edit.path().steps());
    if (path.length() == 0 || Markers.looksLikeOne(path.last())) {
      return Optional.empty();
    }
    if (edit instanceof JsonEdit.Set set && !set.value().isContainer()) {
      String text = JsonbText.text(set.value());
      return text.length() > MAX_CHARS
          ? Optional.empty()
          : set(connection, key, path, new NewValue(text, set.createMissing(), condition));
    }
    if (edit instanceof JsonEdit.Increment increment) {
      return increment(connection, key, path, increment.delta());
    }
    return Optional.empty();
  }

  /** What is set, and when. */
  private record NewValue(
      String text, boolean createMissing, JsonEdit.@Nullable Conditional condition) {
    int bind(PreparedStatement s, int first) throws SQLException {
      s.setObject(first, text, Types.OTHER);
      s.setBoolean(first + 1, createMissing);
      s.setBoolean(first + 2, condition != null);
      JsonNode expected = condition == null ? null : condition.expected();
      s.setObject(first + 3, expected == null ? null : JsonbText.text(expected), Types.OTHER);
      return first + 4;
    }
  }

  private Optional<EditOutcome> set(Connection connection, RowKey key, Steps path, NewValue value)
      throws SQLException {
    int slot = RowGuess.slot(path);
    if (guess.expects(slot) && path.isPlain()) {
      try (PreparedStatement s = connection.prepareStatement(store.sql().setInRow)) {
        row(s, value.bind(s, path.bindSlot(connection, s, 1)), key);
        boolean done = s.executeUpdate() == 1;
        guess.found(slot, done);
        return done ? Optional.of(EditOutcome.APPLIED) : Optional.empty();
      }
    }
    try (PreparedStatement s = connection.prepareStatement(store.sql().trySet)) {
      int next = key.bind(s, path.bind(connection, s, 1, path.length() - 1));
      limits(s, value.bind(s, next), key);
      return anywhere(s, slot) == null ? Optional.empty() : Optional.of(EditOutcome.APPLIED);
    }
  }

  private Optional<EditOutcome> increment(
      Connection connection, RowKey key, Steps path, BigDecimal delta) throws SQLException {
    int slot = RowGuess.slot(path);
    if (guess.expects(slot) && path.isPlain()) {
      try (PreparedStatement s = connection.prepareStatement(store.sql().incrementInRow)) {
        int next = path.bindSlot(connection, s, 1);
        s.setBigDecimal(next++, delta);
        row(s, next, key);
        String number = result(s);
        guess.found(slot, number != null);
        return number(number);
      }
    }
    try (PreparedStatement s = connection.prepareStatement(store.sql().tryIncrement)) {
      int next = key.bind(s, path.bind(connection, s, 1, path.length() - 1));
      s.setBigDecimal(next++, delta);
      limits(s, next, key);
      return number(anywhere(s, slot));
    }
  }

  private static Optional<EditOutcome> number(@Nullable String number) {
    return number == null
        ? Optional.empty()
        : Optional.of(new EditOutcome(true, new BigDecimal(number)));
  }

  private void row(PreparedStatement s, int first, RowKey key) throws SQLException {
    s.setInt(first, store.policy().rowBudget());
    key.bind(s, first + 1);
  }

  /** Stores a plain document over a plain one, where it fits into the row. */
  Optional<PutResult> put(Connection connection, RowKey key, JsonNode document)
      throws SQLException {
    long size = JsonbSize.size(document);
    if (size > store.policy().rowBudget() || Markers.hasSuchKey(document)) {
      return Optional.empty();
    }
    try (PreparedStatement s = connection.prepareStatement(store.sql().tryPut)) {
      String text = JsonbText.text(document);
      s.setObject(1, text, Types.OTHER);
      int next = key.bind(s, 2);
      s.setString(next++, text);
      s.setLong(next++, size);
      s.setInt(next++, store.policy().rowBudget() - SplitPolicy.ROW_HEADER);
      s.setInt(next, SplitPolicy.LEAST_INLINE);
      return s.executeUpdate() == 1 ? Optional.of(WRITTEN) : Optional.empty();
    }
  }

  private void limits(PreparedStatement s, int first, RowKey key) throws SQLException {
    SplitPolicy policy = store.policy();
    s.setInt(first, policy.leafSize() + policy.leafSize() / 2);
    s.setInt(key.bind(s, first + 1), policy.rowBudget());
  }

  private static @Nullable String result(PreparedStatement s) throws SQLException {
    try (ResultSet r = s.executeQuery()) {
      return r.next() ? r.getString(1) : null;
    }
  }

  /** Runs a statement for all places, and notes which it was. */
  private @Nullable String anywhere(PreparedStatement s, int slot) throws SQLException {
    try (ResultSet r = s.executeQuery()) {
      if (!r.next()) {
        return null;
      }
      guess.found(slot, r.getBoolean(2));
      return r.getString(1);
    }
  }
}
