package io.pgtoaster.column;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the toasters of every kind of column have in common.
 *
 * @param <C> what only some of them can do
 * @param <V> their operations on one column
 */
public interface Toaster<C, V> {
  /**
   * Returns the name, as the catalog has it.
   *
   * @return a name of lower-case letters, digits and hyphens
   */
  String name();

  /**
   * Returns what this toaster can do beyond what all can.
   *
   * @return an immutable set
   */
  Set<C> capabilities();

  /**
   * Returns the operations on one column.
   *
   * @param column an attached column, or for the toaster {@code default} any column of its types
   * @return operations that any thread may use
   * @throws io.pgtoaster.error.ColumnNotFoundException if the column's type does not fit
   */
  V vtable(AttachedColumn column);

  /**
   * Attaches a column: makes what the toaster needs, and the column's row in the catalog. As it is
   * here it calls {@code pgtoaster.attach}, which knows our own toasters; others do it themselves.
   *
   * @param connection in a transaction
   * @param table oid of the table
   * @param schema exact name of its schema, or null for the search path
   * @param tableName exact name of the table
   * @param column exact name of the column
   * @param options by name, as in the catalog
   * @return number of the store
   * @throws SQLException as the driver throws it
   */
  default int attach(
      Connection connection,
      long table,
      @Nullable String schema,
      String tableName,
      String column,
      Map<String, String> options)
      throws SQLException {
    return ColumnAttach.attach(connection, table, column, name(), options);
  }

  /**
   * Detaches a column: what {@link #attach} made goes, the column stays. As it is here it calls
   * {@code pgtoaster.detach}.
   *
   * @param connection in a transaction
   * @param table oid of the table
   * @param column exact name of the column
   * @param dropContent whether content that rows still name may go; refused without
   * @throws SQLException as the driver throws it
   */
  default void detach(Connection connection, long table, String column, boolean dropContent)
      throws SQLException {
    ColumnAttach.detach(connection, table, column, dropContent);
  }
}
