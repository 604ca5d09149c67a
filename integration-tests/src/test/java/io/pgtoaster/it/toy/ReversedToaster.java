package io.pgtoaster.it.toy;

import io.pgtoaster.column.JsonCapability;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.ColumnAttach;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** Stores documents as reversed text in a text column. */
public final class ReversedToaster implements JsonToaster {
  @Override
  public String name() {
    return "reversed";
  }

  @Override
  public Set<JsonCapability> capabilities() {
    return Set.of();
  }

  @Override
  public JsonVtable vtable(AttachedColumn column) {
    return new ReversedVtable(new ToyColumn(column, "text"));
  }

  @Override
  public int attach(Connection connection, long table, String column, Map<String, String> options)
      throws SQLException {
    return ColumnAttach.add(connection, table, column, name(), options);
  }
}
