package io.pgtoaster.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** PostgreSQL's large objects by the driver's own class; a value goes in within one transaction. */
final class LargeObjectContender implements GrowingContender {
  /** Smaller and bigger ones were slower. */
  private static final int BUFFER = 1 << 18;

  private static final byte[] ONE = {'x'};

  private final String table;
  private final Connection connection;
  private final LargeObjectManager manager;

  LargeObjectContender(Workspace workspace) throws SQLException {
    this.table = workspace.table("large_object");
    workspace.execute("CREATE TABLE " + table + " (name text PRIMARY KEY, content oid)");
    this.connection = workspace.connect();
    connection.setAutoCommit(false);
    this.manager = connection.unwrap(PGConnection.class).getLargeObjectAPI();
  }

  @Override
  public String name() {
    return "large_object";
  }

  @Override
  public String title() {
    return "large object";
  }

  @Override
  public void write(String value, InputStream in) throws SQLException, IOException {
    long oid = manager.createLO();
    try (PreparedStatement s =
        connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?)")) {
      s.setString(1, value);
      s.setLong(2, oid);
      s.executeUpdate();
    }
    byte[] buffer = new byte[BUFFER];
    try (LargeObject object = manager.open(oid, LargeObjectManager.WRITE)) {
      for (int n = in.readNBytes(buffer, 0, BUFFER); n > 0; n = in.readNBytes(buffer, 0, BUFFER)) {
        object.write(buffer, 0, n);
      }
    }
    connection.commit();
  }

  @Override
  public void read(String value, Sink sink) throws SQLException {
    byte[] buffer = new byte[BUFFER];
    try (LargeObject object = manager.open(oid(value), LargeObjectManager.READ)) {
      for (int n = object.read(buffer, 0, BUFFER); n > 0; n = object.read(buffer, 0, BUFFER)) {
        sink.accept(buffer, 0, n);
      }
    }
    connection.commit();
  }

  @Override
  public void appendByte(String value) throws SQLException {
    try (LargeObject object = manager.open(oid(value), LargeObjectManager.WRITE)) {
      object.seek64(0, LargeObject.SEEK_END);
      object.write(ONE);
    }
    connection.commit();
  }

  private long oid(String value) throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement("SELECT content FROM " + table + " WHERE name = ?")) {
      s.setString(1, value);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw new IllegalArgumentException(value);
        }
        return r.getLong(1);
      }
    }
  }

  @Override
  public void remove(String value) throws SQLException {
    manager.unlink(oid(value));
    try (PreparedStatement s =
        connection.prepareStatement("DELETE FROM " + table + " WHERE name = ?")) {
      s.setString(1, value);
      s.executeUpdate();
    }
    connection.commit();
  }

  @Override
  public void close() throws SQLException {
    connection.rollback();
    try (Statement s = connection.createStatement()) {
      s.execute("SELECT pg_catalog.lo_unlink(content) FROM " + table);
    }
    connection.commit();
    connection.close();
  }
}
