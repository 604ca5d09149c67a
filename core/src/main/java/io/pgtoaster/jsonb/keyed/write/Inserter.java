package io.pgtoaster.jsonb.keyed.write;

import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.OwnerRows;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.jsonb.keyed.build.Builder;
import io.pgtoaster.jsonb.keyed.build.NewNodes;
import io.pgtoaster.jsonb.keyed.build.StubBuilder;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/**
 * Inserts rows with their documents: the plain ones in one statement, then one statement for each
 * split one, sent in batches. In key order, each change between the two would be a round trip.
 */
public final class Inserter {
  private Inserter() {}

  /**
   * Inserts rows. Returns what was written for each; null if nothing was done, and the row must be
   * inserted first.
   */
  public static List<@Nullable PutResult> insert(
      KeyedStore store, Connection connection, List<RowKey> keys, List<JsonParser> documents)
      throws SQLException {
    List<RowKey> plain = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    List<Object[]> split = new ArrayList<>();
    @Nullable PutResult[] results = new PutResult[keys.size()];
    Arrays.fill(results, Putter.WRITTEN);
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      RowKey key = keys.get(i);
      NewNodes nodes = new NewNodes();
      StubBuilder.Stub stub = build(store.policy(), key, documents.get(i), nodes);
      if (stub.split()) {
        split.add(new Object[] {key, nodes, key, Query.untyped(stub.text())});
        places.add(i);
        results[i] = new PutResult(nodes.size() + 1L, 0, 0);
      } else {
        plain.add(key);
        texts.add(stub.text());
      }
    }
    OwnerRows.insert(connection, store.column(), plain, texts);
    if (!split.isEmpty()) {
      int[] inserted;
      try {
        inserted = Query.batch(connection, store.sql(KeyedSql.INSERT_DOCUMENT), split);
      } catch (SQLException e) {
        throw OwnerRows.unlessThere(e);
      }
      for (int i = 0; i < inserted.length; i++) {
        if (inserted[i] == 0) {
          results[places.get(i)] = null;
        }
      }
    }
    return Arrays.asList(results);
  }

  private static StubBuilder.Stub build(
      SplitPolicy policy, RowKey key, JsonParser document, NewNodes nodes) throws SQLException {
    long keyBytes = key.values().stream().mapToLong(String::length).sum();
    Putter.begin(document);
    StubBuilder.Stub stub =
        new StubBuilder(policy, new Builder(policy, nodes), () -> 0, policy.inlineBudget(keyBytes))
            .read(document);
    Json.requireEnd(document);
    return stub;
  }
}
