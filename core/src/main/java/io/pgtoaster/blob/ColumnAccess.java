package io.pgtoaster.blob;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.ColumnLookup;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.Connections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The way from a column's name to its toaster's operations. What the catalog says is looked up once
 * and kept; an error that tells that it has changed makes it be looked up again.
 */
final class ColumnAccess {
  /** A column with its toaster. */
  record Resolved(AttachedColumn column, BlobToaster toaster, BlobVtable vtable) {
    RowKey key(Object key) {
      return RowKey.of(key instanceof RowKey row ? row.values() : key, column.key());
    }
  }

  /** Work on one row. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    T apply(Connection connection, Resolved column, RowKey key) throws SQLException;
  }

  /** A call that brings its own connection. */
  @FunctionalInterface
  interface Call<T extends @Nullable Object> {
    T apply(Resolved column);
  }

  private final Connections connections;
  private final BlobToasters toasters;
  private final @Nullable String schema;
  private final String table;
  private final String column;
  private volatile @Nullable Resolved resolved;

  ColumnAccess(
      Connections connections,
      BlobToasters toasters,
      @Nullable String schema,
      String table,
      String column) {
    this.connections = connections;
    this.toasters = toasters;
    this.schema = schema;
    this.table = table;
    this.column = column;
  }

  Connections connections() {
    return connections;
  }

  Resolved resolved() {
    Resolved known = resolved;
    if (known == null) {
      AttachedColumn found =
          connections.read(connection -> ColumnLookup.find(connection, schema, table, column));
      BlobToaster toaster = toasters.get(found.toaster());
      known = new Resolved(found, toaster, toaster.vtable(found));
      resolved = known;
    }
    return known;
  }

  /** Makes the next call look the column up again. */
  void forget() {
    resolved = null;
  }

  boolean can(BlobCapability capability) {
    return resolved().toaster().capabilities().contains(capability);
  }

  void require(BlobCapability capability) {
    if (!can(capability)) {
      throw new UnsupportedCapabilityException(
              "the toaster \""
                  + resolved().toaster().name()
                  + "\" has not the capability "
                  + capability)
          .at(resolved().column().describe());
    }
  }

  <T extends @Nullable Object> T read(Place place, Work<T> work) {
    return run(place, true, r -> connections.read(c -> work.apply(c, r, r.key(place.key()))));
  }

  /** One statement, or if that does nothing, a transaction. */
  <T> T writeOrTransact(
      Place place, Work<Optional<T>> one, Predicate<AttachedColumn> several, Work<T> otherwise) {
    return run(
        place,
        true,
        r ->
            connections.writeOrTransact(
                c -> one.apply(c, r, r.key(place.key())),
                several.test(r.column()),
                c -> otherwise.apply(c, r, r.key(place.key()))));
  }

  <T extends @Nullable Object> T inTransaction(Place place, boolean repeatable, Work<T> work) {
    return run(
        place,
        repeatable,
        r -> connections.inTransaction(repeatable, c -> work.apply(c, r, r.key(place.key()))));
  }

  /** Runs a call; once more if the column turns out to have changed and nothing was done. */
  <T extends @Nullable Object> T run(Place place, boolean repeatable, Call<T> call) {
    Resolved first = resolved();
    try {
      try {
        return call.apply(first);
      } catch (PgToasterException e) {
        boolean stale = isStale(e);
        if (!stale && !isPerhapsStale(e)) {
          throw e;
        }
        forget();
        if (!repeatable || !connections.own()) {
          throw e;
        }
        Resolved now = resolved();
        if (!stale && now.column().equals(first.column())) {
          throw e;
        }
        return call.apply(now);
      }
    } catch (PgToasterException e) {
      throw e.at(place.describe(first.column().describe()));
    }
  }

  /** Whether the server did not know what was named, or found it to be of another type. */
  private static boolean isStale(PgToasterException e) {
    if (e instanceof CatalogException) {
      return true;
    }
    String state = e.sqlState();
    return e.getCause() instanceof SQLException
        && !state.equals("42501")
        && (state.startsWith("42") || state.equals("0A000"));
  }

  /** Whether a handle named nothing in the store that was thought to be the column's. */
  private static boolean isPerhapsStale(PgToasterException e) {
    return e instanceof BlobCorruptException || e.sqlState().equals("23503");
  }

  @Override
  public String toString() {
    return (schema == null ? "" : schema + ".") + table + "." + column;
  }
}
