package io.pgtoaster.postgrespro;

import io.pgtoaster.column.JsonCapability;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.jsonb.stock.StockVtable;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The toaster {@code postgrespro-jsonb}: a {@code jsonb} column in the {@code jsonb_toaster} of the
 * Postgres Pro server, whose operators fetch only the parts of a document that a path needs.
 * Disabled unless the setting {@code pgtoaster.postgrespro} is on.
 */
public final class PostgresProJsonToaster implements JsonToaster {
  private static final String NAME = "postgrespro-jsonb";
  private static final ServerToaster SERVER = new ServerToaster(NAME, "jsonb_toaster");
  private static final ServerAttach ATTACH = new ServerAttach(SERVER, "jsonb", List.of());

  /** Creates the toaster. Called by {@link java.util.ServiceLoader}. */
  public PostgresProJsonToaster() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<JsonCapability> capabilities() {
    return Set.of();
  }

  @Override
  public Executor executor() {
    return Executor.SERVER;
  }

  @Override
  public JsonVtable vtable(AttachedColumn column) {
    if (!column.typeName().equals("jsonb")) {
      throw new ColumnNotFoundException(
          "the column " + column.describe() + " is of type " + column.typeName() + ", not jsonb");
    }
    return new GuardedDocuments(
        StockVtable.lazy(column, ServerToaster.NO_LOGICAL_SLOT),
        StockVtable.lazy(column, null),
        new Guard(SERVER, column));
  }

  @Override
  public int attach(Connection connection, long table, String column, Map<String, String> options)
      throws SQLException {
    return ATTACH.attach(connection, table, column, options);
  }

  @Override
  public void detach(Connection connection, long table, String column, boolean dropContent)
      throws SQLException {
    ATTACH.detach(connection, table, column, "CAST(CAST(%s AS text) AS jsonb)");
  }

  @Override
  public List<String> warnings(Connection connection, int store) throws SQLException {
    List<String> warnings = new ArrayList<>(SERVER.warnings(connection));
    warnings.add(
        "VACUUM FULL, CLUSTER and any other rewrite of this table can make its documents"
            + " unreadable");
    return warnings;
  }
}
