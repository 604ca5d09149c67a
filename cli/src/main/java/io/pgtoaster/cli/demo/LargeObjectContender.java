package io.pgtoaster.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Uses PostgreSQL's large objects through the driver's class; each call is a transaction. */
final class LargeObjectContender implements Contender, AutoCloseable {
  /** Smaller and larger buffers were slower. */
  private static final int BUFFER = 1 << 18;

  private final String table;
  private final Workspace workspace;

  LargeObjectContender(Workspace workspace) throws SQLException {
    this.workspace = workspace;
    this.table = workspace.table("large_object");
    workspace.execute("CREATE TABLE " + table + " (name text PRIMARY KEY, content oid)");
  }

  /** An operation on a large object. */
  @FunctionalInterface
  private interface Work<E extends Exception> {
    void on(LargeObject object) throws SQLException, E;
  }

  private <E extends Exception> void in(String value, Work<E> work) throws SQLException, E {
    try (Connection connection = workspace.connect()) {
      connection.setAutoCommit(false);
      LargeObjectManager manager = connection.unwrap(PGConnection.class).getLargeObjectAPI();
      long oid =
          workspace.number("SELECT content FROM " + table + " WHERE name = CAST(? AS text)", value);
      try (LargeObject object = manager.open(oid, LargeObjectManager.READWRITE)) {
        work.on(object);
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  @Override
  public String title() {
    return "large object";
  }

  @Override
  public void write(String value, InputStream in) throws SQLException, IOException {
    workspace.update(
        "INSERT INTO " + table + " VALUES (?, pg_catalog.lo_create(CAST(0 AS oid)))", value);
    in(
        value,
        object -> {
          byte[] buffer = new byte[BUFFER];
          for (int n = in.readNBytes(buffer, 0, BUFFER);
              n > 0;
              n = in.readNBytes(buffer, 0, BUFFER)) {
            object.write(buffer, 0, n);
          }
        });
  }

  @Override
  public void read(String value, OutputStream to) throws SQLException, IOException {
    in(
        value,
        object -> {
          byte[] buffer = new byte[BUFFER];
          for (int n = object.read(buffer, 0, BUFFER); n > 0; n = object.read(buffer, 0, BUFFER)) {
            to.write(buffer, 0, n);
          }
        });
  }

  @Override
  public void appendByte(String value) throws SQLException {
    in(
        value,
        object -> {
          object.seek64(0, LargeObject.SEEK_END);
          object.write(new byte[] {'x'});
        });
  }

  @Override
  public void remove(String value) throws SQLException {
    workspace.number(
        "WITH gone AS (DELETE FROM "
            + table
            + " WHERE name = CAST(? AS text) RETURNING content) SELECT"
            + " pg_catalog.lo_unlink(content) FROM gone",
        value);
  }

  /** Dropping a table does not delete its large objects. */
  @Override
  public void close() throws SQLException {
    workspace.execute("SELECT pg_catalog.lo_unlink(content) FROM " + table);
  }
}
