package io.pgtoaster.jsonb.stock;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.Positions;
import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.EditOutcome;
import io.pgtoaster.jsonb.JsonEdit;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Edits: one UPDATE each, whose condition holds where it does change something. Where it does not,
 * the reason is looked for under the row's lock.
 */
final class StockEdits {
  private static final String OBJECT = "object";
  private static final String ARRAY = "array";

  private final StockSql sql;
  private final StockRows rows;

  StockEdits(StockSql sql, StockRows rows) {
    this.sql = sql;
    this.rows = rows;
  }

  /** One statement; empty if it changed nothing. */
  Optional<EditOutcome> tryEdit(Connection connection, RowKey key, JsonEdit given, boolean trusted)
      throws SQLException {
    boolean root = given.path().isRoot();
    JsonEdit edit = given instanceof JsonEdit.Conditional c ? c.edit() : given;
    if (edit instanceof JsonEdit.Set set) {
      return root
          ? Optional.empty()
          : run(connection, sql.set, key, given, text(set), set.createMissing(), trusted);
    }
    if (edit instanceof JsonEdit.Insert insert) {
      return root
          ? Optional.empty()
          : run(
              connection,
              sql.insert,
              key,
              edit,
              JsonbText.text(insert.value()),
              insert.after(),
              trusted);
    }
    if (edit instanceof JsonEdit.Remove) {
      return root
          ? Optional.empty()
          : run(connection, sql.remove, key, given, null, false, trusted);
    }
    if (edit instanceof JsonEdit.Concat concat) {
      String statement = root ? sql.concatRoot : sql.concat;
      return run(connection, statement, key, edit, JsonbText.text(concat.value()), false, trusted);
    }
    JsonEdit.Increment increment = (JsonEdit.Increment) edit;
    String statement = root ? sql.incrementRoot : sql.increment;
    try (PreparedStatement s = connection.prepareStatement(statement)) {
      String delta = increment.delta().toPlainString();
      bind(connection, s, key, edit, delta, false, trusted);
      try (ResultSet r = StockRows.query(s)) {
        return r.next()
            ? Optional.of(new EditOutcome(true, new BigDecimal(r.getString(1))))
            : Optional.empty();
      }
    }
  }

  private static String text(JsonEdit.Set set) {
    return JsonbText.text(set.value());
  }

  private static Optional<EditOutcome> run(
      Connection connection,
      String statement,
      RowKey key,
      JsonEdit edit,
      @Nullable String value,
      boolean flag,
      boolean trusted)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(statement)) {
      bind(connection, s, key, edit, value, flag, trusted);
      return StockRows.update(s) > 0 ? Optional.of(EditOutcome.APPLIED) : Optional.empty();
    }
  }

  private static void bind(
      Connection connection,
      PreparedStatement s,
      RowKey key,
      JsonEdit edit,
      @Nullable String value,
      boolean flag,
      boolean trusted)
      throws SQLException {
    DocumentPath path = edit.path();
    List<String> steps = path.steps();
    int next = StockRows.bindPath(connection, s, 1, path);
    s.setObject(next++, value, Types.OTHER);
    s.setBoolean(next++, flag);
    s.setBoolean(next++, !path.isRoot() && Positions.read(steps.get(steps.size() - 1)).isPresent());
    s.setBoolean(next++, trusted);
    s.setBoolean(next++, edit instanceof JsonEdit.Conditional);
    s.setObject(next++, edit instanceof JsonEdit.Conditional c ? expected(c) : null, Types.OTHER);
    key.bind(s, next);
  }

  private static @Nullable String expected(JsonEdit.Conditional edit) {
    JsonNode expected = edit.expected();
    return expected == null ? null : JsonbText.text(expected);
  }

  EditOutcome edit(Connection connection, RowKey key, JsonEdit edit) throws SQLException {
    Probe found = probe(connection, key, edit.path());
    Optional<EditOutcome> outcome = tryEdit(connection, key, edit, true);
    if (outcome.isPresent()) {
      return outcome.get();
    }
    if (edit instanceof JsonEdit.Conditional conditional) {
      if (!isSame(connection, key, conditional)) {
        return EditOutcome.CONFLICT;
      }
      explain(found, conditional.edit());
    } else {
      explain(found, edit);
    }
    return EditOutcome.MISSED;
  }

  /** Whether what is expected is there, under the row's lock. */
  private boolean isSame(Connection connection, RowKey key, JsonEdit.Conditional edit)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql.same)) {
      int next = StockRows.bindPath(connection, s, 1, edit.path());
      s.setObject(next++, expected(edit), Types.OTHER);
      key.bind(s, next);
      try (ResultSet r = StockRows.query(s)) {
        return r.next() && r.getBoolean(1);
      }
    }
  }

  /** Types at the prefixes of a path, all null if there is no document. */
  private record Probe(List<@Nullable String> types, boolean empty) {}

  private Probe probe(Connection connection, RowKey key, DocumentPath path) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql.probe)) {
      key.bind(s, StockRows.bindPath(connection, s, 1, path));
      try (ResultSet r = StockRows.query(s)) {
        if (!r.next()) {
          throw new RowNotFoundException("there is no row with this key");
        }
        if (r.getBoolean(3)) {
          rows.requireUnattached(connection);
        }
        return new Probe(
            Arrays.asList((@Nullable String[]) r.getArray(1).getArray()), r.getBoolean(2));
      }
    }
  }

  /** Refuses an edit that changed nothing where PostgreSQL's operator fails. */
  private static void explain(Probe found, JsonEdit edit) {
    List<String> steps = edit.path().steps();
    List<@Nullable String> types = found.types;
    String root = types.get(0);
    String last = types.get(steps.size());
    if (edit instanceof JsonEdit.Concat || root == null) {
      return;
    }
    if (edit instanceof JsonEdit.Increment) {
      if (last != null) {
        throw new InvalidPathException("only a number can be incremented, and there is " + last);
      }
      return;
    }
    if (!isContainer(root)) {
      throw new InvalidPathException("a scalar has no paths that could be changed");
    }
    boolean creates =
        edit instanceof JsonEdit.Insert
            || (edit instanceof JsonEdit.Set set && set.createMissing());
    if (found.empty && !creates) {
      return;
    }
    for (int i = 0; i < steps.size(); i++) {
      if (ARRAY.equals(types.get(i))) {
        int unused = Positions.require(steps, i);
      }
    }
    if (edit instanceof JsonEdit.Insert
        && !steps.isEmpty()
        && OBJECT.equals(types.get(steps.size() - 1))) {
      throw new InvalidPathException(
          "the object has a member of that key already; set it to replace it");
    }
  }

  private static boolean isContainer(String type) {
    return type.equals(OBJECT) || type.equals(ARRAY);
  }
}
