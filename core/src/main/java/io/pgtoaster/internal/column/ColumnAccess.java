package io.pgtoaster.internal.column;

import io.pgtoaster.column.CallListener;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.error.InvalidKeyException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.Attempts;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.hook.Hidden;
import io.pgtoaster.internal.sql.SqlFunction;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.Toaster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the toaster of a column and runs operations on it. The catalog is read once. An error that
 * shows that the column has changed makes the next call read it again.
 */
public final class ColumnAccess<T extends Toaster<?, V>, V> {
  /**
   * A column with its toaster.
   *
   * @param column as the catalog describes it
   * @param toaster of the column
   * @param vtable operations on the column
   */
  public record Resolved<T, V>(AttachedColumn column, T toaster, V vtable) {
    /**
     * Converts the key that a caller passed.
     *
     * @throws InvalidKeyException if it cannot be converted to the types of the key columns
     */
    public RowKey key(Object key) {
      return column.rowKey(key);
    }

    /**
     * Returns the findings of verify. REPACK (CONCURRENTLY) makes older snapshots see a table as
     * empty, which is not damage.
     *
     * @throws SQLException a serialization failure if a table of the column was rewritten after the
     *     transaction took its snapshot
     */
    public List<String> findings(Connection connection, List<String> findings) throws SQLException {
      if (!findings.isEmpty()) {
        requireSnapshot(connection);
      }
      return findings;
    }

    void requireSnapshot(Connection connection) throws SQLException {
      if (column.store() != 0) {
        Query.find(
            connection, "SELECT pgtoaster.require_snapshot(?)", rows -> null, column.store());
      }
    }

    /**
     * Binds work to one row. If only an old snapshot sees damage, the work throws a serialization
     * failure instead.
     */
    public <R extends @Nullable Object> SqlFunction<R> bind(
        Work<T, V, R> work, OperationContext context) {
      return connection -> {
        try {
          return work.apply(connection, this, key(context.key()));
        } catch (BlobCorruptException | DocumentCorruptException e) {
          requireSnapshot(connection, e);
          throw e;
        }
      };
    }

    private void requireSnapshot(Connection connection, Exception damage) throws SQLException {
      try {
        requireSnapshot(connection);
      } catch (SQLException e) {
        if (SERIALIZATION_FAILURE.equals(e.getSQLState())) {
          throw e;
        }
        damage.addSuppressed(e);
      }
    }
  }

  /** Work on one row. */
  @FunctionalInterface
  public interface Work<T, V, R extends @Nullable Object> {
    /** Runs the work. */
    R apply(Connection connection, Resolved<T, V> column, RowKey key) throws SQLException;
  }

  /** A call that opens its own connection. */
  @FunctionalInterface
  public interface Call<T, V, R extends @Nullable Object> {
    /** Runs the call. */
    R apply(Resolved<T, V> column);
  }

  /** The column that was found; all accesses that {@link #on} created share it. */
  private static final class Known<T, V> {
    volatile @Nullable Resolved<T, V> resolved;

    /** Updated when an access that {@link #again} created finds the column. */
    final @Nullable Known<T, V> shared;

    Known(@Nullable Known<T, V> shared) {
      this.shared = shared;
    }

    void learn(Resolved<T, V> found) {
      resolved = found;
      if (shared != null) {
        Resolved<T, V> before = shared.resolved;
        // On a connection with another search path, the name may refer to another tenant's table.
        if (before == null || before.column().quotedTable().equals(found.column().quotedTable())) {
          shared.resolved = found;
        }
      }
    }
  }

  private static final String SERIALIZATION_FAILURE = "40001";

  private final Connections connections;
  private final Toasters<T> toasters;
  private final ColumnName column;
  private final boolean extension;
  private final @Nullable CallListener listener;
  private final Known<T, V> known;

  /**
   * Creates the access to a column. The first call looks it up.
   *
   * @param extension whether calls may use the server extension
   * @param listener notified of calls, or null
   */
  public ColumnAccess(
      Connections connections,
      Toasters<T> toasters,
      ColumnName column,
      boolean extension,
      @Nullable CallListener listener) {
    this(connections, toasters, column, extension, listener, new Known<>(null));
  }

  private ColumnAccess(
      Connections connections,
      Toasters<T> toasters,
      ColumnName column,
      boolean extension,
      @Nullable CallListener listener,
      Known<T, V> known) {
    this.connections = connections;
    this.toasters = toasters;
    this.column = column;
    this.extension = extension;
    this.listener = listener;
    this.known = known;
  }

  /**
   * Returns an access to the same column on other connections. It shares what this one looked up.
   */
  public ColumnAccess<T, V> on(Connections where) {
    return new ColumnAccess<>(where, toasters, column, extension, listener, known);
  }

  /**
   * Returns an access for several calls that belong together, such as those of a stream. All of
   * them run on the connection that the calling thread would use now.
   */
  public ColumnAccess<T, V> current() {
    Connections current = connections.current();
    return current == connections ? this : on(current);
  }

  /** Returns the connections on which calls run. */
  public Connections connections() {
    return connections;
  }

  /** Returns the column. The first call looks it up. */
  public Resolved<T, V> resolved() {
    Resolved<T, V> resolved = known.resolved;
    if (resolved == null) {
      AttachedColumn found = connections.read(c -> ColumnLookup.find(c, column, extension));
      T toaster = toasters.of(found);
      resolved = new Resolved<>(found, toaster, toaster.vtable(found));
      known.learn(resolved);
    }
    return resolved;
  }

  /** Returns the column of a {@code BlobColumn} or a {@code DocumentColumn}. */
  public static AttachedColumn column(Object handle) {
    @SuppressWarnings("unchecked") // the classes of handles are final
    Class<Object> type = (Class<Object>) handle.getClass();
    return Hidden.part(type, handle, ColumnAccess.class).resolved().column();
  }

  /** Returns an access on the same connections that looks the column up again. */
  public ColumnAccess<T, V> again() {
    return new ColumnAccess<>(
        connections, toasters, column, extension, listener, new Known<>(known));
  }

  /** Returns whether the toaster supports a capability. */
  public boolean can(Object capability) {
    return resolved().toaster().capabilities().contains(capability);
  }

  /**
   * Requires that the toaster supports a capability.
   *
   * @throws UnsupportedCapabilityException if it does not
   */
  public void require(Object capability) {
    if (!can(capability)) {
      throw SqlErrors.at(
          new UnsupportedCapabilityException(
              "toaster \"%s\" does not support %s"
                  .formatted(resolved().toaster().name(), capability)),
          resolved().column().describe());
    }
  }

  /** Runs work that only reads. */
  public <R extends @Nullable Object> R read(OperationContext context, Work<T, V, R> work) {
    return run(context, true, column -> connections.read(column.bind(work, context)));
  }

  /**
   * Runs work in a transaction.
   *
   * @param repeatable whether the work may run again from the start
   */
  public <R extends @Nullable Object> R inTransaction(
      OperationContext context, boolean repeatable, Work<T, V, R> work) {
    return run(
        context,
        repeatable,
        column -> connections.inTransaction(repeatable, column.bind(work, context)));
  }

  /**
   * Runs one statement that writes. If it returns an empty result, runs work in a transaction.
   *
   * @param one at most one statement that writes; empty if it changed nothing
   * @param work the work in a transaction
   */
  public <R> R write(OperationContext context, Work<T, V, Optional<R>> one, Work<T, V, R> work) {
    Attempts attempts = new Attempts(true);
    Running running = new Running(context, attempts);
    while (true) {
      try {
        Resolved<T, V> column = running.column();
        return running.end(
            connections.write(attempts, column.bind(one, context), column.bind(work, context)));
      } catch (PgToasterException e) {
        running.failed(e);
      } catch (RuntimeException | Error e) {
        running.notifyFailed(e);
        throw e;
      }
    }
  }

  /**
   * Runs a call that opens its own connection. Runs it again if the column has changed.
   *
   * @param repeatable whether the call may run again from the start
   */
  public <R extends @Nullable Object> R run(
      OperationContext context, boolean repeatable, Call<T, V, R> call) {
    return run(context, new Attempts(repeatable), call);
  }

  /** Runs a call like {@link #run}, and perhaps again if its connection is lost. */
  public <R extends @Nullable Object> R run(
      OperationContext context, Attempts attempts, Call<T, V, R> call) {
    Running running = new Running(context, attempts);
    while (true) {
      try {
        return running.end(call.apply(running.column()));
      } catch (PgToasterException e) {
        running.failed(e);
      } catch (RuntimeException | Error e) {
        running.notifyFailed(e);
        throw e;
      }
    }
  }

  /**
   * Runs a read outside of {@link #run}, such as one of an open reader, and notifies the listener.
   */
  public <R extends @Nullable Object> R notifying(OperationContext context, Supplier<R> read) {
    Running running = new Running(context, new Attempts(false));
    try {
      return running.end(read.get());
    } catch (RuntimeException | Error e) {
      running.notifyFailed(e);
      throw e;
    }
  }

  /** A call from its start to its result. */
  private final class Running {
    private final OperationContext context;
    private final Attempts attempts;
    private CallListener.@Nullable Call notified;
    private @Nullable Resolved<T, V> first;

    /** The failure after which the column was looked up again. */
    private @Nullable PgToasterException doubted;

    Running(OperationContext context, Attempts attempts) {
      this.context = context;
      this.attempts = attempts;
      begin();
    }

    private void begin() {
      notified = listener == null ? null : listener.begin(context.operation());
      doubted = null;
    }

    /** Returns the column; after a look-up in vain, throws the failure that caused it. */
    Resolved<T, V> column() {
      Resolved<T, V> now = resolved();
      if (first == null) {
        first = now;
      } else if (doubted != null && !isStale(doubted) && now.column().equals(first.column())) {
        throw doubted;
      }
      return now;
    }

    <R extends @Nullable Object> R end(R result) {
      if (notified != null) {
        notified.end(knownColumn(), context.bytes(result), context.outcome(result));
      }
      return result;
    }

    void notifyFailed(Throwable e) {
      if (notified != null) {
        notified.fail(knownColumn(), e);
      }
    }

    /** Returns if the call should run again; otherwise throws the failure. */
    void failed(PgToasterException thrown) {
      PgToasterException e = thrown;
      if (first != null && doubted == null) {
        e = connections.connectionPerCall() ? e : connections.read(c -> snapshotOr(c, thrown));
        // Keep the column: other connections, whose search path finds it, still need it.
        boolean otherPath =
            e instanceof ColumnNotFoundException && !connections.connectionPerCall();
        if ((isStale(e) || isPerhapsStale(e)) && !otherPath) {
          known.resolved = null;
          if (attempts.repeatable() && connections.connectionPerCall()) {
            doubted = e;
            return;
          }
        }
      }
      e = explained(e);
      notifyFailed(e);
      attempts.failed(e);
      begin();
    }

    private PgToasterException explained(PgToasterException e) {
      if (first == null) {
        return e;
      }
      PgToasterException explained = e;
      if (e instanceof AccessDeniedException denied) {
        explained = Permission.withRemedy(denied, first.column());
      } else if (e instanceof DatabaseException refused) {
        explained =
            first
                .column()
                .refused(refused, context.keys())
                .<PgToasterException>map(wrong -> wrong)
                .orElse(refused);
      }
      return SqlErrors.at(explained, context.describe(first.column().describe()));
    }
  }

  private @Nullable ColumnName knownColumn() {
    Resolved<T, V> resolved = known.resolved;
    return resolved == null ? null : resolved.column().name();
  }

  /**
   * Returns a serialization failure if a call found damage only because a table was rewritten after
   * the transaction took its snapshot; otherwise returns the failure of the call.
   */
  public PgToasterException snapshotOr(Connection connection, PgToasterException failure) {
    if (isDamage(failure)) {
      Resolved<T, V> resolved = resolved();
      try {
        resolved.requireSnapshot(connection, failure);
      } catch (SQLException e) {
        return SqlErrors.at(SqlErrors.translate(e), resolved.column().describe());
      }
    }
    return failure;
  }

  private static boolean isDamage(Exception e) {
    return e instanceof BlobCorruptException || e instanceof DocumentCorruptException;
  }

  /** Returns whether the server did not find a name, or found a different type of object. */
  private static boolean isStale(PgToasterException e) {
    if (e instanceof CatalogException) {
      return true;
    }
    String state = e.sqlState();
    return e.getCause() instanceof SQLException
        && !state.equals("42501")
        && (state.startsWith("42") || state.equals("0A000"));
  }

  /** Returns whether the store that was looked up does not contain the handle. */
  private static boolean isPerhapsStale(PgToasterException e) {
    return isDamage(e) || e.sqlState().equals("23503");
  }

  @Override
  public String toString() {
    return column.toString();
  }
}
