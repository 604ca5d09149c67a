package io.pgtoaster;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.CallListener;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.internal.CallersConnection;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.JoiningConnections;
import io.pgtoaster.internal.OwnConnections;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.internal.hook.Hidden;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.Toaster;
import java.sql.Connection;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The entry point of pgtoaster. It offers streaming appends and ranged reads for big values that
 * grow, and JSON documents that are read and changed by path.
 *
 * <p>With {@link #create}, each call takes its own connection and runs in its own transaction. With
 * {@link #on}, calls join the transaction of a connection. Both methods are cheap.
 *
 * <pre>{@code
 * PgToaster toaster = PgToaster.create(dataSource);
 * toaster.blobs("recording", "audio").append(42, bytes);
 * toaster.documents("person", "doc").at(7, "address.city").set("Berlin");
 *
 * PgToaster.on(connection).blobs("recording", "audio").append(42, bytes); // in its transaction
 * }</pre>
 */
public final class PgToaster {
  private final Connections connections;
  private final boolean extension;
  private final @Nullable CallListener listener;
  private final @Nullable JsonMapper mapper;

  private PgToaster(Connections connections) {
    this(connections, true, null, null);
  }

  private PgToaster(
      Connections connections,
      boolean extension,
      @Nullable CallListener listener,
      @Nullable JsonMapper mapper) {
    this.connections = connections;
    this.extension = extension;
    this.listener = listener;
    this.mapper = mapper;
  }

  /** The toasters on the class path, loaded once. */
  private static final class Shared {
    static final Toasters<BlobToaster> BLOB_TOASTERS = Toasters.blobs();
    static final Toasters<JsonToaster> JSON_TOASTERS = Toasters.documents();
  }

  /**
   * Returns an entry point on a data source: each call takes a connection and runs in its own
   * transaction. The entry point and its handles are thread-safe.
   *
   * @param dataSource source of PostgreSQL connections, preferably a pool; if they depend on the
   *     calling thread, use {@link #inCallersThread}
   */
  public static PgToaster create(DataSource dataSource) {
    return new PgToaster(new OwnConnections(Objects.requireNonNull(dataSource, "dataSource")));
  }

  /**
   * Returns an entry point for frameworks that bind connections to threads. Each call joins the
   * transaction of its thread; without one, it runs in its own transaction. The entry point and its
   * handles are thread-safe.
   *
   * @param dataSource source of PostgreSQL connections, preferably a pool
   * @param current returns the connection of the thread's transaction, or null if there is none; it
   *     is called once for each call, stream or reader. The connection still belongs to its owner:
   *     it is never closed, and its transaction is never committed or rolled back
   */
  public static PgToaster create(
      DataSource dataSource, Supplier<? extends @Nullable Connection> current) {
    return new PgToaster(
        new JoiningConnections(
            Objects.requireNonNull(dataSource, "dataSource"),
            Objects.requireNonNull(current, "current")));
  }

  /**
   * Returns an entry point on one connection. All calls run in its open transaction; in autocommit
   * mode, each call is a transaction of its own. One thread at a time may use the entry point and
   * its handles.
   *
   * @param connection remains the caller's: it is never closed, and the caller's transactions are
   *     never committed or rolled back
   */
  public static PgToaster on(Connection connection) {
    return new PgToaster(new CallersConnection(Objects.requireNonNull(connection, "connection")));
  }

  /**
   * Returns a copy of this entry point that uses only plain SQL. Other entry points also call
   * functions of the server extension, if it is installed and these are faster.
   */
  public PgToaster withoutExtension() {
    return new PgToaster(connections, false, listener, mapper);
  }

  /**
   * Returns a copy of this entry point for a data source whose connections depend on the calling
   * thread, such as one that selects a tenant's database or sets its role. Each call then runs
   * entirely in the calling thread: streams do not commit in the background, and appends of several
   * threads to one blob are not combined.
   */
  public PgToaster inCallersThread() {
    return new PgToaster(connections.inCallersThread(), extension, listener, mapper);
  }

  /**
   * Returns a copy of this entry point with a listener, which is notified of every call on columns
   * opened through the copy.
   */
  public PgToaster withListener(CallListener listener) {
    return new PgToaster(
        connections, extension, Objects.requireNonNull(listener, "listener"), mapper);
  }

  /**
   * Returns a copy of this entry point with a mapper for objects of the caller's classes. Document
   * columns opened through the copy use the mapper, as with {@link DocumentColumn#withMapper}.
   */
  public PgToaster withMapper(JsonMapper objects) {
    return new PgToaster(
        connections, extension, listener, Objects.requireNonNull(objects, "objects"));
  }

  /**
   * Returns the blobs of a column of a table on the search path. Names are exact. The column is
   * looked up on first use.
   */
  public BlobColumn blobs(String table, String column) {
    return blobs(ColumnName.of(table, column));
  }

  /** Returns the blobs of a column, which is looked up on first use. */
  public BlobColumn blobs(ColumnName column) {
    return Hidden.create(BlobColumn.class, access(Shared.BLOB_TOASTERS, column));
  }

  /**
   * Returns the JSON documents of a column of a table on the search path. Names are exact. The
   * column is looked up on first use.
   */
  public DocumentColumn documents(String table, String column) {
    return documents(ColumnName.of(table, column));
  }

  /** Returns the JSON documents of a column, which is looked up on first use. */
  public DocumentColumn documents(ColumnName column) {
    DocumentColumn documents =
        Hidden.create(DocumentColumn.class, access(Shared.JSON_TOASTERS, column));
    return mapper == null ? documents : documents.withMapper(mapper);
  }

  private <T extends Toaster<?, V>, V> ColumnAccess<T, V> access(
      Toasters<T> toasters, ColumnName column) {
    return new ColumnAccess<>(connections, toasters, column, extension, listener);
  }

  /** Returns the catalog of attached columns. */
  public Catalog catalog() {
    return new Catalog(connections, Shared.BLOB_TOASTERS, Shared.JSON_TOASTERS, extension);
  }
}
