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
 * The catalog in the schema {@code pgtoaster}: which columns are attached, to which toaster, with
 * which options. Each call is one transaction, or joins the caller's; {@link #gc} takes several.
 *
 * <pre>{@code
 * Catalog catalog = toaster.catalog();
 * catalog.install();
 * catalog.attachIfAbsent("recording", "audio", BlobOptions.defaults().withCrc32c(true));
 * catalog.attachIfAbsent("person", "doc", JsonOptions.defaults());
 * GcReport left = catalog.gc(GcOptions.defaults()); // lists what no row names
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
   * Returns an SQL script, for psql, Flyway or Liquibase: run all of them in order in one
   * transaction.
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
   * Installs the catalog, and brings the server extension to the version of its files where that is
   * in the database and belongs to the caller. If all is there, {@link #isInstalled()}, nothing is
   * written and nobody waited for; else it replaces what differs. Where the role has set no {@code
   * lock_timeout}, it waits for whoever uses the catalog for ten seconds.
   *
   * @throws CatalogException if there is a catalog of another version; nothing is changed then
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
   * Tells whether {@link #install} has nothing to do: the catalog is that of this library, nobody
   * has changed its functions, views or triggers, and the routines of the caller's stores belong to
   * it.
   *
   * @return true if so
   */
  public boolean isInstalled() {
    return connections.read(Installation::isCurrent);
  }

  /**
   * Puts the server extension into the database, if it is not there; takes a superuser, and its
   * files on the server.
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
   * Tells how the server extension stands.
   *
   * @return its versions, and whether it is used
   */
  public ExtensionStatus extension() {
    return connections.read(Extension::status);
  }

  /**
   * Attaches a column to the toaster {@code appendable}.
   *
   * @param table exact name of a table on the search path
   * @param column exact name; a column that does not exist is added
   * @param options what differs from the server's defaults
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
   * @param options what differs from the server's defaults
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
   * @param options what differs from the server's defaults
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
   * @param options what differs from the server's defaults
   * @return number of the store
   * @throws CatalogException if the catalog is not installed
   */
  public int attach(
      @Nullable String schema, String table, String column, String toaster, JsonOptions options) {
    return attach(jsonToasters.get(toaster), schema, table, column, options.toMap());
  }

  /**
   * Attaches a column to any toaster, with options by the names that it gives them.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param toaster name of a toaster on the class path
   * @param options what differs from the toaster's defaults
   * @return number of the store
   * @throws CatalogException if the catalog is not installed
   * @throws UnsupportedCapabilityException if no jar on the class path brings the toaster
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
   * Attaches a column to the toaster {@code appendable}, unless it is attached to it already: then
   * it stays as it is, with the options that it has.
   *
   * @param table exact name of a table on the search path
   * @param column exact name; a column that does not exist is added
   * @param options what differs from the server's defaults
   * @return number of the store
   * @throws CatalogException if it is attached to another toaster
   */
  public int attachIfAbsent(String table, String column, BlobOptions options) {
    return attachIfAbsent(null, table, column, AppendableBlobToaster.NAME, options.toMap());
  }

  /**
   * Attaches a column to the toaster {@code keyed}, unless it is attached to it already: then it
   * stays as it is, with the options that it has.
   *
   * @param table exact name of a table on the search path
   * @param column exact name; a column that does not exist is added
   * @param options what differs from the server's defaults
   * @return number of the store
   * @throws CatalogException if it is attached to another toaster
   * @throws PgToasterException if it does not keep in the row all that the option {@code
   *     keepInline} names
   */
  public int attachIfAbsent(String table, String column, JsonOptions options) {
    return attachIfAbsent(null, table, column, KeyedToaster.NAME, options.toMap());
  }

  /**
   * Attaches a column to any toaster, unless it is attached to it already: then it stays as it is.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param toaster name of a toaster on the class path
   * @param options what differs from the toaster's defaults, by the names that it gives them
   * @return number of the store
   * @throws CatalogException if the catalog is not installed, or the column is attached to another
   *     toaster
   * @throws UnsupportedCapabilityException if no jar on the class path brings the toaster
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
            // Another may be about to attach it.
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
   * Changes options of an attached column; what is not named stays as it is. New content follows
   * them, what is stored when it is compacted.
   *
   * @param table exact name of a table on the search path
   * @param column exact name
   * @param changes what is to change; the row key, the schema of the store, and of blobs checksums
   *     and the leading key cannot
   * @throws CatalogException if the column is not attached
   */
  public void setOptions(String table, String column, BlobOptions changes) {
    setOptions(null, table, column, changes.toMap());
  }

  /**
   * Changes options of an attached column; what is not named stays as it is. New content follows
   * them, what is stored when it is compacted.
   *
   * @param table exact name of a table on the search path
   * @param column exact name
   * @param changes what is to change; the row key and the schema of the store cannot
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
   * @param changes by the names that the toaster gives them
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
   * Detaches a column, if it is attached.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param dropContent whether content that rows still name may go; refused without
   * @return whether it was attached
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
   * Detaches a column: its store goes, the column stays.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param dropContent whether content that rows still name may go; refused without
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
   * Changes columns of an installed catalog, in a transaction of its own at READ COMMITTED: at
   * other levels, which may be the default, the server refuses.
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
      // Of a toaster that is not on the class path the catalog knows only the row.
      ColumnAttach.detach(connection, table, column, dropContent);
    } else {
      toaster.detach(connection, table, column, dropContent);
    }
  }

  private Toaster<?, ?> toaster(String name) {
    @Nullable Toaster<?, ?> found = find(name);
    // The one that names what there is.
    return found == null ? blobToasters.get(name) : found;
  }

  /** The toaster of a column of either kind, if it is on the class path. */
  private @Nullable Toaster<?, ?> find(String name) {
    return blobToasters
        .find(name)
        .<Toaster<?, ?>>map(Function.identity())
        .or(() -> jsonToasters.find(name))
        .orElse(null);
  }

  /**
   * Tells what {@link #distribute} would do with a schema, and changes nothing.
   *
   * @param schema exact name
   * @return its tables and those of the stores of its columns, whether they are moved or refused
   */
  public List<DistributionStep> distributionPlan(String schema) {
    return connections.read(
        connection -> {
          requireInstalled(connection);
          return Query.list(connection, DistributionStep.OF_SCHEMA, DistributionStep::read, schema);
        });
  }

  /**
   * Has Citus keep a schema on one of its nodes: its tables, and with them the stores of their
   * columns, which come into the schema if they are elsewhere. On the coordinator, as the owner of
   * catalog and tables; whoever uses the tables waits until it has ended.
   *
   * @param schema exact name
   * @throws DatabaseException if there is no Citus, or something stands in the way (see {@link
   *     #distributionPlan}); nothing was changed
   */
  public void distribute(String schema) {
    call("SELECT pgtoaster.distribute(CAST(? AS name))", schema);
  }

  /**
   * Takes a schema back to the coordinator. Stores stay in the schema of their tables.
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
   * Tells what {@link #distributeTable} would do with a table, and changes nothing.
   *
   * @param schema exact name of its schema, or null for the search path
   * @param table exact name
   * @return it and the tables of the stores of its columns, whether they are distributed or refused
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
   * Has Citus spread the rows of a table over its nodes by the {@code leading_key} of its columns:
   * the rows with one value, a tenant's, and their content are on one node. The stores come into
   * the schema of the table if they are elsewhere. On the coordinator, as the owner of catalog and
   * table; whoever uses the table waits until it has ended.
   *
   * @param schema exact name of its schema, or null for the search path
   * @param table exact name
   * @throws DatabaseException if there is no Citus, or something stands in the way (see {@link
   *     #tableDistributionPlan}); nothing was changed
   */
  public void distributeTable(@Nullable String schema, String table) {
    call("SELECT pgtoaster.distribute(CAST(CAST(? AS oid) AS regclass))", schema, table);
  }

  /**
   * Takes a table that is distributed by its rows back to the coordinator. Stores stay in its
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
   * Tells where the rows and the content of tables are that are distributed by their rows.
   *
   * @return one item per table and node, by name; none where there is no Citus
   */
  public List<DistributedTable> distributedTables() {
    return connections.read(
        connection -> {
          requireInstalled(connection);
          return Query.list(connection, DistributedTable.ALL, DistributedTable::read);
        });
  }

  /**
   * Tells where distributed schemas with attached columns are, and what they weigh.
   *
   * @return one item per schema, by name; none where there is no Citus
   */
  public List<DistributedSchema> distributedSchemas() {
    return connections.read(
        connection -> {
          requireInstalled(connection);
          return Query.list(connection, DistributedSchema.ALL, DistributedSchema::read);
        });
  }

  /**
   * Tells how the attached columns stand.
   *
   * @return one item per attached column, by store
   */
  public List<ColumnStatus> status() {
    return connections.<List<ColumnStatus>>read(
        connection -> {
          requireInstalled(connection);
          return StatusQuery.run(connection, this::find);
        });
  }

  /**
   * Finds, and if asked removes, what no column names any more: in bounded transactions of its own,
   * or in the caller's. A store that fails keeps no other from being cleaned. Where the session has
   * no {@code lock_timeout}, it waits for a lock for ten seconds and leaves the store then.
   *
   * @param options list only or remove, and from what age on
   * @return what was found or removed, and which stores could not be looked after: see {@link
   *     GcReport#failures()}
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
   * The way of an existing column to a toaster, and back.
   *
   * @param schema exact name of the table's schema, or null for the search path
   * @param table exact name
   * @param column exact name
   * @return what does it; nothing has begun
   */
  public Migration migration(@Nullable String schema, String table, String column) {
    return new Migration(connections, jsonToasters, useExtension, schema, table, column);
  }

  /**
   * Lists the large objects that no column of type {@code oid} or {@code lo} of a table of this
   * database names, such as those of a column whose migration has ended. None is ever deleted:
   * {@code vacuumlo} or {@code lo_unlink} do that. Reads each such column.
   *
   * @return their numbers, in order
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
