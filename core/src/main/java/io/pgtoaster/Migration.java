package io.pgtoaster;

import io.pgtoaster.column.ColumnLookup;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.SqlFunction;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way of an existing column to a toaster, and back, while the application goes on: a shadow
 * column beside the old one is filled in small transactions, compared with it, and takes its name
 * under a short lock. The old column stays as {@code <column>_before} until {@link #drop}. The work
 * is done by functions in the server, whose state is in a table there: whoever was interrupted, at
 * any point, begins again and goes on. Calls are transactions of their own; do not make them within
 * one. Any thread may call, one session at a time works on a column.
 *
 * @see Catalog#migration
 */
public final class Migration {
  private static final String COLUMN = "(CAST(CAST(? AS oid) AS regclass), CAST(? AS name)";
  private static final String OPTIONS =
      ", CAST(? AS text), pg_catalog.jsonb_object(CAST(? AS text[])))";

  private final Connections connections;
  private final @Nullable String schema;
  private final String table;
  private final String column;

  Migration(Connections connections, @Nullable String schema, String table, String column) {
    this.connections = connections;
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
     * {@return seconds that it takes without a limit, by a sample of up to 16 MB that was copied
     * and rolled back; 0 if nothing was measured}
     */
    double seconds();

    /** {@return what should be known before, such as indexes and views that use the column} */
    List<String> notes();
  }

  private record Planned(long rows, long bytes, long disk, double seconds, List<String> notes)
      implements Plan {}

  /** How a migration stands. */
  public sealed interface Progress permits Step {
    /** {@return count, copy, compare, or ready: to be finished} */
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
      long stepBytes)
      implements Progress {}

  /**
   * Tells what it would mean, and changes nothing; reads the rows of the table.
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
          Array pairs = pairs(connection, options);
          return Query.read(
              connection,
              "SELECT p.* FROM pgtoaster.migrate_plan" + COLUMN + OPTIONS + " p",
              Migration::planOf,
              oid(connection),
              column,
              toaster,
              pairs);
        });
  }

  private static Plan planOf(ResultSet r) throws SQLException {
    r.next();
    Array notes = r.getArray(5);
    return new Planned(
        r.getLong(1),
        r.getLong(2),
        r.getLong(3),
        r.getDouble(4),
        List.of((String[]) notes.getArray()));
  }

  /**
   * Begins to bring the column to a toaster, or goes on where it was begun: {@code bytea}, {@code
   * text} and {@code oid} (large objects) to blobs, {@code json} and {@code text} to documents. A
   * column of {@code jsonb} is attached as it is.
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
   * {@code text} or {@code oid}, documents to plain {@code jsonb}.
   *
   * @param type what blobs become; null for {@code text} where they are texts, else {@code bytea}
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
    return transact(
        connection ->
            Query.read(
                connection,
                "SELECT s.* FROM pgtoaster.migrate_step" + COLUMN + ", ?) s",
                r -> {
                  r.next();
                  return new Step(
                      r.getString(1),
                      r.getLong(2),
                      r.getLong(3),
                      r.getLong(4),
                      r.getLong(5),
                      r.getLong(6),
                      r.getLong(7));
                },
                oid(connection),
                column,
                bytes));
  }

  /**
   * Does what is left until it is ready, in steps of 8 MB.
   *
   * @param bytesPerSecond at most so many, on average over each step; {@link Long#MAX_VALUE} for no
   *     limit
   * @param listener told behind each step; may throw to end it
   * @throws InterruptedException if the thread is interrupted between two steps
   */
  public void run(long bytesPerSecond, Consumer<Progress> listener) throws InterruptedException {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("not a number of bytes per second: " + bytesPerSecond);
    }
    Progress progress;
    do {
      long began = System.nanoTime();
      progress = step(8 << 20);
      listener.accept(progress);
      long spent = (System.nanoTime() - began) / 1_000_000;
      Thread.sleep(Math.max(0, (long) (progress.stepBytes() * 1000.0 / bytesPerSecond) - spent));
    } while (!progress.ready());
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
    return connections.inTransaction(
        true,
        connection -> {
          Catalog.requireInstalled(connection);
          return work.apply(connection);
        });
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
