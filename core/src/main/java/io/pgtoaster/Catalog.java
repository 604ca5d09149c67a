package io.pgtoaster;

import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.blob.BlobToaster;
import io.pgtoaster.blob.appendable.AppendableBlobToaster;
import io.pgtoaster.column.ColumnAttach;
import io.pgtoaster.column.ColumnLookup;
import io.pgtoaster.column.ColumnLookup.Attached;
import io.pgtoaster.column.Toaster;
import io.pgtoaster.column.Toasters;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Query;
import io.pgtoaster.jsonb.JsonOptions;
import io.pgtoaster.jsonb.JsonToaster;
import io.pgtoaster.jsonb.keyed.KeyedToaster;
import io.pgtoaster.spi.Identifiers;
import io.pgtoaster.spi.SqlFunction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The catalog in the schema {@code pgtoaster}. It records which columns are attached, to which
 * toaster and with which options. Each call runs in one transaction, or joins the caller's
 * transaction; {@link #gc} uses several transactions.
 *
 * <pre>{@code
 * Catalog catalog = toaster.catalog();
 * catalog.install();
 * catalog.attachIfAbsent("recording", "audio", BlobOptions.defaults().withCrc32c(true));
 * catalog.attachIfAbsent("person", "doc", JsonOptions.defaults());
 * GcReport left = catalog.gc(GcOptions.defaults()); // lists unreferenced content
 * }</pre>
 */
public final class Catalog {
  private static final String FOLDER = "/io/pgtoaster/sql/";
  private static final List<String> SCRIPTS =
      List.of(
          "1-catalog.sql",
          "2-store.sql",
          "3-cleanup.sql",
          "4-attach.sql",
          "5-status.sql",
          "6-document.sql",
          "7-uses.sql",
          "8-read.sql",
          "9-toaster.sql",
          "10-handle.sql",
          "11-policy.sql",
          "12-guard.sql",
          "13-repair.sql",
          "14-read.sql",
          "15-edit.sql",
          "16-append.sql",
          "16-write.sql",
          "17-nodes.sql",
          "17-rows.sql",
          "18-routine.sql",
          "19-edits.sql",
          "20-blob.sql",
          "21-view.sql",
          "22-migrate.sql",
          "23-distribute.sql",
          "99-path.sql");

  private final Connections connections;
  private final Toasters<BlobToaster> blobToasters;
  private final Toasters<JsonToaster> jsonToasters;
  private final boolean useExtension;

  Catalog(
      Connections connections,
      Toasters<BlobToaster> blobToasters,
      Toasters<JsonToaster> jsonToasters,
      boolean useExtension) {
    this.connections = connections;
    this.blobToasters = blobToasters;
    this.jsonToasters = jsonToasters;
    this.useExtension = useExtension;
  }

  /**
   * Returns the names of the SQL scripts that {@link #install} runs, in order.
   *
   * @return file names
   */
  public static List<String> scriptNames() {
    return SCRIPTS;
  }

  /**
   * Returns the text of an SQL script, to run with psql, Flyway or Liquibase. Run all scripts in
   * order, in one transaction.
   *
   * @param name from {@link #scriptNames()}
   * @return its text
   */
  public static String script(String name) {
    if (!SCRIPTS.contains(name)) {
      throw new IllegalArgumentException("there is no script " + name + ", only " + SCRIPTS);
    }
    return Installation.script(name);
  }

  static String text(String name) {
    try (InputStream in = Catalog.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("the script " + name + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the script " + name, e);
    }
  }

  /**
   * Returns the version of the installed catalog.
   *
   * @return its version; 0 if there is none
   */
  public int installedVersion() {
    return connections.read(ColumnLookup::installedVersion);
  }

  /**
   * Installs the catalog. If the server extension is in the database and the caller owns it, also
   * updates it to the version of its files on the server. Writes nothing and waits for no lock if
   * everything is up to date ({@link #isInstalled()}); otherwise replaces what differs, and
   * upgrades a catalog of version 13 or later. If the role has no {@code lock_timeout}, waits at
   * most ten seconds for each lock that other sessions hold.
   *
   * @throws CatalogException if the catalog is newer than this library, or older than version 13;
   *     nothing is changed then
   * @throws AccessDeniedException if the role may not create the schema, or if the schema or
   *     anything in it belongs to another role; nothing is changed then
   */
  public void install() {
    connections.<Integer>inTransaction(
        true,
        connection -> {
          if (Installation.isCurrent(connection)) {
            return ColumnLookup.CATALOG_VERSION;
          }
          ColumnLookup.upgradableVersion(connection);
          try (Statement s = connection.createStatement()) {
            s.setEscapeProcessing(false);
            for (String name : SCRIPTS) {
              s.execute(script(name));
            }
          }
          Extension.update(connection);
          return ColumnLookup.CATALOG_VERSION;
        });
  }

  /**
   * Returns whether everything is installed, so that {@link #install} has nothing to do: the
   * catalog is the one of this library, its functions, views and triggers are unchanged, and the
   * routines of the caller's stores match it.
   *
   * @return true if {@link #install} would change nothing
   */
  public boolean isInstalled() {
    return connections.read(Installation::isCurrent);
  }

  /**
   * Creates the server extension in the database, unless it exists. Requires a superuser, and the
   * extension's files on the server.
   */
  public void createExtension() {
    connections.<Boolean>inTransaction(
        true,
        connection -> {
          Extension.create(connection);
          return true;
        });
  }

  /**
   * Returns the status of the server extension.
   *
   * @return its versions and whether it is used
   */
  public ExtensionStatus extension() {
    return connections.read(Extension::status);
  }

  /**
   * Attaches a column to the toaster {@code appendable}.
   *
   * @param table exact name of a table on the search path
   * @param column exact name; a column that does not exist is added
   * @param options to set; all others keep the server's defaults
   * @return number of the store
   */
  public int attach(String table, String column, BlobOptions options) {
    return attach(null, table, column, AppendableBlobToaster.NAME, options);
  }

  /**
   * Attaches a column to the toaster {@code keyed}.
   *
   * @param table exact name of a table on the search path
   * @param column exact name; a column that does not exist is added
   * @param options to set; all others keep the server's defaults
   * @return number of the store
   */
  public int attach(String table, String column, JsonOptions options) {
    return attach(null, table, column, KeyedToaster.NAME, options);
  }

  /**
   * Attaches a column to a blob toaster.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param toaster name of a toaster on the class path
   * @param options to set; all others keep the server's defaults
   * @return number of the store
   * @throws CatalogException if the catalog is not installed
   */
  public int attach(
      @Nullable String schema, String table, String column, String toaster, BlobOptions options) {
    return attach(blobToasters.get(toaster), schema, table, column, options.toMap());
  }

  /**
   * Attaches a column to a JSON toaster.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param toaster name of a toaster on the class path
   * @param options to set; all others keep the server's defaults
   * @return number of the store
   * @throws CatalogException if the catalog is not installed
   */
  public int attach(
      @Nullable String schema, String table, String column, String toaster, JsonOptions options) {
    return attach(jsonToasters.get(toaster), schema, table, column, options.toMap());
  }

  /**
   * Attaches a column to any toaster.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param toaster name of a toaster on the class path
   * @param options to set, by the toaster's names for them; all others keep the toaster's defaults
   * @return number of the store
   * @throws CatalogException if the catalog is not installed
   * @throws UnsupportedCapabilityException if no jar on the class path contains the toaster
   */
  public int attach(
      @Nullable String schema,
      String table,
      String column,
      String toaster,
      Map<String, String> options) {
    return attach(toaster(toaster), schema, table, column, Map.copyOf(options));
  }

  private int attach(
      Toaster<?, ?> toaster,
      @Nullable String schema,
      String table,
      String column,
      Map<String, String> options) {
    return Catalog.<Integer>change(
        connections,
        true,
        connection -> {
          long oid = ColumnLookup.tableOid(connection, schema, table);
          Identifiers.check(column);
          return toaster.attach(connection, oid, schema, table, column, options);
        });
  }

  /**
   * Attaches a column to the toaster {@code appendable}, unless it is already attached to it. An
   * attached column keeps its options.
   *
   * @param table exact name of a table on the search path
   * @param column exact name; a column that does not exist is added
   * @param options to set; all others keep the server's defaults
   * @return number of the store
   * @throws CatalogException if it is attached to another toaster
   */
  public int attachIfAbsent(String table, String column, BlobOptions options) {
    return attachIfAbsent(null, table, column, AppendableBlobToaster.NAME, options.toMap());
  }

  /**
   * Attaches a column to the toaster {@code keyed}, unless it is already attached to it. An
   * attached column keeps its options.
   *
   * @param table exact name of a table on the search path
   * @param column exact name; a column that does not exist is added
   * @param options to set; all others keep the server's defaults
   * @return number of the store
   * @throws CatalogException if it is attached to another toaster
   * @throws PgToasterException if it is attached already and does not keep all paths of {@code
   *     keepInline} in the row
   */
  public int attachIfAbsent(String table, String column, JsonOptions options) {
    return attachIfAbsent(null, table, column, KeyedToaster.NAME, options.toMap());
  }

  /**
   * Attaches a column to any toaster, unless it is already attached to it. An attached column keeps
   * its options.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param toaster name of a toaster on the class path
   * @param options to set, by the toaster's names for them; all others keep the toaster's defaults
   * @return number of the store
   * @throws CatalogException if the catalog is not installed, or the column is attached to another
   *     toaster
   * @throws UnsupportedCapabilityException if no jar on the class path contains the toaster
   */
  public int attachIfAbsent(
      @Nullable String schema,
      String table,
      String column,
      String toaster,
      Map<String, String> options) {
    return Catalog.<Integer>change(
        connections,
        true,
        connection -> {
          long oid = ColumnLookup.tableOid(connection, schema, table);
          Optional<Attached> attached = ColumnLookup.attached(connection, oid, column);
          if (attached.isEmpty()) {
            // Another session may be attaching it: lock the table and look again.
            ColumnAttach.lock(connection, oid);
            attached = ColumnLookup.attached(connection, oid, column);
          }
          if (attached.isEmpty()) {
            Identifiers.check(column);
            return toaster(toaster).attach(connection, oid, schema, table, column, options);
          } else if (!attached.get().toaster().equals(toaster)) {
            throw new CatalogException(
                "column %s of %s is attached to the toaster %s, not to %s; detach it first"
                    .formatted(column, table, attached.get().toaster(), toaster));
          }
          return ColumnAttach.attachIfAbsent(connection, oid, column, toaster, options);
        });
  }

  /**
   * Changes options of an attached column; options that are not named keep their values. The
   * changes apply to new content as soon as its writer looks up the column again, and to stored
   * content when it is compacted.
   *
   * @param table exact name of a table on the search path
   * @param column exact name
   * @param changes options to change; the row key, the schema of the store, checksums and the
   *     leading key cannot be changed
   * @throws CatalogException if the column is not attached
   */
  public void setOptions(String table, String column, BlobOptions changes) {
    setOptions(null, table, column, changes.toMap());
  }

  /**
   * Changes options of an attached column; options that are not named keep their values. The
   * changes apply to new content as soon as its writer looks up the column again, and to stored
   * content when it is compacted.
   *
   * @param table exact name of a table on the search path
   * @param column exact name
   * @param changes options to change; the row key, the leading key and the schema of the store
   *     cannot be changed
   * @throws CatalogException if the column is not attached
   */
  public void setOptions(String table, String column, JsonOptions changes) {
    setOptions(null, table, column, changes.toMap());
  }

  /**
   * Changes options of an attached column by their names.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param changes options to change, by the toaster's names for them
   * @throws CatalogException if the column is not attached
   * @throws PgToasterException if its toaster has no such options
   */
  public void setOptions(
      @Nullable String schema, String table, String column, Map<String, String> changes) {
    Catalog.<Boolean>change(
        connections,
        true,
        connection -> {
          long oid = ColumnLookup.tableOid(connection, schema, table);
          if (ColumnLookup.attached(connection, oid, column).isEmpty()) {
            throw new CatalogException(
                "column %s of %s is not attached; attach it first".formatted(column, table));
          }
          ColumnAttach.setOptions(connection, oid, column, changes);
          return true;
        });
  }

  /**
   * Detaches a column if it is attached.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param dropContent whether to delete content that rows still reference; if false, such content
   *     makes the call fail
   * @return true if it was attached
   */
  public boolean detachIfAttached(
      @Nullable String schema, String table, String column, boolean dropContent) {
    return Catalog.<Boolean>change(
        connections,
        true,
        connection -> {
          long oid = ColumnLookup.tableOid(connection, schema, table);
          if (ColumnLookup.attached(connection, oid, column).isEmpty()) {
            return false;
          }
          detach(connection, oid, column, dropContent);
          return true;
        });
  }

  /**
   * Detaches a column: drops its store and keeps the column.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param dropContent whether to delete content that rows still reference; if false, such content
   *     makes the call fail
   */
  public void detach(@Nullable String schema, String table, String column, boolean dropContent) {
    Catalog.<Boolean>change(
        connections,
        true,
        connection -> {
          long oid = ColumnLookup.tableOid(connection, schema, table);
          detach(connection, oid, column, dropContent);
          return true;
        });
  }

  /**
   * Runs work that changes columns of an installed catalog. A transaction that it starts itself is
   * READ COMMITTED, because the functions in the server refuse other levels and the default may be
   * one of them.
   */
  static <T> T change(Connections connections, boolean repeatable, SqlFunction<T> work) {
    boolean own = connections.own();
    return connections.<T>inTransaction(
        repeatable,
        connection -> {
          if (own) {
            Query.update(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
          }
          requireInstalled(connection);
          return work.apply(connection);
        });
  }

  private void detach(Connection connection, long table, String column, boolean dropContent)
      throws SQLException {
    String name =
        ColumnLookup.attached(connection, table, column).map(Attached::toaster).orElse("");
    @Nullable Toaster<?, ?> toaster = find(name);
    if (toaster == null) {
      // Without the toaster's own code, only the catalog's function can detach the column.
      ColumnAttach.detach(connection, table, column, dropContent);
    } else {
      toaster.detach(connection, table, column, dropContent);
    }
  }

  private Toaster<?, ?> toaster(String name) {
    @Nullable Toaster<?, ?> found = find(name);
    // get() throws an exception that lists the known toasters.
    return found == null ? blobToasters.get(name) : found;
  }

  /** Returns the blob or JSON toaster of that name, or null if it is not on the class path. */
  private @Nullable Toaster<?, ?> find(String name) {
    return blobToasters
        .find(name)
        .<Toaster<?, ?>>map(Function.identity())
        .or(() -> jsonToasters.find(name))
        .orElse(null);
  }

  /**
   * Returns what {@link #distribute} would do with a schema, and changes nothing.
   *
   * @param schema exact name
   * @return the schema's tables and the tables of its columns' stores, each with the reason if it
   *     cannot be moved
   */
  public List<DistributionStep> distributionPlan(String schema) {
    return connections.read(
        connection -> {
          requireInstalled(connection);
          return Query.list(connection, DistributionStep.OF_SCHEMA, DistributionStep::read, schema);
        });
  }

  /**
   * Makes Citus keep a schema on one of its nodes: the tables and the stores of their columns.
   * Stores in other schemas are moved into this one. Call it on the coordinator, as the owner of
   * the catalog and of the tables. Other sessions that use the tables wait until it ends.
   *
   * @param schema exact name
   * @throws DatabaseException if Citus is not installed, or if a table cannot be moved (see {@link
   *     #distributionPlan}); nothing was changed
   */
  public void distribute(String schema) {
    call("SELECT pgtoaster.distribute(CAST(? AS name))", schema);
  }

  /**
   * Moves a schema back to the coordinator. Stores stay in the schema of their tables.
   *
   * @param schema exact name
   * @throws DatabaseException if it is not distributed
   */
  public void undistribute(String schema) {
    call("SELECT pgtoaster.undistribute(CAST(? AS name))", schema);
  }

  private void call(String sql, String schema) {
    Catalog.<Boolean>change(
        connections,
        false,
        connection -> {
          return Query.read(connection, sql, r -> r.next(), schema);
        });
  }

  /**
   * Returns what {@link #distributeTable} would do with a table, and changes nothing.
   *
   * @param schema exact name of its schema, or null for the search path
   * @param table exact name
   * @return the table and the tables of its columns' stores, each with the reason if it cannot be
   *     distributed
   */
  public List<DistributionStep> tableDistributionPlan(@Nullable String schema, String table) {
    return connections.read(
        connection -> {
          requireInstalled(connection);
          long oid = ColumnLookup.tableOid(connection, schema, table);
          return Query.list(connection, DistributionStep.OF_TABLE, DistributionStep::read, oid);
        });
  }

  /**
   * Makes Citus distribute the rows of a table over its nodes by the {@code leading_key} of its
   * columns. All rows with the same value, such as a tenant, are on one node together with their
   * content. Stores in other schemas are moved into the table's schema. Call it on the coordinator,
   * as the owner of the catalog and of the table. Other sessions that use the table wait until it
   * ends.
   *
   * @param schema exact name of its schema, or null for the search path
   * @param table exact name
   * @throws DatabaseException if Citus is not installed, or if a table cannot be distributed (see
   *     {@link #tableDistributionPlan}); nothing was changed
   */
  public void distributeTable(@Nullable String schema, String table) {
    call("SELECT pgtoaster.distribute(CAST(CAST(? AS oid) AS regclass))", schema, table);
  }

  /**
   * Moves a table that is distributed by its rows back to the coordinator. Its stores stay in its
   * schema.
   *
   * @param schema exact name of its schema, or null for the search path
   * @param table exact name
   * @throws DatabaseException if it is not distributed
   */
  public void undistributeTable(@Nullable String schema, String table) {
    call("SELECT pgtoaster.undistribute(CAST(CAST(? AS oid) AS regclass))", schema, table);
  }

  private void call(String sql, @Nullable String schema, String table) {
    Catalog.<Boolean>change(
        connections,
        false,
        connection -> {
          long oid = ColumnLookup.tableOid(connection, schema, table);
          return Query.read(connection, sql, r -> r.next(), oid);
        });
  }

  /**
   * Returns the nodes that have rows and content of tables that are distributed by their rows.
   *
   * @return one item per table and node, ordered by name; empty without Citus
   */
  public List<DistributedTable> distributedTables() {
    return connections.read(
        connection -> {
          requireInstalled(connection);
          return Query.list(connection, DistributedTable.ALL, DistributedTable::read);
        });
  }

  /**
   * Returns the nodes and sizes of distributed schemas with attached columns.
   *
   * @return one item per schema, ordered by name; empty without Citus
   */
  public List<DistributedSchema> distributedSchemas() {
    return connections.read(
        connection -> {
          requireInstalled(connection);
          return Query.list(connection, DistributedSchema.ALL, DistributedSchema::read);
        });
  }

  /**
   * Returns the status of all attached columns.
   *
   * @return one item per attached column, ordered by store
   */
  public List<ColumnStatus> status() {
    return connections.<List<ColumnStatus>>read(
        connection -> {
          requireInstalled(connection);
          return StatusQuery.run(connection, this::find);
        });
  }

  /**
   * Lists, or removes, content that no column references any more. Runs in several bounded
   * transactions, or in the caller's transaction. If one store fails, the others are still
   * processed. If the session has no {@code lock_timeout}, waits at most ten seconds for a lock and
   * then skips the store.
   *
   * @param options whether to list or to remove, and the minimum age
   * @return what was found or removed, and which stores failed: see {@link GcReport#failures()}
   */
  public GcReport gc(GcOptions options) {
    connections.<Boolean>read(
        connection -> {
          requireInstalled(connection);
          return true;
        });
    return new GarbageCollection(connections, this::find, options).run();
  }

  /**
   * Returns the migration of an existing column to a toaster, or back.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @return a migration that is not started yet
   */
  public Migration migration(@Nullable String schema, String table, String column) {
    return new Migration(connections, jsonToasters, useExtension, schema, table, column);
  }

  /**
   * Lists the large objects that no column of type {@code oid} or {@code lo} in this database
   * references, for example those of a column whose migration has ended. Reads every such column.
   * The library never deletes large objects; use {@code vacuumlo} or {@code lo_unlink}.
   *
   * @return their OIDs, in ascending order
   */
  public List<Long> orphanedObjects() {
    return connections.<List<Long>>read(
        connection -> {
          requireInstalled(connection);
          return Query.list(
              connection,
              "SELECT o FROM pgtoaster.orphaned_objects() o ORDER BY 1",
              r -> r.getLong(1));
        });
  }

  static void requireInstalled(Connection connection) throws SQLException {
    if (!ColumnLookup.isInstalled(connection)) {
      throw new CatalogException(
          "the pgtoaster catalog is not installed in this database: catalog().install() installs"
              + " it, or \"pgtoaster install\" on the command line");
    }
  }
}
