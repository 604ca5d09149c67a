package io.pgtoaster.cli.demo;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.SQLException;

/** Uses the appendable toaster through its committing stream. */
final class PgToasterContender implements Contender {
  private static final byte[] ONE = {'x'};

  private final Workspace workspace;
  private final BlobColumn blobs;

  PgToasterContender(Workspace workspace) throws SQLException {
    this.workspace = workspace;
    workspace.execute(
        "CREATE TABLE " + workspace.table("blob") + " (name text PRIMARY KEY, content bigint)");
    ColumnName column = workspace.column("blob", "content");
    workspace.attach(column, BlobOptions.defaults());
    this.blobs = PgToaster.create(workspace.dataSource()).blobs(column);
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
    try (OutputStream out = blobs.appendStream(value)) {
      in.transferTo(out);
    }
  }

  void addRow(String value) throws SQLException {
    workspace.update("INSERT INTO " + workspace.table("blob") + " (name) VALUES (?)", value);
  }

  @Override
  public void read(String value, OutputStream to) throws IOException {
    try (InputStream in = blobs.inputStream(value)) {
      in.transferTo(to);
    }
  }

  @Override
  public void appendByte(String value) {
    blobs.append(value, ONE);
  }

  @Override
  public void remove(String value) throws SQLException {
    workspace.update(
        "DELETE FROM " + workspace.table("blob") + " WHERE name = CAST(? AS text)", value);
  }
}
