package io.pgtoaster;

import io.pgtoaster.column.ColumnAccess;
import io.pgtoaster.column.ColumnLookup;
import io.pgtoaster.column.Toasters;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.CallersConnection;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Query;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonToaster;
import io.pgtoaster.spi.SqlFunction;
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
 * The way of an existing column to a toaster, and back, while the application goes on: a shadow
 * column beside the old one is filled in small transactions, compared with it, and takes its name
 * under a short lock. The old column stays as {@code <column>_before} until {@link #drop}. A column
 * of {@code jsonb} is attached as it is, and its documents are split in place. The work is done by
 * functions in the server, whose state is in a table there: whoever was interrupted, at any point,
 * begins again and goes on. Calls are transactions of their own; do not make them within one. Any
 * thread may call, one session at a time works on a column.
 *
 * @see Catalog#migration
 */
public final class Migration {
  private static final String COLUMN = "(CAST(CAST(? AS oid) AS regclass), CAST(? AS name)";
  private static final String OPTIONS =
      ", CAST(? AS text), pg_catalog.jsonb_object(CAST(? AS text[])))";

  /** How long is waited until the lag is looked at again, in milliseconds. */
  private static final long POLL = 200;

  /** Bytes of documents that are migrated to estimate how long all take. */
  private static final long SAMPLE = 2 << 20;

  private final Connections connections;
  private final Toasters<JsonToaster> toasters;
  private final boolean extension;
  private final @Nullable String schema;
  private final String table;
  private final String column;

  Migration(
      Connections connections,
      Toasters<JsonToaster> toasters,
      boolean extension,
      @Nullable String schema,
      String table,
      String column) {
    this.connections = connections;
    this.toasters = toasters;
    this.extension = extension;
    this.schema = schema;
    this.table = table;
    this.column = column;
  }

  /** What a migration would mean. */
  public sealed interface Plan permits Planned {
    /** {@return number of rows to be copied} */
    long rows();

    /** {@return bytes to be copied} */
    long bytes();

    /** {@return bytes that it takes beside what is there, until the old column is dropped} */
    long disk();

    /**
     * {@return seconds that it takes without a limit, by a sample that was migrated and rolled
     * back: up to 16 MB, of documents 2 MB; 0 for an attached column, of which none is taken}
     */
    double seconds();

    /** {@return what should be known before, such as indexes and views that use the column} */
    List<String> notes();
  }

  private record Planned(long rows, long bytes, long disk, double seconds, List<String> notes)
      implements Plan {
    Planned taking(double measured) {
      return new Planned(rows, bytes, disk, measured, notes);
    }
  }

  /** How a migration stands. */
  public sealed interface Progress permits Step {
    /**
     * {@return count, copy, compare, split (of documents), again (copy what has changed meanwhile),
     * or ready: to be finished}
     */
    String phase();

    /** {@return number of rows done in this phase} */
    long rows();

    /** {@return bytes done in this phase} */
    long bytes();

    /** {@return number of rows that were there when it was counted} */
    long totalRows();

    /** {@return bytes that were there when it was counted} */
    long totalBytes();

    /**
     * {@return number of rows that were found to differ when they were compared, and were copied
     * again}
     */
    long recopied();

    /** {@return bytes done in the last step} */
    long stepBytes();

    /**
     * {@return the standby or slot that it waits for before the next step; null while it does not
     * wait}
     */
    @Nullable Lag waitsFor();

    /**
     * Tells whether {@link #finish} may be called.
     *
     * @return true in the last phase
     */
    default boolean ready() {
      return phase().equals("ready");
    }
  }

  private record Step(
      String phase,
      long rows,
      long bytes,
      long totalRows,
      long totalBytes,
      long recopied,
      long stepBytes,
      @Nullable Lag waitsFor)
      implements Progress {
    private static Step of(ResultSet r) throws SQLException {
      r.next();
      return new Step(
          r.getString("phase"),
          r.getLong("rows"),
          r.getLong("bytes"),
          r.getLong("total_rows"),
          r.getLong("total_bytes"),
          r.getLong("recopied"),
          r.getLong("step_bytes"),
          null);
    }

    private Step waitingFor(Lag lag) {
      return new Step(phase, rows, bytes, totalRows, totalBytes, recopied, 0, lag);
    }
  }

  /** What has begun. */
  public sealed interface State permits Begun {
    /** {@return whether the column goes back} */
    boolean back();

    /** {@return whether the columns are exchanged, and the old one waits for {@link #drop}} */
    boolean finished();

    /** {@return how it stands} */
    Progress progress();
  }

  private record Begun(boolean back, boolean finished, Progress progress) implements State {}

  /** How far the slowest standby that streams, or logical replication slot, is behind. */
  public sealed interface Lag permits Behind {
    /**
     * {@return its kind and name, as of {@code pg_stat_replication} or {@code
     * pg_replication_slots}}
     */
    String who();

    /** {@return bytes of WAL} */
    long bytes();
  }

  private record Behind(String who, long bytes) implements Lag {}

  /** How much of the server a migration may take. Immutable. */
  public static final class Limits {
    private static final Limits NONE = new Limits(Long.MAX_VALUE, Long.MAX_VALUE);

    private final long rate;
    private final long lag;

    private Limits(long rate, long lag) {
      this.rate = rate;
      this.lag = lag;
    }

    /**
     * Returns no limit.
     *
     * @return as fast as it goes
     */
    public static Limits none() {
      return NONE;
    }

    /**
     * Returns these limits with a rate.
     *
     * @param bytesPerSecond at most so many, on average over each step
     * @return new limits
     */
    public Limits withRate(long bytesPerSecond) {
      if (bytesPerSecond < 1) {
        throw new IllegalArgumentException("not a number of bytes per second: " + bytesPerSecond);
      }
      return new Limits(bytesPerSecond, lag);
    }

    /**
     * Returns these limits with one of the replication lag: between two steps it waits while a
     * standby that streams, or a logical slot, is further behind. Wants the rights of {@code
     * pg_monitor}.
     *
     * @param bytes of WAL
     * @return new limits
     */
    public Limits withMaxLag(long bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("not a number of bytes: " + bytes);
      }
      return new Limits(rate, bytes);
    }
  }

  /**
   * Tells what it would mean, and changes nothing; reads the rows of the table. Of an attached
   * column it tells of the way back.
   *
   * @param toaster {@code appendable}, {@code keyed}, or null for the one of the column's type
   * @param options of the toaster, by name, as for {@link Catalog#attach(String, String, String,
   *     String, Map)}
   * @return the plan
   * @throws CatalogException if the catalog is not installed
   */
  public Plan plan(@Nullable String toaster, Map<String, String> options) {
    return transact(
        connection -> {
          Planned plan =
              Query.read(
                  connection,
                  "SELECT p.* FROM pgtoaster.migrate_plan" + COLUMN + OPTIONS + " p",
                  Migration::planOf,
                  oid(connection),
                  column,
                  toaster,
                  pairs(connection, options));
          return Double.isNaN(plan.seconds)
              ? plan.taking(plan.bytes * secondsPerByte(connection, toaster, options))
              : plan;
        });
  }

  /** Migrates a sample, documents and all, and rolls back. */
  private double secondsPerByte(
      Connection connection, @Nullable String toaster, Map<String, String> options)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      Sample sample =
          Query.read(
              connection,
              "SELECT s.schema, s.bytes FROM pgtoaster.migrate_sample" + COLUMN + ", ?) s",
              Sample::of,
              oid(connection),
              column,
              SAMPLE);
      Migration migration =
          new Migration(
              new CallersConnection(connection),
              toasters,
              extension,
              sample.schema,
              "pgtoaster_sample",
              "content");
      Map<String, String> others = new HashMap<>(options);
      others.keySet().removeAll(List.of("key", "leading_key"));
      migration.begin(toaster, others);
      long began = System.nanoTime();
      while (!migration.next(SAMPLE).ready()) {}
      return (System.nanoTime() - began) / 1e9 / Math.max(1, sample.bytes);
    } finally {
      connection.rollback(before);
    }
  }

  private record Sample(String schema, long bytes) {
    static Sample of(ResultSet r) throws SQLException {
      r.next();
      return new Sample(r.getString(1), r.getLong(2));
    }
  }

  private static Planned planOf(ResultSet r) throws SQLException {
    r.next();
    Array notes = r.getArray(5);
    double seconds = r.getDouble(4);
    boolean unknown = r.wasNull();
    return new Planned(
        r.getLong(1),
        r.getLong(2),
        r.getLong(3),
        unknown ? Double.NaN : seconds,
        List.of((String[]) notes.getArray()));
  }

  /**
   * Begins to bring the column to a toaster, or goes on where it was begun: {@code bytea}, {@code
   * text} and {@code oid} (large objects) to blobs, {@code json} and {@code text} to documents. A
   * column of {@code jsonb} is attached here, if it is not yet, and its documents are split in
   * place.
   *
   * @param toaster {@code appendable}, {@code keyed}, or null for the one of the column's type, of
   *     {@code text} the first
   * @param options of the toaster, by name
   * @throws PgToasterException if the column cannot be migrated, or views, checks and the like use
   *     it; nothing is changed then
   */
  public void begin(@Nullable String toaster, Map<String, String> options) {
    transact(
        connection ->
            Query.<Boolean>read(
                connection,
                "SELECT pgtoaster.migrate_begin" + COLUMN + OPTIONS,
                ResultSet::next,
                oid(connection),
                column,
                toaster,
                pairs(connection, options)));
  }

  /**
   * Begins to bring an attached column back, or goes on where it was begun: blobs to {@code bytea},
   * {@code text} or {@code oid}, documents to {@code json} or {@code text}, or to plain {@code
   * jsonb}, in place.
   *
   * @param type what they become; null for {@code jsonb}, of blobs {@code text} where they are
   *     texts, else {@code bytea}
   * @throws PgToasterException if the column is not attached, or views and the like use it
   */
  public void beginBack(@Nullable String type) {
    transact(
        connection ->
            Query.<Boolean>read(
                connection,
                "SELECT pgtoaster.migrate_back" + COLUMN + ", CAST(? AS text))",
                ResultSet::next,
                oid(connection),
                column,
                type));
  }

  /**
   * Does some of the work.
   *
   * @param bytes about how many; a single value may have more
   * @return how it stands
   * @throws PgToasterException if none has begun, if another session is at it, or if a value cannot
   *     be copied: the message says what to do, and the next step goes on there
   */
  public Progress step(long bytes) {
    return next(bytes);
  }

  private Step next(long bytes) {
    Optional<Documents> documents =
        transact(
            connection ->
                Query.read(
                    connection,
                    "SELECT d.target, d.keys, d.done FROM pgtoaster.migrate_documents"
                        + COLUMN
                        + ", ?) d",
                    Documents::of,
                    oid(connection),
                    column,
                    bytes));
    return documents.map(this::split).orElseGet(() -> stepOf("pgtoaster.migrate_step", "?", bytes));
  }

  /** Documents that are to be split, the column that has them, and what is told when they are. */
  private record Documents(String column, List<List<String>> keys, String done) {
    static Optional<Documents> of(ResultSet r) throws SQLException {
      if (!r.next()) {
        return Optional.empty();
      }
      Object[] keys = (Object[]) r.getArray(2).getArray();
      return Optional.of(
          new Documents(
              r.getString(1),
              Stream.of(keys).map(key -> List.of((String[]) key)).toList(),
              r.getString(3)));
    }
  }

  private Step split(Documents found) {
    DocumentColumn documents =
        DocumentColumn.of(
            new ColumnAccess<>(
                connections, toasters, schema, table, found.column(), extension, null));
    for (List<String> key : found.keys()) {
      try {
        documents.compact(key);
      } catch (RowNotFoundException deleted) {
        // Since its key was read.
      }
    }
    return stepOf("pgtoaster.migrate_split", "CAST(? AS jsonb)", found.done());
  }

  private Step stepOf(String function, String parameter, Object argument) {
    return transact(
        connection ->
            Query.read(
                connection,
                "SELECT s.* FROM " + function + COLUMN + ", " + parameter + ") s",
                Step::of,
                oid(connection),
                column,
                argument));
  }

  /**
   * Tells what has begun and is not ended by {@link #drop} or {@link #abort}.
   *
   * @return how it stands; empty where there is none
   */
  public Optional<State> state() {
    return transact(
        connection ->
            Query.read(
                connection,
                "SELECT s.*, 0 AS step_bytes FROM pgtoaster.migration_of"
                    + COLUMN
                    + ") m, pg_catalog.jsonb_to_record(m.state) s(back boolean, phase"
                    + " pg_catalog.text, rows bigint, bytes bigint, total_rows bigint, total_bytes"
                    + " bigint, recopied bigint)",
                r -> {
                  Step progress = Step.of(r);
                  return progress.phase() == null
                      ? Optional.empty()
                      : Optional.of(
                          new Begun(
                              r.getBoolean("back"), progress.phase().equals("done"), progress));
                },
                oid(connection),
                column));
  }

  /**
   * Tells how far the slowest standby that streams, or logical slot, is behind.
   *
   * @return its lag; empty where there is none
   * @throws AccessDeniedException if the role has not the rights of {@code pg_monitor}
   */
  public Optional<Lag> lag() {
    return transact(
        connection ->
            Query.read(
                connection,
                "SELECT l.who, l.bytes FROM pgtoaster.replication_lag() l",
                r ->
                    r.next() && r.getString(1) != null
                        ? Optional.of(new Behind(r.getString(1), r.getLong(2)))
                        : Optional.empty()));
  }

  /**
   * Does what is left until it is ready, in steps of 8 MB.
   *
   * @param limits how much of the server it may take
   * @param listener told behind each step, and while it waits for a standby; may throw to end it
   * @throws InterruptedException if the thread is interrupted between two steps
   * @throws AccessDeniedException if the lag is limited and the role may not see it; nothing is
   *     done then
   */
  public void run(Limits limits, Consumer<Progress> listener) throws InterruptedException {
    if (limits.lag != Long.MAX_VALUE) {
      lag();
    }
    Step progress;
    do {
      long began = System.nanoTime();
      progress = next(8 << 20);
      listener.accept(progress);
      long spent = (System.nanoTime() - began) / 1_000_000;
      Thread.sleep(Math.max(0, (long) (progress.stepBytes() * 1000.0 / limits.rate) - spent));
      await(limits, progress, listener);
    } while (!progress.ready());
  }

  private void await(Limits limits, Step progress, Consumer<Progress> listener)
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
   * Copies what has changed since and exchanges the columns, under a lock of the table for which it
   * waits two seconds. Documents that went back are detached.
   *
   * @throws PgToasterException if it is not ready, or the lock could not be had: call it again
   */
  public void finish() {
    end("finish");
  }

  /** Takes back what was begun and is not finished; the old column has not changed. */
  public void abort() {
    end("abort");
  }

  /** Drops the old column, which a finished migration has kept. */
  public void drop() {
    end("drop");
  }

  private void end(String function) {
    transact(
        connection ->
            Query.<Boolean>read(
                connection,
                "SELECT pgtoaster.migrate_" + function + COLUMN + ")",
                ResultSet::next,
                oid(connection),
                column));
  }

  private <T> T transact(SqlFunction<T> work) {
    return Catalog.change(connections, true, work);
  }

  private long oid(Connection connection) throws SQLException {
    return ColumnLookup.tableOid(connection, schema, table);
  }

  private static Array pairs(Connection connection, Map<String, String> options)
      throws SQLException {
    return connection.createArrayOf(
        "text",
        options.entrySet().stream().flatMap(e -> Stream.of(e.getKey(), e.getValue())).toArray());
  }
}
