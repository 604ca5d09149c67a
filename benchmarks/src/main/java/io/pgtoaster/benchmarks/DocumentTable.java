package io.pgtoaster.benchmarks;

import io.pgtoaster.PgToaster;
import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table of the workbench with documents in the column {@code data}.
 *
 * @param bench where it is
 * @param name of the table
 * @param store number of its store
 */
record DocumentTable(Workbench bench, String name, int store) {
  private static final List<String> PARTS = List.of("head", "node", "garbage");

  static DocumentTable create(Workbench bench, String name) throws SQLException {
    bench.drop(name);
    bench.execute("CREATE TABLE bench." + name + " (id bigint PRIMARY KEY, data jsonb)");
    int store =
        PgToaster.on(bench.connection())
            .catalog()
            .attach("bench", name, "data", "keyed", JsonOptions.defaults());
    return new DocumentTable(bench, name, store);
  }

  /** The documents by connections of the pool. */
  DocumentColumn own() {
    return PgToaster.create(bench.pool()).documents("bench", name, "data");
  }

  /** The documents on a connection. */
  DocumentColumn on(Connection connection) {
    return PgToaster.on(connection).documents("bench", name, "data");
  }

  void row(long id) throws SQLException {
    bench.execute("INSERT INTO bench." + name + " (id) VALUES (" + id + ")");
  }

  /** A row for each document of a set, under its number. */
  DocumentTable filled(DocumentSet set) throws SQLException {
    bench.execute(
        "INSERT INTO bench."
            + name
            + " SELECT i FROM generate_series(0, "
            + (set.count() - 1)
            + ") i");
    DocumentColumn column = own();
    for (int i = 0; i < set.count(); i++) {
      column.put((long) i, set.text(i));
    }
    return this;
  }

  /**
   * Copies the document of one row to the rows behind it, exactly as it is stored, up to a row.
   * Where it is spread over rows of the store, each copy gets its own.
   */
  void copy(long from, long upTo) throws SQLException {
    String series = "generate_series(" + (from + 1) + ", " + upTo + ") i";
    bench.execute("INSERT INTO " + part("head") + " (owner_1) SELECT i FROM " + series);
    bench.execute(
        String.format(
            "INSERT INTO %s SELECT h.id, n.id, n.version, n.kind, n.bytes, n.value, n.kids,"
                + " n.starts, n.lows FROM %s n, %s h WHERE h.owner_1 > %d AND n.doc ="
                + " (SELECT CAST(data -> '$pgtoaster' ->> 0 AS bigint) FROM bench.%s WHERE id = %d)",
            part("node"), part("node"), part("head"), from, name, from));
    String document =
        "CASE WHEN o.data ? '$pgtoaster' THEN jsonb_set(o.data, '{$pgtoaster,0}', to_jsonb(h.id))"
            + " ELSE o.data END";
    String source =
        "bench." + name + " o, " + series + " JOIN " + part("head") + " h ON h.owner_1 = i";
    bench.execute(
        "INSERT INTO bench."
            + name
            + " (id, data) SELECT i, "
            + document
            + " FROM "
            + source
            + " WHERE o.id = "
            + from);
  }

  String part(String part) {
    return "pgtoaster.store_" + store + "_" + part;
  }

  private Stream<String> relations() {
    return Stream.concat(Stream.of("bench." + name), PARTS.stream().map(this::part));
  }

  /** Bytes on disk: the table, its store, TOAST and indexes. */
  long diskBytes() throws SQLException {
    long sum = 0;
    for (String relation : relations().toList()) {
      sum += bench.number("SELECT pg_total_relation_size('" + relation + "')");
    }
    return sum;
  }

  void vacuum() throws SQLException {
    for (String relation : relations().toList()) {
      bench.execute("VACUUM ANALYZE " + relation);
    }
  }

  /**
   * Pages of the table, its store, TOAST and indexes that an operation reads or finds in memory, on
   * average.
   */
  double pages(Connection user, int operations, Work operation) throws Exception {
    long before = pages(user);
    for (int i = 0; i < operations; i++) {
      operation.run();
    }
    return (double) (pages(user) - before) / operations;
  }

  private long pages(Connection user) throws SQLException {
    try (PreparedStatement s = user.prepareStatement("SELECT pg_stat_force_next_flush()");
        ResultSet r = s.executeQuery()) {
      r.next();
    }
    String names = String.join(",", relations().toList());
    return bench.number(
        "SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)"
            + " + coalesce(toast_blks_read + toast_blks_hit + tidx_blks_read + tidx_blks_hit, 0))"
            + " FROM pg_statio_all_tables WHERE relid = ANY (CAST('{"
            + names
            + "}' AS regclass[]))");
  }
}
