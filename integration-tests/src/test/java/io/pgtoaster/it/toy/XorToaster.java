package io.pgtoaster.it.toy;

import io.pgtoaster.blob.BlobCapability;
import io.pgtoaster.blob.BlobToaster;
import io.pgtoaster.blob.BlobVtable;
import io.pgtoaster.column.AttachedColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** Keeps every byte of a bytea column inverted. */
public final class XorToaster implements BlobToaster {
  @Override
  public String name() {
    return "xor";
  }

  @Override
  public Set<BlobCapability> capabilities() {
    return Set.of();
  }

  @Override
  public BlobVtable vtable(AttachedColumn column) {
    return new XorVtable(new ToyColumn(column, "bytea"));
  }

  @Override
  public int attach(
      Connection connection,
      long table,
      String schema,
      String tableName,
      String column,
      Map<String, String> options)
      throws SQLException {
    return ToyColumn.attach(connection, table, column, name());
  }
}
