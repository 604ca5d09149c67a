package io.pgtoaster;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.jsonb.JsonIndex;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.JsonToaster;
import java.util.List;
import java.util.Map;

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
  private final Connections connections;
  private final Installed database;
  private final Attachments attachments;
  private final SearchIndexes indexes;
  private final boolean useExtension;

  Catalog(
      Connections connections,
      Toasters<BlobToaster> blobToasters,
      Toasters<JsonToaster> jsonToasters,
      boolean useExtension) {
    this.connections = connections;
    this.database = new Installed(connections);
    this.attachments = new Attachments(database, blobToasters, jsonToasters);
    this.indexes = new SearchIndexes(database);
    this.useExtension = useExtension;
  }

  /** Returns the names of the SQL scripts that {@link #install} runs, in order. */
  public static List<String> scriptNames() {
    return Installation.SCRIPTS;
  }

  /**
   * Returns the text of one of {@link #scriptNames()}, to run with psql, Flyway or Liquibase. Run
   * all scripts in order, in one transaction.
   */
  public static String script(String name) {
    return Installation.script(name);
  }

  /** Returns the version of the installed catalog; 0 if the catalog is not installed. */
  public int installedVersion() {
    return connections.read(ColumnLookup::installedVersion);
  }

  /**
   * Installs the catalog. If the server extension is in the database and the caller owns it, also
   * updates it to the version of its files on the server. Writes nothing and does not wait for
   * locks if everything is up to date ({@link #isInstalled()}); otherwise replaces what differs,
   * and upgrades a catalog of version 13 or later. If the role has no {@code lock_timeout}, waits
   * at most ten seconds for each lock that other sessions hold.
   *
   * @throws CatalogException if the catalog is newer than this library, or older than version 13;
   *     nothing is changed
   * @throws AccessDeniedException if the role may not create the schema, or if the schema or
   *     anything in it belongs to another role; nothing is changed
   */
  public void install() {
    connections.<Boolean>inTransaction(true, Installation::install);
  }

  /**
   * Returns whether everything is installed, so that {@link #install} has nothing to do: the
   * catalog is this library's, its functions, views and triggers are unchanged, and the routines of
   * the caller's stores match it.
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

  /** Returns the versions of the server extension, and whether it is used. */
  public ExtensionStatus extension() {
    return connections.read(Extension::status);
  }

  /**
   * Attaches a column of a table on the search path. Names are exact.
   *
   * @param options see {@link #attach(ColumnName, ToasterOptions)}
   * @return the attached column
   */
  public Attachment attach(String table, String column, ToasterOptions options) {
    return attach(ColumnName.of(table, column), options);
  }

  /**
   * Attaches a column to a toaster. The toasters {@code appendable} and {@code keyed} add a column
   * that does not exist.
   *
   * @param options {@link io.pgtoaster.blob.BlobOptions} for the toaster {@code appendable}, {@link
   *     io.pgtoaster.jsonb.JsonOptions} for the toaster {@code keyed}, or {@link
   *     ToasterOptions#of(String, Map)} for any other toaster
   * @return the attached column
   * @throws CatalogException if the catalog is not installed
   * @throws UnsupportedCapabilityException if no jar on the class path contains the toaster
   */
  public Attachment attach(ColumnName column, ToasterOptions options) {
    return attachments.attach(column, options);
  }

  /**
   * Attaches a column of a table on the search path, unless it is already attached. Names are
   * exact.
   *
   * @param options see {@link #attachIfAbsent(ColumnName, ToasterOptions)}
   * @return the attached column
   */
  public Attachment attachIfAbsent(String table, String column, ToasterOptions options) {
    return attachIfAbsent(ColumnName.of(table, column), options);
  }

  /**
   * Attaches a column to a toaster, unless it is already attached to it. An attached column keeps
   * its options.
   *
   * @param options the toaster and its options, as for {@link #attach(ColumnName, ToasterOptions)}
   * @return the attached column
   * @throws CatalogException if the catalog is not installed, or the column is attached to another
   *     toaster
   * @throws UnsupportedCapabilityException if no jar on the class path contains the toaster
   * @throws PgToasterException if it is already attached and does not keep all paths of {@code
   *     keepInline} in the row
   */
  public Attachment attachIfAbsent(ColumnName column, ToasterOptions options) {
    return attachments.attachIfAbsent(column, options);
  }

  /**
   * Changes options of an attached column; options that are not set keep their values. The changes
   * apply to new content as soon as its writer looks up the column again, and to stored content
   * when it is compacted.
   *
   * @param changes the toaster of the column, and options to change, which {@link
   *     ToasterOptions#of(String, Map)} takes by their names; the row key, the leading key, the
   *     schema of the store, and checksums cannot be changed
   * @throws CatalogException if the column is not attached, or is attached to another toaster
   * @throws PgToasterException if its toaster has no such options
   */
  public void setOptions(ColumnName column, ToasterOptions changes) {
    attachments.setOptions(column, changes);
  }

  /**
   * Detaches a column: drops its store and keeps the column.
   *
   * @throws PgToasterException if the column is not attached, or a row references a blob
   */
  public void detach(ColumnName column) {
    detach(column, DetachOptions.defaults());
  }

  /**
   * Detaches a column: drops its store and keeps the column.
   *
   * @param options whether to delete blobs to which rows still refer
   * @throws PgToasterException if the column is not attached, or if rows still reference content
   *     and the options do not drop it
   */
  public void detach(ColumnName column, DetachOptions options) {
    attachments.detach(column, options);
  }

  /** Detaches a column if it is attached. See {@link #detach(ColumnName, DetachOptions)}. */
  public boolean detachIfAttached(ColumnName column, DetachOptions options) {
    return attachments.detachIfAttached(column, options);
  }

  /**
   * Creates a search index on a column of documents. Creates only the parts that are missing; does
   * nothing if the index is complete.
   *
   * @param column name of a column that is attached to a toaster that splits documents
   * @throws CatalogException if the column is not attached
   * @throws PgToasterException if it has a text index with another configuration or a path index
   *     with other paths, or an online index is created in a transaction
   */
  public void createIndex(ColumnName column, JsonIndex index) {
    indexes.create(column, index);
  }

  /**
   * Drops a search index of a column. Keeps indexes of the column that {@link #createIndex} did not
   * create.
   *
   * @throws PgToasterException if there is no such index
   */
  public void dropIndex(ColumnName column, JsonIndex.Kind kind) {
    indexes.drop(column, kind);
  }

  /** Returns the search indexes of all columns, by table, column and kind. */
  public List<SearchIndex> indexes() {
    return indexes.list();
  }

  /**
   * Returns the steps that {@link #distribute} would take, without changing anything: the tables,
   * those of their columns' stores, and the reason if a table cannot be moved.
   */
  public List<DistributionStep> distributionPlan(Distributable what) {
    return database.read(
        connection ->
            Query.list(
                connection,
                DistributionStep.of(what),
                DistributionStep::read,
                what.parameter(connection)));
  }

  /**
   * Distributes a schema or a table with Citus, together with the stores of its columns. Moves
   * stores from other schemas into that schema, or into the schema of the table. Call it on the
   * coordinator, as the owner of the catalog and of the tables. Other sessions that use the tables
   * wait until the call ends.
   *
   * @throws DatabaseException if Citus is not installed, or if a table cannot be moved (see {@link
   *     #distributionPlan}); nothing was changed
   */
  public void distribute(Distributable what) {
    call("distribute", what);
  }

  /**
   * Moves a schema or a table back to the coordinator. Stores stay in the schema of their tables.
   *
   * @throws DatabaseException if it is not distributed
   */
  public void undistribute(Distributable what) {
    call("undistribute", what);
  }

  private void call(String function, Distributable what) {
    database.<Boolean>change(
        false,
        connection -> {
          Query.call(connection, "SELECT " + what.call(function), what.parameter(connection));
          return true;
        });
  }

  /**
   * Returns, for each table that is distributed by its rows, the nodes that hold its rows and
   * content, ordered by name. Empty without Citus.
   */
  public List<DistributedTable> distributedTables() {
    return database.read(c -> Query.list(c, DistributedTable.ALL, DistributedTable::read));
  }

  /**
   * Returns the nodes and sizes of distributed schemas with attached columns, ordered by name.
   * Empty without Citus.
   */
  public List<DistributedSchema> distributedSchemas() {
    return database.read(c -> Query.list(c, DistributedSchema.ALL, DistributedSchema::read));
  }

  /** Returns the status of all attached columns, ordered by store. */
  public List<ColumnStatus> status() {
    return database.read(connection -> StatusQuery.run(connection, attachments::find));
  }

  /**
   * Lists or removes content that is no longer referenced by any column. Runs in several bounded
   * transactions, or in the caller's transaction. If one store fails, the others are still
   * processed. If the session has no {@code lock_timeout}, waits at most ten seconds for a lock and
   * then skips the store.
   *
   * @param options whether to list or to remove, and the minimum age
   * @return what was found or removed, and which stores failed: see {@link GcReport#failures()}
   */
  public GcReport gc(GcOptions options) {
    return new GarbageCollection(database, attachments::find, options).run();
  }

  /** Returns the migration of an existing column to a toaster, or back. It has not started yet. */
  public Migration migration(ColumnName column) {
    return new Migration(database, attachments.documents(), useExtension, column);
  }

  /**
   * Lists the large objects that no column of type {@code oid} or {@code lo} in this database
   * references, for example those of a column whose migration has ended. Reads every such column.
   * The library never deletes large objects; use {@code vacuumlo} or {@code lo_unlink}.
   *
   * @return their OIDs, in ascending order
   */
  public List<Long> orphanedObjects() {
    return database.read(
        connection ->
            Query.list(
                connection,
                "SELECT o FROM pgtoaster.orphaned_objects() o ORDER BY 1",
                r -> r.getLong(1)));
  }
}
