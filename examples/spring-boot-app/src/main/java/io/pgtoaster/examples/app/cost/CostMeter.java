package io.pgtoaster.examples.app.cost;

import java.util.function.Supplier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Measures with PostgreSQL's own counters: the pages that this transaction accessed in each table,
 * and the end of the write-ahead log.
 */
@Component
public final class CostMeter {
  /** The table, its TOAST table, the tables of the column's store, and all their indexes. */
  private static final String RELATIONS =
      """
      WITH named AS (
        SELECT c.oid, c.reltoastrelid FROM pg_class c
        WHERE c.oid = CAST(CAST(? AS regclass) AS oid)
           OR c.oid IN (SELECT CAST(pg_catalog.to_regclass(pgtoaster.store_table(s.id, part)) AS oid)
                        FROM pgtoaster.store s, pg_catalog.unnest(pgtoaster.store_parts(s.id)) part
                        WHERE CAST(s.owner AS oid) = CAST(CAST(? AS regclass) AS oid))),
      tables AS (
        SELECT oid FROM named UNION SELECT reltoastrelid FROM named WHERE reltoastrelid <> CAST(0 AS oid))
      SELECT oid FROM tables
      UNION SELECT indexrelid FROM pg_index WHERE indrelid IN (SELECT oid FROM tables)
      """;

  private static final String READING =
      """
      SELECT coalesce(pg_catalog.sum(pg_catalog.pg_stat_get_xact_blocks_fetched(relation)), 0),
             pg_catalog.pg_current_wal_insert_lsn() - '0/0'
      FROM pg_catalog.unnest(CAST(? AS oid[])) relation
      """;

  private final JdbcTemplate jdbc;
  private final TransactionTemplate transactions;

  CostMeter(JdbcTemplate jdbc, TransactionTemplate transactions) {
    this.jdbc = jdbc;
    this.transactions = transactions;
  }

  /**
   * Runs work in a transaction, after a rehearsal that is rolled back. The first run fills caches,
   * and after a checkpoint PostgreSQL logs whole pages in it. Returns the lower figures of the two,
   * because other transactions may write to the log at the same time.
   *
   * @param table table whose pages are counted
   * @param work work to measure
   * @param <T> type of the result
   * @return the result of the second run, and the cost
   */
  public <T> Measured<T> measure(String table, Supplier<T> work) {
    Measured<T> measured =
        transactions.execute(
            status -> {
              Long[] of =
                  jdbc.queryForList(RELATIONS, Long.class, table, table).toArray(Long[]::new);
              Object start = status.createSavepoint();
              Measured<T> rehearsal = measureOnce(of, work);
              status.rollbackToSavepoint(start);
              status.releaseSavepoint(start);
              Measured<T> real = measureOnce(of, work);
              return new Measured<>(real.value(), real.cost().min(rehearsal.cost()));
            });
    if (measured == null) {
      throw new IllegalStateException("nothing was measured");
    }
    return measured;
  }

  private <T> Measured<T> measureOnce(Long[] of, Supplier<T> work) {
    Reading before = read(of);
    long began = System.nanoTime();
    T value = work.get();
    // Runs the constraint triggers that would otherwise wait for the commit.
    jdbc.execute("SET CONSTRAINTS ALL IMMEDIATE");
    long micros = (System.nanoTime() - began) / 1000;
    Reading after = read(of);
    return new Measured<>(
        value, new Cost(after.pages - before.pages, after.wal - before.wal, micros));
  }

  private record Reading(long pages, long wal) {}

  private Reading read(Long[] of) {
    return jdbc.query(READING, (row, n) -> new Reading(row.getLong(1), row.getLong(2)), (Object) of)
        .get(0);
  }
}
