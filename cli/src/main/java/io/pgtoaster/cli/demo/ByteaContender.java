package io.pgtoaster.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Uses a bytea column and {@code ||}, uncompressed, which is its fastest storage for this purpose.
 */
final class ByteaContender implements Contender {
  private static final int PIECE = 1 << 20;

  private final Workspace workspace;
  private final String table;

  ByteaContender(Workspace workspace) throws SQLException {
    this.workspace = workspace;
    this.table = workspace.table("bytea_value");
    workspace.execute("CREATE TABLE " + table + " (name text PRIMARY KEY, content bytea)");
    workspace.execute("ALTER TABLE " + table + " ALTER COLUMN content SET STORAGE EXTERNAL");
  }

  @Override
  public String title() {
    return "bytea ||";
  }

  /** Each piece rewrites the whole value, so the time grows with the square of the size. */
  @Override
  public long writeLimit() {
    return 16 << 20;
  }

  @Override
  public long appendLimit() {
    return 100_000_000;
  }

  @Override
  public void write(String value, InputStream in) throws SQLException, IOException {
    workspace.update("INSERT INTO " + table + " VALUES (?, '')", value);
    for (byte[] piece = in.readNBytes(PIECE); piece.length > 0; piece = in.readNBytes(PIECE)) {
      append(value, piece);
    }
  }

  @Override
  public void fill(String value, int times) throws SQLException {
    workspace.update(
        "INSERT INTO "
            + table
            + " SELECT ?, pg_catalog.string_agg(CAST(? AS bytea), '') FROM"
            + " pg_catalog.generate_series(1, ?)",
        value,
        NOISE,
        times);
  }

  @Override
  public void read(String value, OutputStream to) throws SQLException, IOException {
    String sql =
        "SELECT substring(content FROM ? FOR ?) FROM " + table + " WHERE name = CAST(? AS text)";
    try (Connection connection = workspace.connect();
        PreparedStatement s = connection.prepareStatement(sql)) {
      s.setInt(2, PIECE);
      s.setString(3, value);
      byte[] piece;
      int at = 1;
      do {
        s.setInt(1, at);
        try (ResultSet r = s.executeQuery()) {
          piece = r.next() ? r.getBytes(1) : new byte[0];
        }
        to.write(piece);
        at += piece.length;
      } while (piece.length == PIECE);
    }
  }

  @Override
  public void appendByte(String value) throws SQLException {
    append(value, new byte[] {'x'});
  }

  private void append(String value, byte[] piece) throws SQLException {
    workspace.update(
        "UPDATE "
            + table
            + " SET content = content || CAST(? AS bytea) WHERE name = CAST(? AS text)",
        piece,
        value);
  }

  @Override
  public void remove(String value) throws SQLException {
    workspace.update("DELETE FROM " + table + " WHERE name = CAST(? AS text)", value);
  }
}
