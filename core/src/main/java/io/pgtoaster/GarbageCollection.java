package io.pgtoaster;

import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.spi.GcRun;
import io.pgtoaster.spi.Toaster;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One run of gc over all stores. */
final class GarbageCollection {
  /**
   * The stores that the current role may collect. Only the owner may collect a store with tables; a
   * store without tables may be dropped by any role that may use it.
   */
  private static final String STORES =
      """
      SELECT a.store, a.toaster, a.schema_name, a.table_name, a.column_name,
             pgtoaster.is_orphaned(a.store) AND NOT EXISTS (SELECT FROM pgtoaster.naming_columns(a.store)),
             EXISTS (SELECT FROM pgtoaster.toaster t WHERE t.name = a.toaster AND pg_catalog.jsonb_exists(t.routines, 'collect'))
      FROM pgtoaster.attached_column a
      WHERE pgtoaster.can_use_store(a.store)
        AND NOT EXISTS (SELECT FROM pgtoaster.store s
                        JOIN pg_catalog.pg_class c ON c.oid = coalesce(CAST(s.head AS oid), CAST(s.owner AS oid))
                        WHERE s.id = a.store AND NOT pg_catalog.pg_has_role(c.relowner, 'USAGE'))
      ORDER BY a.store
      """;

  private static final String COLLECT =
      "SELECT c.kind, c.id, c.bytes, c.description FROM pgtoaster.collect(?, CAST(? AS interval),"
          + " ?) c";

  private final Installed database;
  private final GcTransactions transactions;
  private final Function<String, @Nullable Toaster<?, ?>> toasters;
  private final GcOptions options;
  private final List<GcReport.Item> items = new ArrayList<>();
  private final List<GcReport.Item> kept = new ArrayList<>();
  private final List<GcReport.Failure> failures = new ArrayList<>();
  private boolean disconnected;

  GarbageCollection(
      Installed database, Function<String, @Nullable Toaster<?, ?>> toasters, GcOptions options) {
    this.database = database;
    this.transactions = new GcTransactions(database.connections());
    this.toasters = toasters;
    this.options = options;
  }

  GcReport run() {
    database.<Boolean>read(connection -> true);
    for (Store store : transactions.<List<Store>>run(GarbageCollection::stores)) {
      attempt(store, () -> collect(store));
    }
    return new GcReport(
        List.copyOf(items), List.copyOf(kept), List.copyOf(failures), !options.dryRun());
  }

  private void collect(Store store) {
    if (store.orphaned()) {
      items.addAll(new DroppedStore(transactions, store).collect(options));
      return;
    }
    if (store.collectsItself()) {
      items.addAll(transactions.<List<GcReport.Item>>run(c -> collected(c, store)));
    }
    @Nullable Toaster<?, ?> toaster = toasters.apply(store.toaster());
    if (toaster != null) {
      toaster.collect(new Run(store));
    }
  }

  /** Runs the toaster's own collect function in the server. */
  private List<GcReport.Item> collected(Connection connection, Store store) throws SQLException {
    return Query.list(
        connection,
        COLLECT,
        r ->
            new GcReport.Item(
                store.id(), r.getString(1), r.getLong(2), r.getLong(3), r.getString(4)),
        store.id(),
        options.grace().toString(),
        options.dryRun());
  }

  /** Runs one step and records its failure, so that the other steps still run. */
  private void attempt(Store store, Runnable step) {
    if (disconnected) {
      return;
    }
    try {
      step.run();
    } catch (PgToasterException e) {
      PgToasterException cause = SqlErrors.at(e, "store " + store.id() + ", " + store.place());
      failures.add(new GcReport.Failure(store.id(), cause));
      disconnected =
          e instanceof ConnectionLostException || e instanceof ConnectionUnavailableException;
    }
  }

  /** Adapts this run to the toaster of one store. */
  private final class Run implements GcRun {
    private final Store about;

    Run(Store about) {
      this.about = about;
    }

    @Override
    public int store() {
      return about.id();
    }

    @Override
    public boolean dryRun() {
      return options.dryRun();
    }

    @Override
    public Duration grace() {
      return options.grace();
    }

    @Override
    public Duration tokenHorizon() {
      return options.tokenHorizon();
    }

    @Override
    public <R extends @Nullable Object> R transaction(Work<R> work) {
      return transactions.run(work::run);
    }

    @Override
    public void step(Runnable work) {
      attempt(about, work);
    }

    @Override
    public void found(String kind, long id, long bytes, String description) {
      items.add(new GcReport.Item(about.id(), kind, id, bytes, description));
    }

    @Override
    public void kept(String kind, long id, long bytes, String description) {
      kept.add(new GcReport.Item(about.id(), kind, id, bytes, description));
    }
  }

  /**
   * A store of the catalog.
   *
   * @param orphaned whether its table or column was dropped and no row can still reference its
   *     content
   * @param collectsItself whether its toaster has a collect function in the server
   */
  record Store(
      int id,
      String toaster,
      @Nullable String schema,
      @Nullable String table,
      String column,
      boolean orphaned,
      boolean collectsItself) {
    /** Returns the qualified column name, or only the column if the table was dropped. */
    String place() {
      return table == null ? "column " + column : schema + "." + table + "." + column;
    }
  }

  private static List<Store> stores(Connection connection) throws SQLException {
    return Query.list(
        connection,
        STORES,
        r ->
            new Store(
                r.getInt(1),
                r.getString(2),
                r.getString(3),
                r.getString(4),
                r.getString(5),
                r.getBoolean(6),
                r.getBoolean(7)));
  }
}
