package io.pgtoaster.jsonb;

import io.pgtoaster.column.AttachedColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A way to store JSON documents, chosen per column by its name. Found by {@link
 * java.util.ServiceLoader}, so that a jar of anybody's can bring one.
 */
public interface JsonToaster {
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
  Set<JsonCapability> capabilities();

  /**
   * Returns the operations on one column.
   *
   * @param column an attached column, or for the toaster {@code default} any {@code jsonb} column
   * @return operations that any thread may use
   * @throws io.pgtoaster.error.ColumnNotFoundException if the column's type does not fit
   */
  JsonVtable vtable(AttachedColumn column);

  /**
   * Attaches a column: makes what the toaster needs, and the column's row in the catalog.
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
  int attach(
      Connection connection,
      long table,
      @Nullable String schema,
      String tableName,
      String column,
      Map<String, String> options)
      throws SQLException;
}
