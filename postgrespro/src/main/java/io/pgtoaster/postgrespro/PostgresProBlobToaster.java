package io.pgtoaster.postgrespro;

import io.pgtoaster.blob.stock.StockRules;
import io.pgtoaster.blob.stock.StockVtable;
import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.internal.column.ColumnLookup.Attached;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The toaster {@code postgrespro-bytea}: a {@code bytea} column in the {@code bytea_toaster} of the
 * Postgres Pro server, whose {@code ||} extends a value without rewriting it. Disabled unless the
 * setting {@code pgtoaster.postgrespro} is on.
 */
public final class PostgresProBlobToaster implements BlobToaster {
  /** Maximum length of a value in bytes. Beyond 1 GiB the server loses the end of the value. */
  public static final long MAX_LENGTH = 1_000_000_000;

  /**
   * Bytes of the first chunk. A read that starts in the first chunk and ends in the last scans all
   * chunks, and fails if there are chunks that its snapshot must not see. Other reads do not.
   */
  private static final int FIRST_CHUNK = 1988;

  private static final String NAME = "postgrespro-bytea";
  private static final ServerToaster SERVER = new ServerToaster(NAME, "bytea_toaster");
  private static final ServerAttach ATTACH =
      new ServerAttach(SERVER, "bytea", List.of("SET STORAGE EXTERNAL", "SET COMPRESSION default"));

  /** Creates the toaster. Called by {@link java.util.ServiceLoader}. */
  public PostgresProBlobToaster() {}

  @Override
  public String name() {
    return NAME;
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
    if (!column.typeName().equals("bytea")) {
      throw new ColumnNotFoundException(
          "the column " + column.describe() + " is of type " + column.typeName() + ", not bytea");
    }
    StockRules rules =
        new StockRules(
            NAME,
            MAX_LENGTH,
            LengthColumn.name(column.store()),
            FIRST_CHUNK,
            ServerToaster.NO_LOGICAL_SLOT);
    return new GuardedBlobs(StockVtable.of(column, rules), new Guard(SERVER, column));
  }

  @Override
  public int attach(Connection connection, long table, String column, Map<String, String> options)
      throws SQLException {
    int store = ATTACH.attach(connection, table, column, options);
    for (String statement :
        LengthColumn.create(store, ATTACH.table(connection, table, column), column)) {
      ServerAttach.run(connection, statement);
    }
    return store;
  }

  @Override
  public void detach(Connection connection, long table, String column, boolean dropContent)
      throws SQLException {
    Optional<Attached> attached = ColumnLookup.attached(connection, table, column);
    if (attached.isPresent()) {
      String name = ATTACH.table(connection, table, column);
      for (String statement : LengthColumn.drop(attached.get().store(), name)) {
        ServerAttach.run(connection, statement);
      }
    }
    ATTACH.detach(connection, table, column, "substring(%s FROM 1)");
  }

  @Override
  public List<String> warnings(Connection connection, int store) throws SQLException {
    List<String> warnings = new ArrayList<>(SERVER.warnings(connection));
    if (!LengthColumn.isKept(connection, store)) {
      warnings.add(
          ("trigger " + LengthColumn.trigger(store) + " is missing or disabled:")
              + " after writes by others, the stored length is wrong");
    }
    return warnings;
  }
}
