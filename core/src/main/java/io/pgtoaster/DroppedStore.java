package io.pgtoaster;

import io.pgtoaster.GarbageCollection.Store;
import io.pgtoaster.internal.Query;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A store whose table or column was dropped, and that no detached partition references. */
record DroppedStore(GcTransactions transactions, Store store) {
  private static final String SIZE =
      """
      SELECT coalesce(pg_catalog.sum(pg_catalog.pg_total_relation_size(r.part)), 0)
      FROM (SELECT CAST(? AS integer) AS id) s
      CROSS JOIN LATERAL pg_catalog.unnest(pgtoaster.store_parts(s.id)) p(name)
      CROSS JOIN LATERAL (
        SELECT pg_catalog.to_regclass(pgtoaster.store_table(s.id, p.name)) AS part) r
      """;

  List<GcReport.Item> collect(GcOptions options) {
    return transactions.<List<GcReport.Item>>run(
        connection -> {
          GcReport.Item item =
              new GcReport.Item(
                  store.id(),
                  "store",
                  store.id(),
                  size(connection),
                  "the %s of the column %s was dropped"
                      .formatted((store.table() == null ? "table" : "column"), store.column()));
          return options.dryRun() || drop(connection) ? List.of(item) : List.of();
        });
  }

  private long size(Connection connection) throws SQLException {
    return Query.<Long>one(connection, SIZE, r -> r.getLong(1), store.id());
  }

  private boolean drop(Connection connection) throws SQLException {
    return Query.is(connection, "SELECT pgtoaster.drop_orphaned_store(?)", store.id());
  }
}
