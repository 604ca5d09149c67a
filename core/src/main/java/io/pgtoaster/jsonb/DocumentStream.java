package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Connections.Lease;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.ColumnAccess.Resolved;
import io.pgtoaster.internal.column.OperationContext;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;

/**
 * Streams the text of a value from the server. If it has its own connection, it keeps a read-only
 * transaction open until it is closed. Not thread-safe, except that any thread may close it.
 */
final class DocumentStream extends InputStream {
  /** Number of stored rows to fetch at a time. */
  private static final int WINDOW = 32;

  private final ColumnAccess<JsonToaster, JsonVtable> access;
  private final Lease lease;
  private final boolean own;
  private final String place;
  private final InputStream text;
  private boolean closed;

  private DocumentStream(
      ColumnAccess<JsonToaster, JsonVtable> access,
      Lease lease,
      boolean own,
      String place,
      InputStream text) {
    this.access = access;
    this.lease = lease;
    this.own = own;
    this.place = place;
    this.text = text;
  }

  /** Opens the value at a path; empty if there is nothing at the path. */
  static Optional<InputStream> open(
      ColumnAccess<JsonToaster, JsonVtable> access, Object key, DocumentPath path) {
    OperationContext context = new DocumentOperation("stream", key, path);
    return access.run(context, true, column -> open(access, column, context, path));
  }

  private static Optional<InputStream> open(
      ColumnAccess<JsonToaster, JsonVtable> access,
      Resolved<JsonToaster, JsonVtable> column,
      OperationContext context,
      DocumentPath path) {
    boolean own = access.connections().connectionPerCall();
    Lease lease = access.connections().lease();
    Connection connection = lease.connection();
    try {
      if (own) {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
      }
      int window = connection.getAutoCommit() ? 0 : WINDOW;
      InputStream text =
          column.vtable().open(connection, column.key(context.key()), path, null, window);
      if (text != null) {
        return Optional.of(
            new DocumentStream(
                access, lease, own, context.describe(column.column().describe()), text));
      }
      release(lease, own);
      return Optional.empty();
    } catch (SQLException | RuntimeException e) {
      try {
        release(lease, own);
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw e instanceof SQLException s ? SqlErrors.translate(s) : (RuntimeException) e;
    }
  }

  private static void release(Lease lease, boolean own) throws SQLException {
    try (lease) {
      Connection connection = lease.connection();
      if (own && !connection.isClosed()) {
        connection.rollback();
        connection.setReadOnly(false);
      }
    }
  }

  @Override
  public synchronized int read() throws IOException {
    ensureOpen();
    try {
      return text.read();
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public synchronized int read(byte[] buffer, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    ensureOpen();
    try {
      return text.read(buffer, offset, length);
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  private IOException failed(Exception e) {
    return Failures.asIo(
        e instanceof PgToasterException p ? access.snapshotOr(lease.connection(), p) : e, place);
  }

  @Override
  public synchronized int available() throws IOException {
    ensureOpen();
    return text.available();
  }

  private void ensureOpen() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    IOException failed = null;
    try {
      text.close();
    } catch (IOException | RuntimeException e) {
      failed = Failures.asIo(e, place);
    }
    try {
      release(lease, own);
    } catch (SQLException e) {
      IOException releasing = Failures.asIo(e, place);
      if (failed == null) {
        failed = releasing;
      } else {
        failed.addSuppressed(releasing);
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
