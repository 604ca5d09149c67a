package io.pgtoaster.jsonb;

import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.BatchContext;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.ColumnAccess.Resolved;
import io.pgtoaster.internal.column.LockOrder;
import io.pgtoaster.internal.column.OwnerRows;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;

/**
 * Inserts rows with their documents in one transaction.
 *
 * @param keys of the rows, as the caller passed them
 * @param documents of the rows
 * @param <K> a key as the caller passed it
 */
record InsertBatch<K>(List<K> keys, List<JsonNode> documents) implements BatchContext {
  private static final int BATCH_ROWS = 1_000;
  private static final int BATCH_BYTES = 8_000_000;

  static <K> InsertBatch<K> of(
      Map<K, ?> given, Values values, ColumnAccess<JsonToaster, JsonVtable> access) {
    InsertBatch<K> batch = new InsertBatch<>(new ArrayList<>(), new ArrayList<>());
    given.forEach(
        (key, document) -> {
          batch.keys.add(key);
          try {
            batch.documents.add(values.document(Json.notText(document, "mapper.readTree")));
          } catch (InvalidJsonException e) {
            int place = batch.documents.size();
            throw SqlErrors.at(
                e, batch.operation(place).describe(access.resolved().column().describe()));
          }
        });
    return batch;
  }

  /**
   * Inserts the rows in the order of their keys.
   *
   * @param all true to insert all rows or throw; false to insert those that can be inserted
   * @return the failures by key
   */
  Map<K, PgToasterException> apply(ColumnAccess<JsonToaster, JsonVtable> access, boolean all) {
    if (keys.isEmpty()) {
      return Map.of();
    }
    return access.run(
        this,
        true,
        column -> {
          List<Integer> order = LockOrder.of(keys.stream().map(column::key).toList());
          try {
            boolean unused =
                access.connections().inTransaction(true, c -> insert(c, column, order));
            return Map.of();
          } catch (PgToasterException e) {
            if (!EachRow.isFaultOfRow(e)) {
              throw e;
            }
          }
          return EachRow.byKey(
              keys,
              EachRow.run(
                  access.connections(),
                  order,
                  all,
                  place -> operation(place).describe(column.column().describe()),
                  (c, places, failed) -> insert(c, column, places)));
        });
  }

  private boolean insert(
      Connection connection, Resolved<JsonToaster, JsonVtable> column, List<Integer> order)
      throws SQLException {
    List<Integer> batch = new ArrayList<>();
    long bytes = 0;
    for (int place : order) {
      long size = JsonbSize.size(documents.get(place));
      boolean large = size > WholeDocuments.ONE_STATEMENT;
      if (large || batch.size() == BATCH_ROWS || bytes + size > BATCH_BYTES) {
        send(connection, column, batch);
        batch.clear();
        bytes = 0;
      }
      if (large) {
        insertThenPut(connection, column, place);
        continue;
      }
      batch.add(place);
      bytes += size;
    }
    send(connection, column, batch);
    return true;
  }

  private void send(
      Connection connection, Resolved<JsonToaster, JsonVtable> column, List<Integer> places)
      throws SQLException {
    if (places.isEmpty()) {
      return;
    }
    List<RowKey> rows = places.stream().map(i -> column.key(keys.get(i))).toList();
    List<JsonParser> parsers =
        places.stream().map(i -> Json.mapper().treeAsTokens(documents.get(i))).toList();
    List<@Nullable PutResult> inserted = column.vtable().tryInserts(connection, rows, parsers);
    for (int i = 0; i < rows.size(); i++) {
      if (inserted.get(i) == null) {
        insertThenPut(connection, column, places.get(i));
      }
    }
  }

  private void insertThenPut(
      Connection connection, Resolved<JsonToaster, JsonVtable> column, int place)
      throws SQLException {
    RowKey row = column.key(keys.get(place));
    OwnerRows.insert(connection, column.column(), row);
    column.vtable().put(connection, row, Json.mapper().treeAsTokens(documents.get(place)));
  }

  private DocumentOperation operation(int place) {
    return DocumentOperation.row("insert", keys.get(place));
  }

  @Override
  public String operation() {
    return "document.insert_all";
  }
}
