package io.pgtoaster.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The operations that toasters of every kind of column have in common. */
public interface Toaster<C, V> {
  /** Name of the toaster of a column that is not attached: the value is the content. */
  String DEFAULT = "default";

  /** The component that executes the operations on a column. */
  enum Executor {
    /** This library, which runs SQL statements. */
    SQL,
    /** The functions of the server extension if they may be called, else SQL statements. */
    EXTENSION,
    /** The server, which has its own way to store the values of the column. */
    SERVER
  }

  /** Returns the name, as in the catalog: lower-case letters, digits and hyphens. */
  String name();

  /** Returns the optional features that this toaster supports, as an immutable set. */
  Set<C> capabilities();

  /**
   * Returns the operations on one column, which are thread-safe.
   *
   * @param column an attached column, or for the toaster {@link #DEFAULT} any column of its types
   * @throws io.pgtoaster.error.ColumnNotFoundException if the toaster does not support the column's
   *     type
   */
  V vtable(AttachedColumn column);

  /** Returns which component does the work of its columns. It does not change between calls. */
  default Executor executor() {
    return Executor.SQL;
  }

  /**
   * Attaches a column. Checks its type and the options, and creates everything that the toaster
   * needs, including the column's row in the catalog. This implementation calls {@code
   * pgtoaster.attach}, for toasters that the catalog knows. Other toasters call {@link
   * ColumnAttach#add}.
   *
   * @param options by name, as in the catalog
   * @return number of the store
   */
  default int attach(Connection connection, long table, String column, Map<String, String> options)
      throws SQLException {
    return ColumnAttach.attach(connection, table, column, name(), options);
  }

  /**
   * Detaches a column. Removes everything that {@link #attach} created; the column stays. This
   * implementation calls {@code pgtoaster.detach}.
   *
   * @param dropContent whether to drop content to which rows still refer; if false, such content
   *     causes an error
   */
  default void detach(Connection connection, long table, String column, boolean dropContent)
      throws SQLException {
    ColumnAttach.detach(connection, table, column, dropContent);
  }

  /**
   * Finds content that is no longer referenced by any row of a column, and removes it unless the
   * run only lists. The table belongs to the current role. If a table or column was dropped, its
   * store is removed without calling this method.
   */
  default void collect(GcRun run) {}

  /**
   * Returns problems of an attached column that need attention, one sentence each, in addition to
   * those that {@code pgtoaster.status()} reports. The table and the column exist.
   */
  default List<String> warnings(Connection connection, int store) throws SQLException {
    return List.of();
  }
}
