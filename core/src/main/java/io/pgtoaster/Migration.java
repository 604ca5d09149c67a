package io.pgtoaster;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.CallersConnection;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.internal.hook.Hidden;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.spi.JsonToaster;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Migrates an existing column to a toaster, or back, while the application keeps running. A shadow
 * column next to the old one is filled in small transactions and compared with it. Finally it takes
 * the old column's name under a short lock. The old column is kept as {@code <column>_before} until
 * {@link #drop}. A {@code jsonb} column is attached as it is, and its documents are split in place.
 *
 * <p>Functions in the server do the work and store the state of the migration in a table there.
 * After an interruption at any point, start again: the migration continues where it stopped. Each
 * call runs in its own transaction; do not call it within a transaction. Calls may come from any
 * thread, but only one session at a time can work on a column.
 *
 * @see Catalog#migration
 */
public final class Migration {
  private static final String COLUMN = "(CAST(CAST(? AS oid) AS regclass), CAST(? AS name)";
  private static final String OPTIONS =
      ", CAST(? AS text), pg_catalog.jsonb_object(CAST(? AS text[])))";

  /** Time until the lag is checked again, in milliseconds. */
  private static final long POLL = 200;

  /** Bytes of documents to migrate as a sample, to estimate the total time. */
  private static final long SAMPLE = 2 << 20;

  private final Installed database;
  private final Toasters<JsonToaster> toasters;
  private final boolean extension;
  private final ColumnName column;

  Migration(
      Installed database, Toasters<JsonToaster> toasters, boolean extension, ColumnName column) {
    this.database = database;
    this.toasters = toasters;
    this.extension = extension;
    this.column = column;
  }

  /**
   * The work and the cost of a migration.
   *
   * @param rows number of rows to be copied
   * @param bytes bytes to be copied
   * @param disk additional disk space in bytes, until the old column is dropped
   * @param seconds estimated duration in seconds, without a rate limit. The estimate comes from
   *     migrating a sample (up to 16 MB, or 2 MB of documents) and rolling back. It is 0 for an
   *     attached column, which is not sampled
   * @param notes what to know before starting, such as indexes and views that use the column
   */
  public record Plan(long rows, long bytes, long disk, double seconds, List<String> notes) {
    Plan taking(double measured) {
      return new Plan(rows, bytes, disk, measured, notes);
    }
  }

  /**
   * The progress of a migration.
   *
   * @param phase {@code count}, {@code copy}, {@code compare}, {@code split} (documents), {@code
   *     again} (copies what has changed meanwhile), or {@code ready} (can be finished)
   * @param rows number of rows processed in this phase
   * @param bytes bytes processed in this phase
   * @param totalRows total number of rows when they were counted
   * @param totalBytes total bytes when they were counted
   * @param recopied number of rows that differed in the comparison and were copied again
   * @param stepBytes bytes processed in the last step
   * @param waitsFor the standby or slot that the next step waits for; null if it does not wait
   */
  public record Progress(
      String phase,
      long rows,
      long bytes,
      long totalRows,
      long totalBytes,
      long recopied,
      long stepBytes,
      @Nullable Lag waitsFor) {
    private static Progress of(ResultSet r) throws SQLException {
      return new Progress(
          r.getString("phase"),
          r.getLong("rows"),
          r.getLong("bytes"),
          r.getLong("total_rows"),
          r.getLong("total_bytes"),
          r.getLong("recopied"),
          r.getLong("step_bytes"),
          null);
    }

    private Progress waitingFor(Lag lag) {
      return new Progress(phase, rows, bytes, totalRows, totalBytes, recopied, 0, lag);
    }

    /** Returns whether {@link #finish} may be called, which is true in the last phase. */
    public boolean ready() {
      return phase.equals("ready");
    }
  }

  /**
   * A migration that has begun.
   *
   * @param back whether the column is migrated back
   * @param finished whether the columns are exchanged and the old one is kept until {@link #drop}
   * @param progress its progress
   */
  public record State(boolean back, boolean finished, Progress progress) {}

  /**
   * The lag of the streaming standby or logical replication slot that is furthest behind.
   *
   * @param who its kind and name, as in {@code pg_stat_replication} or {@code pg_replication_slots}
   * @param bytes its lag in bytes of WAL
   */
  public record Lag(String who, long bytes) {}

  /** Limits on the load that a migration puts on the server. Immutable. */
  public static final class Limits {
    private static final Limits NONE = new Limits(Long.MAX_VALUE, Long.MAX_VALUE);

    private final long rate;
    private final long lag;

    private Limits(long rate, long lag) {
      this.rate = rate;
      this.lag = lag;
    }

    /** Returns limits that allow the highest speed. */
    public static Limits none() {
      return NONE;
    }

    /** Returns these limits with a maximum rate, as the average over each step. */
    public Limits withRate(long bytesPerSecond) {
      if (bytesPerSecond < 1) {
        throw new IllegalArgumentException("rate " + bytesPerSecond + " is less than 1");
      }
      return new Limits(bytesPerSecond, lag);
    }

    /**
     * Returns these limits with a maximum replication lag in bytes of WAL. Between two steps, the
     * migration waits while the lag of a streaming standby or of a logical slot exceeds the
     * maximum. Requires the privileges of {@code pg_monitor}.
     */
    public Limits withMaxLag(long bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("lag " + bytes + " is negative");
      }
      return new Limits(rate, bytes);
    }
  }

  /**
   * Returns what the migration would do, without changing anything. Reads the rows of the table.
   * For an attached column, returns the plan of the migration back.
   *
   * @param options see {@link #begin}
   * @throws CatalogException if the catalog is not installed
   */
  public Plan plan(@Nullable ToasterOptions options) {
    return database.change(
        true,
        connection -> {
          Plan plan =
              one(
                  connection,
                  "SELECT p.* FROM pgtoaster.migrate_plan" + COLUMN + OPTIONS + " p",
                  Migration::planOf,
                  named(options));
          return Double.isNaN(plan.seconds)
              ? plan.taking(plan.bytes * secondsPerByte(connection, options))
              : plan;
        });
  }

  /** Migrates a sample, including its documents, and rolls back. */
  private double secondsPerByte(Connection connection, @Nullable ToasterOptions options)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      Sample sample =
          one(
              connection,
              "SELECT s.schema, s.bytes FROM pgtoaster.migrate_sample" + COLUMN + ", ?) s",
              r -> new Sample(r.getString(1), r.getLong(2)),
              SAMPLE);
      Migration migration =
          new Migration(
              new Installed(new CallersConnection(connection)),
              toasters,
              extension,
              ColumnName.of(sample.schema, "pgtoaster_sample", "content"));
      migration.begin(options == null ? null : withoutKeys(options));
      long began = System.nanoTime();
      while (!migration.step(SAMPLE).ready()) {}
      return (System.nanoTime() - began) / 1e9 / Math.max(1, sample.bytes);
    } finally {
      connection.rollback(before);
    }
  }

  private static ToasterOptions withoutKeys(ToasterOptions options) {
    Map<String, String> others = new HashMap<>(options.toMap());
    others.keySet().removeAll(List.of("key", "leading_key"));
    return ToasterOptions.of(options.toaster(), others);
  }

  private static Query.Parameters named(@Nullable ToasterOptions options) {
    return options == null
        ? parameters(null, Query.pairs(Map.of()))
        : parameters(options.toaster(), Query.pairs(options.toMap()));
  }

  private record Sample(String schema, long bytes) {}

  private static Plan planOf(ResultSet r) throws SQLException {
    Array notes = r.getArray(5);
    double seconds = r.getDouble(4);
    boolean unknown = r.wasNull();
    return new Plan(
        r.getLong(1),
        r.getLong(2),
        r.getLong(3),
        unknown ? Double.NaN : seconds,
        List.of((String[]) notes.getArray()));
  }

  /**
   * Starts or continues the migration of the column to a toaster: {@code bytea}, {@code text} and
   * {@code oid} (large objects) to blobs, {@code json} and {@code text} to documents. A {@code
   * jsonb} column is attached by this call, unless it is already attached, and its documents are
   * split in place.
   *
   * @param options {@link io.pgtoaster.blob.BlobOptions} or {@link io.pgtoaster.jsonb.JsonOptions};
   *     null for the defaults of the column's type ({@code appendable} for {@code text})
   * @throws PgToasterException if the column cannot be migrated, or if views, checks or similar
   *     objects use it; nothing was changed
   */
  public void begin(@Nullable ToasterOptions options) {
    call("SELECT pgtoaster.migrate_begin" + COLUMN + OPTIONS, named(options));
  }

  /**
   * Starts or continues the migration of an attached column back to a stock type: blobs to {@code
   * bytea}, {@code text} or {@code oid}, documents to {@code json} or {@code text}, or to plain
   * {@code jsonb}, in place.
   *
   * @param type the target type; null for the default: {@code jsonb} for documents, {@code text}
   *     for blobs that are text, {@code bytea} for other blobs
   * @throws PgToasterException if the column is not attached, or if views or similar objects use it
   */
  public void beginBack(@Nullable String type) {
    call("SELECT pgtoaster.migrate_back" + COLUMN + ", CAST(? AS text))", type);
  }

  /**
   * Does part of the work.
   *
   * @param bytes approximate number of bytes to process; a single value may be larger
   * @return the progress after this step
   * @throws PgToasterException if no migration has begun, if another session is working on it, or
   *     if a value cannot be copied. The message says what to do; the next step continues at that
   *     value
   */
  public Progress step(long bytes) {
    Optional<Documents> documents =
        first(
            "SELECT d.target, d.keys, d.done FROM pgtoaster.migrate_documents" + COLUMN + ", ?) d",
            Documents::of,
            bytes);
    return documents.map(this::split).orElseGet(() -> stepOf("pgtoaster.migrate_step", "?", bytes));
  }

  /** Documents to be split, their column, and the value to report to the server afterwards. */
  private record Documents(String column, List<List<String>> keys, String done) {
    static Documents of(ResultSet r) throws SQLException {
      Object[] keys = (Object[]) r.getArray(2).getArray();
      return new Documents(
          r.getString(1),
          Stream.of(keys).map(key -> List.of((String[]) key)).toList(),
          r.getString(3));
    }
  }

  private Progress split(Documents found) {
    DocumentColumn documents =
        Hidden.create(
            DocumentColumn.class,
            new ColumnAccess<>(
                database.connections(),
                toasters,
                new ColumnName(column.schema(), column.table(), found.column()),
                extension,
                null));
    for (List<String> key : found.keys()) {
      try {
        documents.compact(key);
      } catch (RowNotFoundException deleted) {
        // The row was deleted after its key was read.
      }
    }
    return stepOf("pgtoaster.migrate_split", "CAST(? AS jsonb)", found.done());
  }

  private Progress stepOf(String function, String parameter, Object argument) {
    String sql = "SELECT s.* FROM " + function + COLUMN + ", " + parameter + ") s";
    return database.change(true, c -> one(c, sql, Progress::of, argument));
  }

  /**
   * Returns the state of the migration that has begun and has not been ended by {@link #drop} or
   * {@link #abort}; empty if there is none.
   */
  public Optional<State> state() {
    return first(
        "SELECT s.*, 0 AS step_bytes FROM pgtoaster.migration_of"
            + COLUMN
            + ") m, pg_catalog.jsonb_to_record(m.state) s(back boolean, phase pg_catalog.text, rows"
            + " bigint, bytes bigint, total_rows bigint, total_bytes bigint, recopied bigint)"
            + " WHERE s.phase IS NOT NULL",
        r -> {
          Progress progress = Progress.of(r);
          return new State(r.getBoolean("back"), progress.phase().equals("done"), progress);
        });
  }

  /**
   * Returns the lag of the streaming standby or logical slot that is furthest behind; empty if
   * there is none.
   *
   * @throws AccessDeniedException if the role lacks the privileges of {@code pg_monitor}
   */
  public Optional<Lag> lag() {
    String sql = "SELECT l.who, l.bytes FROM pgtoaster.replication_lag() l WHERE l.who IS NOT NULL";
    Query.Rows<Lag> row = r -> new Lag(r.getString(1), r.getLong(2));
    return database.change(true, c -> Optional.ofNullable(Query.first(c, sql, row)));
  }

  /**
   * Does all remaining work until the migration is ready to finish, in steps of 8 MB.
   *
   * @param listener called after each step, and repeatedly while the migration waits for a standby;
   *     may throw an exception to stop the run
   * @throws InterruptedException if the thread is interrupted between two steps
   * @throws AccessDeniedException if the lag is limited and the role may not read it; nothing is
   *     done
   */
  public void run(Limits limits, Consumer<Progress> listener) throws InterruptedException {
    if (limits.lag != Long.MAX_VALUE) {
      lag();
    }
    Progress progress;
    do {
      long began = System.nanoTime();
      progress = step(8 << 20);
      listener.accept(progress);
      long spent = (System.nanoTime() - began) / 1_000_000;
      Thread.sleep(Math.max(0, (long) (progress.stepBytes() * 1000.0 / limits.rate) - spent));
      await(limits, progress, listener);
    } while (!progress.ready());
  }

  private void await(Limits limits, Progress progress, Consumer<Progress> listener)
      throws InterruptedException {
    while (limits.lag != Long.MAX_VALUE && !progress.ready()) {
      Optional<Lag> behind = lag().filter(lag -> lag.bytes() > limits.lag);
      if (behind.isEmpty()) {
        return;
      }
      listener.accept(progress.waitingFor(behind.get()));
      Thread.sleep(POLL);
    }
  }

  /**
   * Copies the rows that changed in the meantime, and exchanges the columns, under a lock on the
   * table. Waits at most two seconds for the lock. Documents that were migrated back are detached.
   *
   * @throws PgToasterException if the migration is not ready, or if the lock was not acquired in
   *     time; in that case, call it again
   */
  public void finish() {
    end("finish");
  }

  /** Reverts a migration that has begun and is not finished; the old column is unchanged. */
  public void abort() {
    end("abort");
  }

  /** Drops the old column that {@link #finish} kept. */
  public void drop() {
    end("drop");
  }

  private void end(String function) {
    call("SELECT pgtoaster.migrate_" + function + COLUMN + ")");
  }

  private void call(String sql, @Nullable Object... arguments) {
    Query.Rows<Boolean> done = r -> true;
    boolean unused = database.change(true, c -> one(c, sql, done, arguments));
  }

  private <T> Optional<T> first(String sql, Query.Rows<T> row, @Nullable Object... arguments) {
    return database.change(
        true,
        c -> Optional.ofNullable(Query.first(c, sql, row, located(c), parameters(arguments))));
  }

  /** Runs a query of one row. Its first parameters are those of {@link #COLUMN}. */
  private <T> T one(
      Connection connection, String sql, Query.Rows<T> row, @Nullable Object... arguments)
      throws SQLException {
    return Query.one(connection, sql, row, located(connection), parameters(arguments));
  }

  private Query.Parameters located(Connection connection) throws SQLException {
    long table = ColumnLookup.tableOid(connection, column.schema(), column.table());
    return parameters(table, column.column());
  }

  private static Query.Parameters parameters(@Nullable Object... values) {
    return (s, first) -> Query.bind(s, first, values);
  }
}
