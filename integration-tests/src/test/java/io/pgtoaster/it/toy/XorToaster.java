package io.pgtoaster.it.toy;

import io.pgtoaster.blob.BlobCapability;
import io.pgtoaster.blob.BlobToaster;
import io.pgtoaster.blob.BlobVtable;
import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.error.ColumnNotFoundException;
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
    if (!column.typeName().equals("bytea")) {
      throw new ColumnNotFoundException(column.describe() + " is not of type bytea");
    }
    return new XorVtable(column);
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
    return ToyCatalog.add(connection, table, column, name());
  }
}
