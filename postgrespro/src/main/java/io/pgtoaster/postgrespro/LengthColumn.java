package io.pgtoaster.postgrespro;

import io.pgtoaster.internal.sql.Identifiers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The column that stores the length of a value, because the server's own length becomes stale. NULL
 * means that the length must be counted. It is NULL before the first append, and after another
 * writer has changed the value, which a trigger detects.
 */
final class LengthColumn {
  private static final String KEPT =
      """
      SELECT EXISTS (
        SELECT FROM pgtoaster.store s JOIN pg_catalog.pg_trigger t ON t.tgrelid = CAST(s.owner AS oid)
        WHERE s.id = CAST(? AS integer) AND t.tgname = CAST(? AS text) AND t.tgenabled <> 'D')
      """;

  private LengthColumn() {}

  static String name(int store) {
    return "pgtoaster_" + store + "_length";
  }

  private static String function(int store) {
    return "pgtoaster.store_" + store + "_update";
  }

  /** Returns the name of the trigger. The catalog uses it to find a renamed column. */
  static String trigger(int store) {
    return "pgtoaster_" + store + "_update";
  }

  static List<String> create(int store, String table, String column) {
    String length = name(store);
    return List.of(
        "ALTER TABLE " + table + " ADD COLUMN " + length + " bigint",
        ("CREATE FUNCTION " + function(store) + "() RETURNS trigger LANGUAGE plpgsql")
            + " SET search_path = pg_catalog, pg_temp"
            + (" AS $$ BEGIN NEW." + length + " := NULL; RETURN NEW; END $$"),
        ("CREATE TRIGGER " + trigger(store) + " BEFORE UPDATE OF " + Identifiers.quote(column))
            + (" ON " + table + " FOR EACH ROW WHEN (NEW." + length)
            + (" IS NOT DISTINCT FROM OLD." + length + ") EXECUTE FUNCTION " + function(store))
            + "()");
  }

  /** Returns true if the trigger exists and is enabled. */
  static boolean isKept(Connection connection, int store) throws SQLException {
    return ServerToaster.holds(connection, KEPT, String.valueOf(store), trigger(store));
  }

  static List<String> drop(int store, String table) {
    return List.of(
        "DROP TRIGGER IF EXISTS " + trigger(store) + " ON " + table,
        "DROP FUNCTION IF EXISTS " + function(store) + "()",
        "ALTER TABLE " + table + " DROP COLUMN IF EXISTS " + name(store));
  }
}
