package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ConditionFailedException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Attempts;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.BatchContext;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.ColumnAccess.Resolved;
import io.pgtoaster.internal.column.EditKinds;
import io.pgtoaster.internal.column.LockOrder;
import io.pgtoaster.internal.column.OperationContext;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Makes the edits of one or more documents in one transaction.
 *
 * @param keys of the rows, as the caller passed them
 * @param edits of each row, in order
 * @param values converts the objects in the edits
 * @param <K> a key as the caller passed it
 */
record EditBatch<K>(List<K> keys, List<List<JsonEdit>> edits, Values values)
    implements BatchContext {
  private static final int STATEMENT_ROWS = 10_000;

  static <K> EditBatch<K> of(Map<K, ? extends Collection<JsonEdit>> edits, Values values) {
    EditBatch<K> batch = new EditBatch<>(new ArrayList<>(), new ArrayList<>(), values);
    edits.forEach(
        (key, list) -> {
          batch.keys.add(key);
          batch.edits.add(List.copyOf(list));
        });
    return batch;
  }

  /**
   * Applies the edits. Rows are locked in the order of their keys.
   *
   * @param all true to make all edits or throw; false to make all edits of each row that accepts
   *     them
   * @return the failures by key
   */
  Map<K, PgToasterException> apply(ColumnAccess<JsonToaster, JsonVtable> access, boolean all) {
    Map<Integer, PgToasterException> failures = new TreeMap<>(invalid(access, all));
    if (failures.size() < keys.size()) {
      OperationContext context = keys.size() == 1 ? operation(0) : this;
      failures.putAll(access.run(context, true, column -> apply(access, column, failures, all)));
    }
    return EachRow.byKey(keys, failures);
  }

  private Map<Integer, PgToasterException> apply(
      ColumnAccess<JsonToaster, JsonVtable> access,
      Resolved<JsonToaster, JsonVtable> column,
      Map<Integer, PgToasterException> invalid,
      boolean all) {
    List<Integer> order =
        LockOrder.of(keys.stream().map(column::key).toList()).stream()
            .filter(place -> !invalid.containsKey(place))
            .toList();
    int[] sent = new int[keys.size()];
    IntFunction<String> describe = i -> operation(i).describe(column.column().describe());
    EachRow.Work each = (c, places, failed) -> each(c, column, places, failed);
    try {
      return access
          .connections()
          .write(
              new Attempts(true),
              c -> {
                // Without a transaction, edits made before a failed one would remain.
                boolean whole = c.getAutoCommit();
                if (whole ? order.size() <= STATEMENT_ROWS : all) {
                  send(c, column, order, sent, whole);
                }
                return isDone(order, sent) ? Optional.of(Map.of()) : Optional.empty();
              },
              c -> {
                if (!all) {
                  return EachRow.run(c, order, false, describe, each);
                }
                int[] made = sent.clone();
                send(c, column, order, made, false);
                for (int i : order) {
                  finish(c, column, i, made[i]);
                }
                return Map.of();
              });
    } catch (PgToasterException e) {
      if (all || !EachRow.isFaultOfRow(e)) {
        throw e;
      }
    }
    return EachRow.run(access.connections(), order, false, describe, each);
  }

  /**
   * Edits each row that accepts all its edits. Throws an exception if it cannot find out which rows
   * failed.
   */
  private void each(
      Connection connection,
      Resolved<JsonToaster, JsonVtable> column,
      List<Integer> places,
      Map<Integer, PgToasterException> failed)
      throws SQLException {
    int[] made = new int[keys.size()];
    send(connection, column, places, made, false);
    for (int i : places) {
      if (made[i] > 0 || edits.get(i).isEmpty()) {
        finish(connection, column, i, made[i]);
        continue;
      }
      try {
        boolean unused =
            EachRow.inSavepoint(
                connection,
                c -> {
                  finish(c, column, i, 0);
                  return true;
                });
      } catch (PgToasterException e) {
        if (!EachRow.isFaultOfRow(e)) {
          throw e;
        }
        failed.put(i, e);
      }
    }
  }

  private boolean isDone(List<Integer> places, int[] made) {
    for (int i : places) {
      if (made[i] < edits.get(i).size()) {
        return false;
      }
    }
    return true;
  }

  /** Sends all edits that have not been made. */
  private void send(
      Connection connection,
      Resolved<JsonToaster, JsonVtable> column,
      List<Integer> order,
      int[] made,
      boolean whole)
      throws SQLException {
    List<Integer> open = order.stream().filter(i -> made[i] < edits.get(i).size()).toList();
    for (int from = 0; from < open.size(); from += STATEMENT_ROWS) {
      List<Integer> part = open.subList(from, Math.min(open.size(), from + STATEMENT_ROWS));
      int[] more =
          column
              .bind(
                  (c, resolved, row) ->
                      resolved
                          .vtable()
                          .tryEdits(
                              c,
                              part.stream().map(i -> resolved.key(keys.get(i))).toList(),
                              part.stream().map(i -> rest(i, made[i])).toList(),
                              whole),
                  operation(part.get(0)))
              .apply(connection);
      for (int p = 0; p < more.length; p++) {
        made[part.get(p)] += more[p];
      }
    }
  }

  private List<JsonEdit> rest(int place, int made) {
    return edits.get(place).subList(made, edits.get(place).size());
  }

  /** Makes the remaining edits of one row: first one alone, then as many as possible together. */
  private void finish(
      Connection connection, Resolved<JsonToaster, JsonVtable> column, int place, int made)
      throws SQLException {
    int[] next = {made};
    while (next[0] < edits.get(place).size()) {
      next[0] +=
          column
              .bind(
                  (c, resolved, row) -> {
                    applyOrThrow(c, resolved, row, place, next[0]);
                    List<JsonEdit> rest = rest(place, next[0] + 1);
                    return rest.isEmpty()
                        ? 1
                        : 1 + resolved.vtable().tryEdits(c, List.of(row), List.of(rest), false)[0];
                  },
                  operation(place))
              .apply(connection);
    }
  }

  private void applyOrThrow(
      Connection connection,
      Resolved<JsonToaster, JsonVtable> column,
      RowKey row,
      int place,
      int index)
      throws SQLException {
    JsonEdit edit = edits.get(place).get(index);
    try {
      if (!Edits.editNow(connection, column, row, edit).applied()
          && !(edit instanceof JsonEdit.Remove)) {
        throw edit instanceof JsonEdit.Conditional
            ? new ConditionFailedException(index + 1)
            : Edits.explain(edit, Edits.existing(connection, column.vtable(), row, edit.path()));
      }
    } catch (PgToasterException e) {
      throw SqlErrors.at(e, at(place, edit.path()).describe(column.column().describe()));
    }
  }

  /** Returns the rows with edits that no document accepts, or throws the first. */
  private Map<Integer, PgToasterException> invalid(
      ColumnAccess<JsonToaster, JsonVtable> access, boolean all) {
    Map<Integer, PgToasterException> failures = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      try {
        edits.get(i).forEach(EditBatch::check);
        edits.set(i, edits.get(i).stream().map(values::edit).toList());
      } catch (InvalidPathException | InvalidJsonException e) {
        failures.put(
            i, SqlErrors.at(e, operation(i).describe(access.resolved().column().describe())));
        if (all) {
          throw e;
        }
      }
    }
    return failures;
  }

  private static void check(JsonEdit edit) {
    edit.path().steps().forEach(DocumentOperation::checkKey);
    if (!EditKinds.needsValue(edit) && !Edits.replacesRoot(edit)) {
      DocumentPath unused = Edits.place(edit.path());
    }
  }

  private DocumentOperation operation(int place) {
    return DocumentOperation.row("edit", keys.get(place));
  }

  private DocumentOperation at(int place, DocumentPath path) {
    return new DocumentOperation("edit", keys.get(place), path);
  }

  @Override
  public String operation() {
    return "document.edit_all";
  }
}
