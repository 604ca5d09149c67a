package io.pgtoaster.blob;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BatchException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Attempts;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.BatchContext;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.ColumnAccess.Resolved;
import io.pgtoaster.internal.column.LockOrder;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Appends to many rows in one transaction. A statement locks rows in the order of their keys. Rows
 * to which it cannot append are processed afterwards; only these rows can cause a deadlock with
 * another batch.
 *
 * @param entries in the caller's order
 * @param <K> a key as the caller passed it
 */
record AppendBatch<K>(List<Entry<K>> entries) implements BatchContext {
  /** Longer appends are each one statement. */
  private static final int MAX_LISTED = 64 << 10;

  /** The maximum number of bytes in one statement. */
  private static final int STATEMENT_BYTES = 8 << 20;

  private static final int STATEMENT_ROWS = 10_000;

  /** An append to one row. */
  record Entry<K>(K key, AppendRequest request) {}

  private record Row(int place, RowKey key, AppendRequest request) {}

  /** Appends to all rows, or to none. */
  static <K> Map<K, AppendResult> all(
      ColumnAccess<BlobToaster, BlobVtable> access, Map<K, byte[]> appends) {
    List<Entry<K>> entries = new ArrayList<>(appends.size());
    appends.forEach(
        (key, bytes) ->
            entries.add(new Entry<>(key, AppendCalls.request(bytes, AppendOptions.defaults()))));
    Map<K, AppendResult> results = new LinkedHashMap<>();
    List<AppendOutcome> outcomes = new AppendBatch<>(entries).run(access, false, true);
    for (int i = 0; i < outcomes.size(); i++) {
      results.put(entries.get(i).key(), outcomes.get(i).orElseThrow());
    }
    return results;
  }

  /** Appends to each row that accepts its append. */
  static <K> Map<K, AppendOutcome> each(
      ColumnAccess<BlobToaster, BlobVtable> access, Map<K, BlobAppend> appends) {
    List<Entry<K>> entries = new ArrayList<>(appends.size());
    appends.forEach(
        (key, append) ->
            entries.add(new Entry<>(key, AppendCalls.request(append.bytes(), append.options()))));
    long tokens = entries.stream().filter(e -> e.request().token() != null).count();
    if (tokens > 0) {
      access.require(BlobCapability.TOKENS);
    }
    Map<K, AppendOutcome> results = new LinkedHashMap<>();
    boolean recognized = tokens == entries.size() && access.connections().connectionPerCall();
    List<AppendOutcome> outcomes = new AppendBatch<>(entries).run(access, recognized, false);
    for (int i = 0; i < outcomes.size(); i++) {
      results.put(entries.get(i).key(), outcomes.get(i));
    }
    return results;
  }

  private List<AppendOutcome> run(
      ColumnAccess<BlobToaster, BlobVtable> access, boolean recognized, boolean all) {
    if (entries.isEmpty()) {
      return List.of();
    }
    return access.run(
        this,
        new Attempts(true, recognized),
        column -> {
          List<Row> rows = rows(column);
          return access
              .connections()
              .write(
                  new Attempts(true),
                  c -> one(c, column, rows),
                  c -> inTransaction(c, column, rows, all));
        });
  }

  /** Returns the rows in the order in which they are locked. */
  private List<Row> rows(Resolved<BlobToaster, BlobVtable> column) {
    List<RowKey> keys = entries.stream().map(e -> column.key(e.key())).toList();
    return LockOrder.of(keys).stream()
        .map(i -> new Row(i, keys.get(i), entries.get(i).request()))
        .toList();
  }

  /** Appends to all rows with one statement in autocommit mode; empty if it changed nothing. */
  private Optional<List<AppendOutcome>> one(
      Connection connection, Resolved<BlobToaster, BlobVtable> column, List<Row> rows)
      throws SQLException {
    if (end(rows, 0) < rows.size() || !connection.getAutoCommit()) {
      return Optional.empty();
    }
    @Nullable AppendOutcome[] outcomes = new AppendOutcome[rows.size()];
    send(connection, column.vtable(), rows, true, outcomes);
    for (AppendOutcome outcome : outcomes) {
      if (outcome == null) {
        return Optional.empty();
      }
    }
    return Optional.of(complete(outcomes));
  }

  private List<AppendOutcome> inTransaction(
      Connection connection, Resolved<BlobToaster, BlobVtable> column, List<Row> rows, boolean all)
      throws SQLException {
    @Nullable AppendOutcome[] outcomes = new AppendOutcome[rows.size()];
    int from = 0;
    while (from < rows.size()) {
      int until = Math.max(from + 1, end(rows, from));
      List<Row> part = rows.subList(from, until);
      if (part.get(0).request().count() <= MAX_LISTED) {
        send(connection, column.vtable(), part, false, outcomes);
      }
      for (Row row : part) {
        if (outcomes[row.place()] == null) {
          outcomes[row.place()] = single(connection, column, row);
        }
      }
      from = until;
    }
    List<AppendOutcome> complete = complete(outcomes);
    if (all) {
      requireAll(complete);
    }
    return complete;
  }

  private void requireAll(List<AppendOutcome> outcomes) {
    Map<Object, PgToasterException> failures = new LinkedHashMap<>();
    for (int i = 0; i < outcomes.size(); i++) {
      PgToasterException failure = outcomes.get(i).failure();
      if (failure != null) {
        failures.put(entries.get(i).key(), failure);
      }
    }
    if (!failures.isEmpty()) {
      throw new BatchException(failures);
    }
  }

  /**
   * Returns the end of the rows that fit into one statement, or {@code from} if the first append is
   * too long.
   */
  private static int end(List<Row> rows, int from) {
    long bytes = 0;
    int i = from;
    while (i < rows.size() && i - from < STATEMENT_ROWS) {
      int count = rows.get(i).request().count();
      bytes += count;
      if (count > MAX_LISTED || bytes > STATEMENT_BYTES) {
        break;
      }
      i++;
    }
    return i;
  }

  private static void send(
      Connection connection,
      BlobVtable vtable,
      List<Row> rows,
      boolean whole,
      @Nullable AppendOutcome[] outcomes)
      throws SQLException {
    List<@Nullable AppendResult> results =
        vtable.tryAppendAll(
            connection,
            rows.stream().map(Row::key).toList(),
            rows.stream().map(Row::request).toList(),
            whole);
    for (int i = 0; i < rows.size(); i++) {
      AppendResult result = results.get(i);
      if (result != null) {
        outcomes[rows.get(i).place()] = new AppendOutcome(result);
      }
    }
  }

  /** Appends to one row. Errors of the server end the whole batch. */
  private AppendOutcome single(
      Connection connection, Resolved<BlobToaster, BlobVtable> column, Row row)
      throws SQLException {
    BlobVtable vtable = column.vtable();
    try {
      AppendResult result = vtable.tryAppend(connection, row.key(), row.request());
      return new AppendOutcome(
          result == null ? vtable.append(connection, row.key(), row.request()) : result);
    } catch (PgToasterException e) {
      BlobOperation context = AppendCalls.context(entries.get(row.place()).key(), row.request());
      SqlErrors.at(e, context.describe(column.column().describe()));
      if (e.getCause() instanceof SQLException) {
        throw e;
      }
      return new AppendOutcome(e);
    }
  }

  private static List<AppendOutcome> complete(@Nullable AppendOutcome[] outcomes) {
    List<AppendOutcome> complete = new ArrayList<>(outcomes.length);
    for (AppendOutcome outcome : outcomes) {
      complete.add(Objects.requireNonNull(outcome));
    }
    return complete;
  }

  @Override
  public List<?> keys() {
    return entries.stream().map(Entry::key).toList();
  }

  @Override
  public String operation() {
    return "blob.append_all";
  }

  @Override
  public long bytes(@Nullable Object result) {
    return result instanceof List<?> outcomes
        ? outcomes.stream()
            .mapToLong(
                o ->
                    o instanceof AppendOutcome outcome
                            && outcome.result() != null
                            && !outcome.result().repeated()
                        ? outcome.result().length()
                        : 0)
            .sum()
        : 0;
  }
}
