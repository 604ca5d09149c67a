package io.pgtoaster.column;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
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
  /** Name of the toaster of a column that was attached to none: the value is the content. */
  String DEFAULT = "default";

  /** Who does the work of a column. */
  enum Executor {
    /** Statements of this library. */
    SQL,
    /** The functions of the server extension where they may be called, or else statements. */
    EXTENSION,
    /** The server itself, which stores the values of the column in a way of its own. */
    SERVER
  }

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
   * @param column an attached column, or for the toaster {@link #DEFAULT} any column of its types
   * @return operations that any thread may use
   * @throws io.pgtoaster.error.ColumnNotFoundException if the column's type does not fit
   */
  V vtable(AttachedColumn column);

  /**
   * Tells who does the work of its columns.
   *
   * @return the same at every call
   */
  default Executor executor() {
    return Executor.SQL;
  }

  /**
   * Attaches a column: checks its type and the options, makes what the toaster needs, and the
   * column's row in the catalog. As it is here it calls {@code pgtoaster.attach}, for toasters that
   * the catalog knows; others call {@link ColumnAttach#add}.
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

  /**
   * Finds, and unless the run lists only removes, what no row of a column names any more. A store
   * whose table or column was dropped goes by itself, and this is not called for it.
   *
   * @param run about a store of a table of the role at work
   */
  default void collect(GcRun run) {}

  /**
   * Looks for what should be looked after in an attached column, beside what {@code
   * pgtoaster.status()} tells of it.
   *
   * @param connection any
   * @param store number of its store; its table and the column are there
   * @return one sentence each; empty if all is well
   * @throws SQLException as the driver throws it
   */
  default List<String> warnings(Connection connection, int store) throws SQLException {
    return List.of();
  }
}
