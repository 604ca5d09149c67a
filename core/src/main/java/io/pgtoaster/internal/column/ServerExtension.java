package io.pgtoaster.internal.column;

import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Checks for the server extension and calls its functions. */
public final class ServerExtension {
  // A schema of that name that does not belong to the extension could contain functions of any
  // role.
  private static final String INSTALLED =
      """
      SELECT EXISTS (
        SELECT FROM pg_catalog.pg_extension e
        JOIN pg_catalog.pg_depend d ON d.refclassid = CAST(CAST('pg_catalog.pg_extension' AS pg_catalog.regclass) AS oid)
          AND d.refobjid = e.oid AND d.deptype = 'e' AND d.classid = CAST(CAST('pg_catalog.pg_proc' AS pg_catalog.regclass) AS oid)
        JOIN pg_catalog.pg_proc p ON p.oid = d.objid
        JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
        WHERE e.extname = 'pgtoaster' AND n.nspname = 'toaster' AND p.proname = 'catalog_version'
          AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE'))
      """;

  // Its functions apply the policies of the owner's rows, but cannot apply separate policies on a
  // store's tables.
  private static final String SERVES =
      """
      SELECT toaster.catalog_version() = (SELECT version FROM pgtoaster.version)
        AND NOT EXISTS (
          SELECT FROM pgtoaster.store s
          JOIN pg_catalog.pg_class h ON h.oid = CAST(s.head AS oid)
          JOIN pg_catalog.pg_class c ON c.relnamespace = h.relnamespace
          LEFT JOIN pg_catalog.pg_policy p ON p.polrelid = c.oid
          WHERE s.id = ? AND c.relrowsecurity
            AND c.relname LIKE CAST(? AS text)
            AND c.relname NOT LIKE CAST('%\\_garbage' AS text) AND c.relname NOT LIKE CAST('%\\_aside' AS text)
            AND (p.polname IS NULL OR p.polname NOT LIKE CAST('pgtoaster\\_%' AS text)))
      """;

  private ServerExtension() {}

  /**
   * Returns the version of the catalog that the extension supports; 0 if it is not installed, or
   * the role may not call its functions.
   */
  public static int catalogVersion(Connection connection) throws SQLException {
    if (!isInstalled(connection)) {
      return 0;
    }
    return Query.<Integer>one(connection, "SELECT toaster.catalog_version()", r -> r.getInt(1));
  }

  private static boolean isInstalled(Connection connection) throws SQLException {
    return Query.is(connection, INSTALLED);
  }

  /** Returns whether it is installed, supports the catalog's version, and can work on a store. */
  static boolean serves(Connection connection, int store) throws SQLException {
    return isInstalled(connection)
        && Query.is(connection, SERVES, store, "store\\_" + store + "\\_%");
  }

  /**
   * Returns a query of one row and column that calls a function for a row of a column. Its first
   * parameters are those of the key.
   *
   * @param function its name, without the schema
   * @param arguments after those for table, column and key, such as {@code "CAST(? AS bytea)"}
   */
  public static String call(AttachedColumn column, String function, String... arguments) {
    return "SELECT "
        + call(
            column, function, column.key().stream().map(KeyColumn::parameter).toList(), arguments);
  }

  private static String call(
      AttachedColumn column, String function, List<String> key, String... arguments) {
    String values = String.join(", ", key);
    String onPath = column.onPath();
    String table = column.regclass();
    return "toaster.%s(%s, CAST(%s AS pg_catalog.name), %s%s)"
        .formatted(
            function,
            onPath.equals("true") ? table : "CASE WHEN " + onPath + " THEN " + table + " END",
            Identifiers.literal(column.column()),
            (key.size() == 1 ? values : "ROW(" + values + ")"),
            (arguments.length == 0 ? "" : ", " + String.join(", ", arguments)));
  }

  /**
   * Returns a query that calls a function for each row of a list of keys, with the key's number and
   * the result. The list's parameters come last.
   *
   * @param list from {@link AttachedColumn#keyList}
   * @param function its name, without the schema
   * @param arguments after those for table, column and key, such as {@code "q.v1"}
   */
  public static String callForEach(
      AttachedColumn column, String list, String function, String... arguments) {
    return "SELECT q.n, %s FROM %s"
        .formatted(call(column, function, column.listedKey(), arguments), list);
  }
}
