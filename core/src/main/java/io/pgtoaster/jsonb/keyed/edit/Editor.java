package io.pgtoaster.jsonb.keyed.edit;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.Permission;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.Positions;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.format.Steps;
import io.pgtoaster.jsonb.keyed.read.Reads;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Locks;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import io.pgtoaster.spi.Edited;
import io.pgtoaster.spi.JsonInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Edits at one path with the store's routine. One statement does the edit; a second one locks the
 * owner's row if that is necessary.
 */
public final class Editor {
  private static final int MAX_ATTEMPTS = 100;

  /**
   * When a statement's JSON has this many characters, no further edit is added to it, because the
   * size of a jsonb is limited.
   */
  private static final int MAX_BATCH = 1 << 24;

  private static final String DIVISION_BY_ZERO = "22012";
  private static final String NOT_UPDATED = "the row was not updated; try again";
  private static final String SCALAR = "a scalar has no members or elements to change";
  private static final Steps ROOT = new Steps(List.of());

  private final KeyedStore store;
  private final SmallEdits small;

  public Editor(KeyedStore store) {
    this.store = store;
    this.small = new SmallEdits(store);
  }

  /** The routine's answer. Only {@link Outcome#APPLIED} changes anything. */
  private record Answer(
      Outcome outcome, @Nullable BigDecimal number, boolean written, boolean inRow) {
    static @Nullable Answer read(ResultSet r) throws SQLException {
      return r.next()
          ? new Answer(
              Outcome.of(r.getString(1)), r.getBigDecimal(2), r.getBoolean(3), r.getBoolean(4))
          : null;
    }

    boolean isFinal() {
      return written && outcome != Outcome.LOCK && outcome != Outcome.AGAIN;
    }
  }

  /**
   * Edits in one statement, or in a second one if the row must be locked first or another writer
   * was faster. Returns empty if nothing was done; then call {@link #edit}.
   */
  public Optional<Edited> tryEdit(Connection connection, RowKey key, JsonEdit edit)
      throws SQLException {
    if (edit instanceof JsonEdit.SetMembers || isComparedHere(edit)) {
      return Optional.empty();
    }
    Call call = Call.of(edit);
    if (call.isAtRoot()) {
      return Optional.empty();
    }
    Optional<Edited> inRow = small.edit(connection, key, edit);
    if (inRow.isPresent()) {
      return inRow;
    }
    Answer answer = ask(connection, key, call, store.touch());
    if (answer == null || answer.outcome() == Outcome.HEAD) {
      return Optional.empty();
    }
    small.found(edit, answer.inRow());
    return Optional.of(result(answer, edit));
  }

  /**
   * Makes several edits in one statement. For each document, stops at the first edit that is not
   * applied.
   *
   * @param whole whether to change nothing unless all edits can be made
   * @return number of edits made, for each document; a removal that finds nothing counts
   */
  public int[] tryEdits(
      Connection connection, List<RowKey> keys, List<List<JsonEdit>> edits, boolean whole)
      throws SQLException {
    int[] made = new int[keys.size()];
    int kept = keys.size() == 1 ? kept(edits.get(0)) : 0;
    if (kept > 0) {
      Answer answer =
          ask(connection, keys.get(0), Call.of(edits.get(0).get(1)).keeping(kept), store.touch());
      made[0] = answer != null && answer.outcome() == Outcome.APPLIED ? 2 : 0;
      return made;
    }
    long steps = 0;
    long sent = 0;
    // For each row, the number of edits up to the end of each step.
    List<List<Integer>> ends = new ArrayList<>();
    StringBuilder batch = new StringBuilder("[");
    for (int row = 0; row < made.length; row++) {
      List<Integer> end = new ArrayList<>();
      List<JsonEdit> list = edits.get(row);
      int next = 0;
      while (next < list.size() && batch.length() <= MAX_BATCH) {
        JsonEdit edit = list.get(next);
        if (edit instanceof JsonEdit.SetMembers || Call.of(edit).isAtRoot()) {
          break;
        }
        int most = next + 1 < list.size() ? kept(list.subList(next, next + 2)) : 0;
        Call call = most > 0 ? Call.of(list.get(next + 1)).keeping(most) : Call.of(edit);
        next += most > 0 ? 2 : 1;
        end.add(next);
        ObjectNode node = call.node();
        node.put("place", row + 1).put("step", end.size());
        batch.append(batch.length() == 1 ? "" : ",").append(JsonbText.text(node));
      }
      ends.add(end);
      steps += end.size();
      sent += next;
    }
    if (sent == 0 || (whole && sent < edits.stream().mapToLong(List::size).sum())) {
      return made;
    }
    long required = whole ? steps : 0;
    try {
      Object unused =
          store.ask(
              connection,
              store.at(keys.get(0)).sql(KeyedSql.EDITS),
              r -> {
                while (r.next()) {
                  int row = r.getInt(1) - 1;
                  int done = r.getInt(2);
                  made[row] = done <= 0 ? done : ends.get(row).get(done - 1);
                }
                return made;
              },
              store.policy().rowBudget(),
              store.touch(),
              Query.untyped(batch.append(']').toString()),
              Query.keys(keys),
              required);
    } catch (SQLException e) {
      if (whole && DIVISION_BY_ZERO.equals(e.getSQLState())) {
        return new int[made.length];
      }
      throw e;
    }
    if (IntStream.of(made).anyMatch(m -> m < 0)) {
      throw new ConcurrencyException(NOT_UPDATED);
    }
    return made;
  }

  /**
   * Returns the maximum number of elements of an array, if the edits remove elements from its start
   * and append others, which one edit can do; otherwise 0.
   */
  public static int kept(List<JsonEdit> edits) {
    return edits.size() == 2
            && edits.get(0) instanceof JsonEdit.KeepLast keep
            && edits.get(1) instanceof JsonEdit.Append append
            && keep.path().equals(append.path())
        ? (int) Math.min((long) keep.elements() + append.elements().size(), Integer.MAX_VALUE)
        : 0;
  }

  /** Edits with the owner's row locked. */
  public Edited edit(Connection connection, RowKey key, JsonEdit edit) throws SQLException {
    if (edit instanceof JsonEdit.Conditional conditional && isComparedHere(edit)) {
      return editIfEqual(connection, key, conditional);
    }
    Call call = Call.of(edit);
    if (call.isAtRoot()) {
      return atRoot(connection, key);
    }
    Answer answer = ask(connection, key, call, true);
    if (answer == null || answer.outcome() == Outcome.HEAD) {
      Permission.requireUpdate(connection, store.column(), key);
      throw answer == null ? Refusals.noRow() : new DocumentCorruptException(Refusals.NOT_OWNED);
    }
    return result(answer, edit);
  }

  /**
   * An edit as the parameters of the statements.
   *
   * @param expected the expected value; for an append, the number of elements to keep, or null
   */
  private record Call(
      Steps path,
      String op,
      boolean flag,
      @Nullable JsonNode value,
      boolean conditional,
      @Nullable JsonNode expected)
      implements Query.Parameters {
    static Call of(JsonEdit edit) {
      if (edit instanceof JsonEdit.Conditional c) {
        Call call = of(c.edit());
        return new Call(call.path, call.op, call.flag, call.value, true, c.expected());
      }
      return plain(edit);
    }

    private static Call plain(JsonEdit edit) {
      Steps path = new Steps(edit.path().steps());
      if (edit instanceof JsonEdit.Set set) {
        return new Call(
            path, set.createParents() ? "create" : "set", set.createMissing(), set.value());
      } else if (edit instanceof JsonEdit.Insert insert) {
        return new Call(path, "insert", insert.after(), insert.value());
      } else if (edit instanceof JsonEdit.Append append) {
        return new Call(path, "append", false, append.elements());
      } else if (edit instanceof JsonEdit.KeepLast keep) {
        JsonNode elements = JsonNodeFactory.instance.numberNode(keep.elements());
        return new Call(path, "keep_last", false, elements);
      } else if (edit instanceof JsonEdit.Increment increment) {
        Json.checkNumber(increment.delta());
        return new Call(path, "increment", false, JsonChanges.number(increment.delta()));
      } else if (edit instanceof JsonEdit.Remove) {
        return new Call(path, "remove", false, null);
      }
      throw JsonChanges.unknown(edit);
    }

    private Call(Steps path, String op, boolean flag, @Nullable JsonNode value) {
      this(path, op, flag, value, false, null);
    }

    /** Returns this append, changed to also remove elements so that at most this number is left. */
    Call keeping(int elements) {
      JsonNode most = JsonNodeFactory.instance.numberNode(elements);
      return new Call(path, op, flag, value, false, most);
    }

    boolean isAtRoot() {
      return path.length() == 0 && !op.equals("append") && !op.equals("keep_last");
    }

    /** Returns an object with all parameters, for statements that make several edits. */
    ObjectNode node() {
      ObjectNode node = Json.mapper().createObjectNode();
      node.put("op", op).put("flag", flag).put("special", special());
      node.set("raw", Json.toTree(path.given()));
      node.set("stored", Json.toTree(path.escaped()));
      node.set("value", forms(value));
      node.put("conditional", conditional);
      node.set("expected", forms(expected));
      return node;
    }

    /** Returns a value as given, followed by its form in split documents if that differs. */
    private static ArrayNode forms(@Nullable JsonNode value) {
      ArrayNode forms = Json.mapper().createArrayNode();
      if (value != null) {
        forms.add(value);
        if (Markers.hasSuchKey(value)) {
          forms.add(Markers.escape(value));
        }
      }
      return forms;
    }

    boolean special() {
      return !path.isPlain() || (value != null && Markers.hasSuchKey(value));
    }

    @Override
    public int bind(PreparedStatement s, int first) throws SQLException {
      return Query.bind(
          s,
          path.bindBoth(s, first),
          values(value),
          op,
          flag,
          conditional,
          values(expected),
          special());
    }

    /** Returns a value as given, followed by its form in split documents if that differs. */
    private static Query.Parameters values(@Nullable JsonNode value) {
      String text = value == null ? null : JsonbText.text(value);
      String stored =
          value != null && Markers.hasSuchKey(value) ? JsonbText.text(Markers.escape(value)) : null;
      return (s, first) -> Query.bind(s, first, Query.untyped(text), Query.untyped(stored));
    }
  }

  /** Edits with the owner's row locked, or without the lock if the edit does not need it. */
  private @Nullable Answer ask(Connection connection, RowKey key, Call call, boolean locks)
      throws SQLException {
    boolean locked = locks;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      KeyedSql sql =
          store.touch()
              ? KeyedSql.EDIT_TOUCHING
              : locked ? KeyedSql.EDIT_IN_LOCKED_ROW : KeyedSql.EDIT_UNLOCKED;
      Answer answer;
      try {
        answer =
            store.ask(
                connection,
                store.at(key).sql(sql),
                Answer::read,
                call,
                store.policy().rowBudget(),
                key,
                key);
      } catch (SQLException e) {
        if (DIVISION_BY_ZERO.equals(e.getSQLState())) {
          throw new ConcurrencyException(NOT_UPDATED, e);
        }
        throw e;
      }
      if (answer == null || answer.isFinal()) {
        return answer;
      }
      if (sql != KeyedSql.EDIT_UNLOCKED && !answer.written()) {
        throw new ConcurrencyException(NOT_UPDATED);
      }
      locked |= answer.outcome() != Outcome.AGAIN;
    }
    throw new ConcurrencyException("other writers kept changing the place of the edit; try again");
  }

  /**
   * Returns whether the client compares the value: a routine on a node of Citus cannot read a value
   * of several rows.
   */
  private boolean isComparedHere(JsonEdit edit) {
    return store.column().distributed()
        && edit instanceof JsonEdit.Conditional conditional
        && conditional.expected() != null;
  }

  /** Compares the value while the document is locked, and edits. */
  private Edited editIfEqual(Connection connection, RowKey key, JsonEdit.Conditional edit)
      throws SQLException {
    new Locks(store, connection, key).document();
    Steps path = new Steps(edit.path().steps());
    try (InputStream text = new Reads(store).open(connection, key, path, null, 0)) {
      if (!edit.holds(text == null ? null : Json.readTree(text))) {
        return Edited.CONFLICT;
      }
    } catch (IOException e) {
      throw e.getCause() instanceof RuntimeException known ? known : new UncheckedIOException(e);
    }
    return edit(connection, key, edit.edit());
  }

  /** Returns the outcome for the caller, or throws an exception. */
  private static Edited result(Answer answer, JsonEdit edit) {
    return switch (answer.outcome()) {
      case APPLIED -> new Edited(true, answer.number(), false);
      case MISSED -> Edited.MISSED;
      case CONFLICT -> Edited.CONFLICT;
      case POSITION -> {
        int step = Objects.requireNonNull(answer.number(), "number").intValueExact() - 1;
        int unused = Positions.require(edit.path().steps(), step);
        throw new IllegalStateException("step " + step + " of " + edit.path() + " is a position");
      }
      case SCALAR -> throw new InvalidPathException(SCALAR);
      case EXISTS ->
          throw new InvalidPathException(
              "the object already has a member with that key; set it to replace it");
      case NUMBER -> throw JsonChanges.notANumber();
      case LOCK, AGAIN, HEAD -> throw new IllegalStateException(answer.outcome().name());
    };
  }

  /**
   * Changes nothing, because the root is not in a slot. Throws an exception for a scalar, as
   * PostgreSQL does.
   */
  private Edited atRoot(Connection connection, RowKey key) throws SQLException {
    Optional<JsonInfo> root = new Reads(store).describe(connection, key, ROOT, false);
    if (root.isPresent() && !root.get().type().isContainer()) {
      throw new InvalidPathException(SCALAR);
    }
    return Edited.MISSED;
  }
}
