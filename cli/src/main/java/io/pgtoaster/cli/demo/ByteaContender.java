package io.pgtoaster.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A bytea column and {@code ||}, uncompressed, which is its fastest storage here. */
final class ByteaContender implements GrowingContender {
  private static final int PIECE = 1 << 20;
  private static final long WRITE_LIMIT = 16 << 20;
  private static final long APPEND_LIMIT = 100_000_000;

  private final String table;
  private final Connection connection;

  ByteaContender(Workspace workspace) throws SQLException {
    this.table = workspace.table("bytea_value");
    workspace.execute("CREATE TABLE " + table + " (name text PRIMARY KEY, content bytea)");
    workspace.execute("ALTER TABLE " + table + " ALTER COLUMN content SET STORAGE EXTERNAL");
    this.connection = workspace.connect();
  }

  @Override
  public String name() {
    return "bytea";
  }

  @Override
  public String title() {
    return "bytea ||";
  }

  /** Each piece rewrites the whole value: the time grows with the square of the size. */
  @Override
  public long writeLimit() {
    return WRITE_LIMIT;
  }

  @Override
  public long appendLimit() {
    return APPEND_LIMIT;
  }

  @Override
  public void write(String value, InputStream in) throws SQLException, IOException {
    update("INSERT INTO " + table + " VALUES (?, '')", value);
    byte[] piece = in.readNBytes(PIECE);
    while (piece.length > 0) {
      append(value, piece);
      piece = in.readNBytes(PIECE);
    }
  }

  @Override
  public void fill(String value, long size) throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "INSERT INTO "
                + table
                + " SELECT ?, string_agg(CAST(? AS bytea), '') FROM generate_series(1, ?)")) {
      s.setString(1, value);
      s.setBytes(2, GeneratedInput.period());
      s.setInt(3, Math.toIntExact(size / GeneratedInput.PERIOD));
      s.executeUpdate();
    }
  }

  @Override
  public void read(String value, Sink sink) throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "SELECT substring(content FROM ? FOR ?) FROM " + table + " WHERE name = ?")) {
      for (int at = 0; ; at += PIECE) {
        s.setInt(1, at + 1);
        s.setInt(2, PIECE);
        s.setString(3, value);
        try (ResultSet r = s.executeQuery()) {
          byte[] piece = r.next() ? r.getBytes(1) : new byte[0];
          sink.accept(piece, 0, piece.length);
          if (piece.length < PIECE) {
            return;
          }
        }
      }
    }
  }

  @Override
  public void appendByte(String value) throws SQLException {
    append(value, new byte[] {'x'});
  }

  private void append(String value, byte[] piece) throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "UPDATE " + table + " SET content = content || ? WHERE name = ?")) {
      s.setBytes(1, piece);
      s.setString(2, value);
      s.executeUpdate();
    }
  }

  private void update(String sql, Object parameter) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      s.setObject(1, parameter);
      s.executeUpdate();
    }
  }

  @Override
  public void remove(String value) throws SQLException {
    update("DELETE FROM " + table + " WHERE name = ?", value);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
