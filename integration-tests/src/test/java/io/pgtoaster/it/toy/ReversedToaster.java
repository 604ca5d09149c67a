package io.pgtoaster.it.toy;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.ColumnAttach;
import io.pgtoaster.jsonb.JsonCapability;
import io.pgtoaster.jsonb.JsonToaster;
import io.pgtoaster.jsonb.JsonVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** Keeps documents in a text column, their characters in reverse. */
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
