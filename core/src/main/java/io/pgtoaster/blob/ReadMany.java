package io.pgtoaster.blob;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.BatchContext;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.ColumnAccess.Resolved;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the same range, or the length, of many rows. Duplicate keys are read once. */
record ReadMany<K>(String verb, List<K> keys, long offset, int length) implements BatchContext {
  /** The maximum number of bytes that one statement returns, unless a single row has more. */
  private static final int STATEMENT_BYTES = 8 << 20;

  private static final int STATEMENT_ROWS = 10_000;

  /** Reads rows with one statement, and returns the positions of the rows that it did not read. */
  private interface Statement<R> {
    List<Integer> read(BlobVtable vtable, List<RowKey> keys, ObjIntConsumer<R> take)
        throws SQLException;
  }

  /** Reads from one row. */
  private interface Single<R> {
    R read(BlobVtable vtable, RowKey key) throws SQLException;
  }

  static <K> Map<K, byte[]> ranges(
      ColumnAccess<BlobToaster, BlobVtable> access, Collection<K> keys, long offset, int length) {
    ReadMany<K> operation = of("read_all", keys, offset, length);
    return access.run(
        operation,
        true,
        column ->
            access
                .connections()
                .read(
                    c ->
                        operation.<byte[]>read(
                            column,
                            (vtable, rows, take) ->
                                vtable.tryReadAll(c, rows, offset, length, take),
                            (vtable, key) -> Edits.range(c, vtable, key, offset, length, false))));
  }

  static <K> Map<K, Long> lengths(
      ColumnAccess<BlobToaster, BlobVtable> access, Collection<K> keys) {
    ReadMany<K> operation = of("lengths", keys, 0, 0);
    return access.run(
        operation,
        true,
        column ->
            access
                .connections()
                .read(
                    c ->
                        operation.<Long>read(
                            column,
                            (vtable, rows, take) -> vtable.tryLengths(c, rows, take),
                            (vtable, key) -> length(c, vtable, key))));
  }

  private static long length(Connection connection, BlobVtable vtable, RowKey key)
      throws SQLException {
    try {
      return vtable.pin(connection, key).length();
    } catch (BlobNotFoundException e) {
      return 0;
    }
  }

  private static <K> ReadMany<K> of(String verb, Collection<K> keys, long offset, int length) {
    return new ReadMany<>(verb, new LinkedHashSet<>(keys).stream().toList(), offset, length);
  }

  private <R> Map<K, R> read(
      Resolved<BlobToaster, BlobVtable> column, Statement<R> statement, Single<R> single)
      throws SQLException {
    Map<RowKey, Integer> places = new LinkedHashMap<>();
    Map<K, Integer> placeOf = new LinkedHashMap<>();
    for (K key : keys) {
      try {
        RowKey row = column.key(key);
        places.putIfAbsent(row, places.size());
        placeOf.put(key, places.get(row));
      } catch (RowNotFoundException e) {
        // No row can have this key.
      }
    }
    List<RowKey> rows = List.copyOf(places.keySet());
    Map<Integer, R> found = new HashMap<>();
    int most = Math.min(STATEMENT_ROWS, STATEMENT_BYTES / Math.max(1, length));
    List<Integer> rest = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += Math.max(1, most)) {
      int first = from;
      if (most == 0) {
        rest.add(first);
        continue;
      }
      List<RowKey> some = rows.subList(first, Math.min(rows.size(), first + most));
      for (int place :
          statement.read(column.vtable(), some, (result, i) -> found.put(first + i, result))) {
        rest.add(first + place);
      }
    }
    for (int place : rest) {
      try {
        found.put(place, single.read(column.vtable(), rows.get(place)));
      } catch (RowNotFoundException | BlobNotFoundException e) {
        // Left out of the result.
      } catch (PgToasterException e) {
        throw SqlErrors.at(
            e, BlobOperation.row(verb, rows.get(place)).describe(column.column().describe()));
      }
    }
    Map<K, R> results = new LinkedHashMap<>();
    placeOf.forEach(
        (key, place) -> {
          R result = found.get(place);
          if (result != null) {
            results.put(key, result);
          }
        });
    return results;
  }

  @Override
  public String operation() {
    return "blob." + verb;
  }

  @Override
  public long bytes(@Nullable Object result) {
    return result instanceof Map<?, ?> read
        ? read.values().stream().mapToLong(r -> r instanceof byte[] bytes ? bytes.length : 0).sum()
        : 0;
  }
}
