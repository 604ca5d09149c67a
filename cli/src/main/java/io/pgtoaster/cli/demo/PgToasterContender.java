package io.pgtoaster.cli.demo;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The appendable toaster by its committing stream. */
final class PgToasterContender implements GrowingContender {
  private static final int BUFFER = 1 << 18;
  private static final byte[] ONE = {'x'};

  private final Workspace workspace;
  private final BlobColumn blobs;

  PgToasterContender(Workspace workspace) throws SQLException {
    this.workspace = workspace;
    workspace.execute(
        "CREATE TABLE " + workspace.table("blob") + " (name text PRIMARY KEY, content bigint)");
    workspace.attach("blob", "content");
    this.blobs =
        PgToaster.create(workspace.dataSource()).blobs(workspace.schema(), "blob", "content");
  }

  @Override
  public String name() {
    return "pgtoaster";
  }

  @Override
  public String title() {
    return "pgtoaster";
  }

  BlobColumn blobs() {
    return blobs;
  }

  @Override
  public void write(String value, InputStream in) throws SQLException, IOException {
    addRow(value);
    byte[] buffer = new byte[BUFFER];
    try (BlobAppendStream out = blobs.appendStream(value)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
      }
    }
  }

  void addRow(String value) throws SQLException {
    withName("INSERT INTO " + workspace.table("blob") + " (name) VALUES (?)", value);
  }

  @Override
  public void read(String value, Sink sink) throws IOException {
    byte[] buffer = new byte[BUFFER];
    try (BlobReader reader = blobs.open(value);
        InputStream in = reader.inputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        sink.accept(buffer, 0, n);
      }
    }
  }

  @Override
  public void appendByte(String value) {
    blobs.append(value, ONE);
  }

  @Override
  public void remove(String value) throws SQLException {
    withName("DELETE FROM " + workspace.table("blob") + " WHERE name = ?", value);
  }

  private void withName(String sql, String value) throws SQLException {
    try (Connection connection = workspace.connect();
        PreparedStatement s = connection.prepareStatement(sql)) {
      s.setString(1, value);
      s.executeUpdate();
    }
  }

  @Override
  public void close() {}
}
