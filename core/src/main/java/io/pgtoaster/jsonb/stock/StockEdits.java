package io.pgtoaster.jsonb.stock;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.EditKinds;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.Positions;
import io.pgtoaster.spi.Edited;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Edits documents. Each edit is one UPDATE with a condition that is true only if the edit changes
 * something. If it changes nothing, the cause is determined with the row locked.
 */
record StockEdits(StockSql sql, StockRows rows) {
  private static final String OBJECT = "object";
  private static final String ARRAY = "array";

  /** Edits in one statement; returns empty if it changed nothing. */
  Optional<Edited> tryEdit(Connection connection, RowKey key, JsonEdit given, boolean trusted)
      throws SQLException {
    boolean root = given.path().isRoot();
    JsonEdit edit = given instanceof JsonEdit.Conditional c ? c.edit() : given;
    if (edit instanceof JsonEdit.Append append) {
      return extend(connection, key, edit, append.elements(), trusted);
    }
    if (edit instanceof JsonEdit.KeepLast keep) {
      JsonNode elements = JsonNodeFactory.instance.numberNode(keep.elements());
      String statement = root ? sql.keepLastOfRoot : sql.keepLast;
      return run(connection, statement, key, edit, elements, false, trusted);
    }
    if (edit instanceof JsonEdit.SetMembers all) {
      return extend(connection, key, edit, all.members(), trusted);
    }
    if (edit instanceof JsonEdit.Increment increment) {
      return StockRows.read(
          connection,
          root ? sql.incrementRoot : sql.increment,
          r ->
              applied(r)
                  ? Optional.of(new Edited(true, new BigDecimal(r.getString(2)), false))
                  : Optional.empty(),
          parameters(edit, increment.delta().toPlainString(), false, trusted),
          key);
    }
    if (root) {
      return Optional.empty();
    }
    if (edit instanceof JsonEdit.Set set) {
      return run(connection, sql.set, key, given, set.value(), set.createMissing(), trusted);
    }
    if (edit instanceof JsonEdit.Insert insert) {
      return run(connection, sql.insert, key, edit, insert.value(), insert.after(), trusted);
    }
    if (edit instanceof JsonEdit.Remove) {
      return run(connection, sql.remove, key, given, null, false, trusted);
    }
    throw JsonChanges.unknown(edit);
  }

  private Optional<Edited> extend(
      Connection connection, RowKey key, JsonEdit edit, JsonNode value, boolean trusted)
      throws SQLException {
    String statement = edit.path().isRoot() ? sql.extendRoot : sql.extend;
    return run(connection, statement, key, edit, value, false, trusted);
  }

  private Optional<Edited> run(
      Connection connection,
      String statement,
      RowKey key,
      JsonEdit edit,
      @Nullable JsonNode value,
      boolean flag,
      boolean trusted)
      throws SQLException {
    Query.Parameters parameters = parameters(edit, text(value), flag, trusted);
    return StockRows.<Boolean>read(connection, statement, this::applied, parameters, key)
        ? Optional.of(Edited.APPLIED)
        : Optional.empty();
  }

  private boolean applied(ResultSet r) throws SQLException {
    if (!r.next()) {
      return false;
    }
    rows.written(r.getLong(1));
    return true;
  }

  private static Query.Parameters parameters(
      JsonEdit edit, @Nullable String value, boolean flag, boolean trusted) {
    List<String> steps = edit.path().steps();
    return (s, first) ->
        Query.bind(
            s,
            first,
            StockRows.path(edit.path()),
            Query.untyped(value),
            flag,
            !steps.isEmpty() && Positions.read(steps.get(steps.size() - 1)).isPresent(),
            trusted,
            edit instanceof JsonEdit.Conditional,
            Query.untyped(edit instanceof JsonEdit.Conditional c ? text(c.expected()) : null));
  }

  private static @Nullable String text(@Nullable JsonNode value) {
    return value == null ? null : JsonbText.text(value);
  }

  Edited edit(Connection connection, RowKey key, JsonEdit given) throws SQLException {
    Probe found = probe(connection, key, given.path());
    JsonEdit edit = found.withParents(given);
    JsonEdit plain =
        given instanceof JsonEdit.Conditional c && c.expected() == null ? c.edit() : given;
    if (found.types.get(0) == null && plain instanceof JsonEdit.Set set && set.createParents()) {
      String document = JsonbText.text(JsonChanges.nested(set.path().steps(), set.value()));
      int unused = StockRows.update(connection, sql.put, document, key);
      rows.written(document.length());
      return Edited.APPLIED;
    }
    Optional<Edited> outcome = tryEdit(connection, key, edit, true);
    if (outcome.isPresent()) {
      return outcome.get();
    }
    if (edit instanceof JsonEdit.Conditional conditional) {
      if (!isSame(connection, key, conditional)) {
        return Edited.CONFLICT;
      }
      explain(found, conditional.edit());
    } else {
      explain(found, edit);
    }
    return Edited.MISSED;
  }

  /** Returns true if the expected value is stored, with the row locked. */
  private boolean isSame(Connection connection, RowKey key, JsonEdit.Conditional edit)
      throws SQLException {
    return StockRows.<Boolean>read(
        connection,
        sql.same,
        r -> r.next() && r.getBoolean(1),
        StockRows.path(edit.path()),
        Query.untyped(text(edit.expected())),
        key);
  }

  /** The types at the prefixes of a path, all null if there is no document. */
  private record Probe(List<@Nullable String> types, boolean empty) {
    /** Makes missing parents a part of the value that the edit sets. */
    JsonEdit withParents(JsonEdit edit) {
      if (edit instanceof JsonEdit.Conditional c) {
        return new JsonEdit.Conditional(withParents(c.edit()), c.expected());
      }
      int depth = types.indexOf(null);
      if (depth <= 0 || !(edit instanceof JsonEdit.Set set) || !set.createParents()) {
        return edit;
      }
      List<String> rest = set.path().steps().subList(depth, types.size() - 1);
      return new JsonEdit.Set(set.path().first(depth), JsonChanges.nested(rest, set.value()), true);
    }
  }

  private Probe probe(Connection connection, RowKey key, DocumentPath path) throws SQLException {
    return StockRows.read(
        connection,
        sql.probe,
        r -> {
          if (!r.next()) {
            throw new RowNotFoundException("there is no row with this key");
          }
          List<@Nullable String> found =
              Arrays.asList((@Nullable String[]) r.getArray(1).getArray());
          int types = found.size() - 2;
          if ("true".equals(found.get(types + 1))) {
            rows.requireUnattached(connection);
          }
          return new Probe(found.subList(0, types), "true".equals(found.get(types)));
        },
        StockRows.path(path),
        key);
  }

  /** Throws an exception for an ineffective edit if PostgreSQL's operator would fail. */
  private static void explain(Probe found, JsonEdit edit) {
    List<String> steps = edit.path().steps();
    List<@Nullable String> types = found.types;
    String root = types.get(0);
    String last = types.get(steps.size());
    if (EditKinds.changesContents(edit) || root == null) {
      return;
    }
    if (edit instanceof JsonEdit.Increment) {
      if (last != null) {
        throw new InvalidPathException(
            "only a number can be incremented, but the value is of type " + last);
      }
      return;
    }
    if (!isContainer(root)) {
      throw new InvalidPathException("a scalar has no members or elements to change");
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
          "the object already has a member with that key; set it to replace it");
    }
  }

  private static boolean isContainer(String type) {
    return type.equals(OBJECT) || type.equals(ARRAY);
  }
}
