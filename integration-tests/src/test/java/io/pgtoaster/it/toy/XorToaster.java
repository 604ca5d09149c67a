package io.pgtoaster.it.toy;

import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.ColumnAttach;
import io.pgtoaster.spi.GcRun;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Stores every byte of a bytea column XORed with a mask, uncompressed. Empty values are garbage.
 */
public final class XorToaster implements BlobToaster {
  /** The table and the column of a store, by its number. */
  private static final String PLACE =
      "SELECT format('%I.%I', a.schema_name, a.table_name), quote_ident(a.column_name)"
          + " FROM pgtoaster.attached_column a WHERE a.store = ?";

  private static final String EXTERNAL =
      "SELECT t.attstorage = 'e' FROM pgtoaster.attached_column a JOIN pg_attribute t"
          + " ON t.attrelid = a.owner AND t.attname = a.column_name WHERE a.store = ?";

  private static final String BYTEA =
      "SELECT a.atttypid = 'bytea'::regtype FROM pgtoaster.attached_column c JOIN pg_attribute a"
          + " ON a.attrelid = c.owner AND a.attname = c.column_name WHERE c.store = ?";

  @Override
  public String name() {
    return "xor";
  }

  @Override
  public Set<BlobCapability> capabilities() {
    return Set.of();
  }

  @Override
  public Executor executor() {
    return Executor.SERVER;
  }

  @Override
  public BlobVtable vtable(AttachedColumn column) {
    return new XorVtable(
        new ToyColumn(column, "bytea"),
        Integer.parseInt(column.options().getOrDefault("mask", "255")));
  }

  @Override
  public int attach(Connection connection, long table, String column, Map<String, String> options)
      throws SQLException {
    for (Map.Entry<String, String> option : options.entrySet()) {
      if (!option.getKey().equals("mask") || !option.getValue().matches("[0-9]{1,3}")) {
        throw new UnsupportedCapabilityException("xor has no option " + option);
      }
    }
    int store = ColumnAttach.add(connection, table, column, name(), options);
    if (!ToyColumn.holds(connection, BYTEA, store)) {
      throw new ColumnNotFoundException(column + " is no bytea");
    }
    Place place = place(connection, store);
    try (Statement s = connection.createStatement()) {
      s.execute(
          "ALTER TABLE " + place.table + " ALTER COLUMN " + place.column + " SET STORAGE EXTERNAL");
    }
    return store;
  }

  @Override
  public List<String> warnings(Connection connection, int store) throws SQLException {
    return ToyColumn.holds(connection, EXTERNAL, store)
        ? List.of()
        : List.of("the storage of the column is not EXTERNAL");
  }

  @Override
  public void collect(GcRun run) {
    run.step(
        () -> {
          long found = run.<Long>transaction(c -> empty(c, run.store(), run.dryRun()));
          if (found > 0) {
            run.found("empty", 0, 0, "rows with nothing: " + found);
          }
        });
    run.kept("toy", run.store(), 0, "grace " + run.grace() + ", horizon " + run.tokenHorizon());
  }

  private static long empty(Connection connection, int store, boolean dryRun) throws SQLException {
    Place place = place(connection, store);
    String nothing = " WHERE " + place.column + " = ''";
    try (Statement s = connection.createStatement()) {
      if (!dryRun) {
        return s.executeUpdate(
            "UPDATE " + place.table + " SET " + place.column + " = NULL" + nothing);
      }
      try (ResultSet r = s.executeQuery("SELECT count(*) FROM " + place.table + nothing)) {
        return r.next() ? r.getLong(1) : 0;
      }
    }
  }

  private record Place(String table, String column) {}

  private static Place place(Connection connection, int store) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(PLACE)) {
      s.setInt(1, store);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return new Place(r.getString(1), r.getString(2));
      }
    }
  }
}
