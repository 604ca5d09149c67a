package io.pgtoaster;

import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.jsonb.keyed.KeyedToaster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run of gc over all stores. */
final class GarbageCollection {
  private static final String STORES =
      """
      SELECT a.store, a.toaster, a.schema_name, a.table_name, a.column_name,
             a.table_name IS NOT NULL AND a.column_exists,
             a.toaster IN ('appendable', 'keyed')
               AND to_regclass(pgtoaster.store_table(a.store, 'head')) IS NOT NULL,
             EXISTS (SELECT FROM pgtoaster.naming_columns(a.store)),
             (SELECT format_type(t.atttypid, t.atttypmod) FROM pg_catalog.pg_attribute t
              WHERE t.attrelid = to_regclass(pgtoaster.store_table(a.store, 'garbage'))
                AND t.attname = 'leading_key'),
             pgtoaster.store_table(a.store, '')
      FROM pgtoaster.attached_column a
      WHERE a.toaster IN ('appendable', 'keyed') AND pgtoaster.can_use_store(a.store)
           AND NOT EXISTS (SELECT FROM pgtoaster.store s JOIN pg_catalog.pg_class h ON h.oid = s.head
                           WHERE s.id = a.store AND NOT pg_has_role(h.relowner, 'USAGE'))
        OR a.table_name IS NULL
           AND NOT EXISTS (SELECT FROM pgtoaster.toaster t WHERE t.name = a.toaster)
      ORDER BY a.store
      """;

  private final GcTransactions transactions;
  private final GcOptions options;
  private final List<GcItem> items = new ArrayList<>();
  private final List<GcItem> kept = new ArrayList<>();
  private final List<GcFailure> failures = new ArrayList<>();

  GarbageCollection(Connections connections, GcOptions options) {
    this.transactions = new GcTransactions(connections);
    this.options = options;
  }

  GcReport run() {
    for (Store store : transactions.<List<Store>>run(GarbageCollection::stores)) {
      if (!collect(store)) {
        break;
      }
    }
    return new GcReport(
        items, kept, failures, !options.dryRun(), items.stream().mapToLong(GcItem::bytes).sum());
  }

  /** Each step on its own, so that what one cannot do keeps no other from being done. */
  private boolean collect(Store store) {
    if (!store.columnExists() && !store.named()) {
      return attempt(
          store, () -> items.addAll(new DroppedStore(transactions, store).collect(options)));
    }
    if (!store.hasTables()) {
      return true;
    }
    return attempt(
            store,
            () -> {
              new UnnamedContent(transactions, store).collect(options, items);
              if (store.holdsDocuments()) {
                kept.addAll(new KeptDocuments(transactions, store).list(options));
              }
            })
        && attempt(
            store,
            () -> {
              if (store.holdsDocuments()) {
                new LeftoverDocuments(transactions, store).collect(options, items);
              } else {
                new Leftovers(transactions, store).collect(options, items);
                new SilentWriters(transactions, store).collect(options, items);
              }
            });
  }

  /** Returns false if nothing more can be done. */
  private boolean attempt(Store store, Runnable step) {
    try {
      step.run();
      return true;
    } catch (PgToasterException e) {
      PgToasterException cause = e.at("store " + store.id() + ", " + store.place());
      failures.add(new GcFailure(store.id(), cause));
      return !(e instanceof ConnectionLostException || e instanceof ConnectionUnavailableException);
    }
  }

  /**
   * A store of the catalog.
   *
   * @param named whether rows may still name its content
   * @param leadingKeyType SQL type of its leading key, or null if it has none
   * @param prefix what the names of its tables begin with, qualified
   */
  record Store(
      int id,
      String toaster,
      @Nullable String schema,
      @Nullable String table,
      String column,
      boolean columnExists,
      boolean hasTables,
      boolean named,
      @Nullable String leadingKeyType,
      String prefix) {
    boolean holdsDocuments() {
      return toaster.equals(KeyedToaster.NAME);
    }

    /** The column, where it is still there. */
    String place() {
      return table == null ? "column " + column : schema + "." + table + "." + column;
    }

    /** What one content is called. */
    String contentKind() {
      return holdsDocuments() ? "document" : "blob";
    }

    /** The function that lists content that no row names. */
    String unnamed() {
      return holdsDocuments() ? "pgtoaster.gc_documents" : "pgtoaster.gc_blobs";
    }

    /** One of its tables. */
    String part(String name) {
      return prefix + name;
    }

    /** The leading key as text, in a SELECT list. */
    String leadingKeyText() {
      return leadingKeyType == null ? "NULL" : "CAST(leading_key AS text)";
    }

    /** A condition that begins a WHERE, with one parameter if there is a leading key. */
    String leadingKeyIs() {
      return leadingKeyType == null ? "" : "leading_key = CAST(? AS " + leadingKeyType + ") AND ";
    }

    /** Binds the parameter of {@link #leadingKeyIs()}, if any; returns the number of the next. */
    int bind(PreparedStatement statement, int first, @Nullable String leadingKey)
        throws SQLException {
      if (leadingKeyType == null) {
        return first;
      }
      statement.setString(first, leadingKey);
      return first + 1;
    }
  }

  private static List<Store> stores(Connection connection) throws SQLException {
    List<Store> stores = new ArrayList<>();
    try (PreparedStatement s = connection.prepareStatement(STORES);
        ResultSet r = s.executeQuery()) {
      while (r.next()) {
        stores.add(
            new Store(
                r.getInt(1),
                r.getString(2),
                r.getString(3),
                r.getString(4),
                r.getString(5),
                r.getBoolean(6),
                r.getBoolean(7),
                r.getBoolean(8),
                r.getString(9),
                r.getString(10)));
      }
    }
    return stores;
  }
}
