package io.pgtoaster.jdbi;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.jsonb.DocumentColumn;
import org.jdbi.v3.core.Handle;

/**
 * Opens blobs and documents on a handle of Jdbi: all calls run on its connection, in its
 * transaction. Without an open transaction, each call runs in its own transaction. It is as
 * thread-safe as the handle.
 *
 * <pre>{@code
 * jdbi.useTransaction(handle -> {
 *   handle.execute("INSERT INTO recording (id) VALUES (42)");
 *   JdbiToaster.of(handle).blobs("recording", "audio").append(42, bytes);
 * });
 * }</pre>
 */
public final class JdbiToaster {
  private final Handle handle;
  private final Columns columns;

  private JdbiToaster(Handle handle, Columns columns) {
    this.handle = handle;
    this.columns = columns;
  }

  /**
   * Returns an entry point on a handle. In an SQL object, pass {@code getHandle()}.
   *
   * @param handle of a {@code Jdbi} with a {@link PgToasterPlugin}
   * @return the entry point; do not use it, or what it returns, after the handle is closed
   * @throws IllegalStateException if the plugin is not installed
   */
  public static JdbiToaster of(Handle handle) {
    return new JdbiToaster(handle, handle.getConfig(PgToasterConfig.class).columns());
  }

  /**
   * Returns the blobs of a column of a table on the search path.
   *
   * @param table exact name
   * @param column exact name
   * @return the blobs
   */
  public BlobColumn blobs(String table, String column) {
    return blobs(ColumnName.of(table, column));
  }

  /**
   * Returns the blobs of a column.
   *
   * @param column its name
   * @return the blobs
   */
  public BlobColumn blobs(ColumnName column) {
    return columns.blobs(column).on(handle.getConnection());
  }

  /**
   * Returns the JSON documents of a column of a table on the search path.
   *
   * @param table exact name
   * @param column exact name
   * @return the documents
   */
  public DocumentColumn documents(String table, String column) {
    return documents(ColumnName.of(table, column));
  }

  /**
   * Returns the JSON documents of a column.
   *
   * @param column its name
   * @return the documents
   */
  public DocumentColumn documents(ColumnName column) {
    return columns.documents(column).on(handle.getConnection());
  }
}
