package io.pgtoaster.internal.column;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Explains which privilege on the owner table a role lacks. The server itself checks privileges in
 * every statement.
 */
public final class Permission {
  /**
   * Whether the store has row security if the table has it for the role. A store may get it later
   * than its table.
   */
  private static final String FOLLOWED =
      """
      SELECT NOT pg_catalog.row_security_active(CAST(? AS oid)) OR coalesce((
        SELECT h.relrowsecurity FROM pg_catalog.pg_class h
        WHERE h.oid = CAST(pg_catalog.to_regclass(CAST(? AS text)) AS oid)), true)
      """;

  private Permission() {}

  /**
   * Returns the condition that the role may update the column. It has no parameters, and the server
   * evaluates it once per statement. A store's grants are a copy of the table's. This condition
   * also takes into account privileges that were revoked after the copy.
   */
  public static String mayUpdate(AttachedColumn column) {
    return ("pg_catalog.has_column_privilege(CAST(%s AS pg_catalog.regclass), CAST(%s AS"
            + " text), CAST('UPDATE' AS text))")
        .formatted(Identifiers.literal(column.quotedTable()), Identifiers.literal(column.column()));
  }

  /**
   * Throws an exception if the role may not change the content of a row that it can see. Writers
   * that did not find the row to change call this.
   *
   * @throws AccessDeniedException if the role may not change it
   */
  public static void requireUpdate(Connection connection, AttachedColumn column, RowKey key)
      throws SQLException {
    if (!Query.is(connection, "SELECT " + mayUpdate(column))) {
      throw new AccessDeniedException(
          "the role may not UPDATE the column \"%s\" of %s.%s"
              .formatted(column.column(), column.schema(), column.table()));
    }
    String row = "SELECT true FROM " + column.quotedTable() + " o WHERE " + column.rowCondition();
    String active =
        " AND pg_catalog.row_security_active(CAST("
            + Identifiers.literal(column.quotedTable())
            + " AS pg_catalog.regclass))";
    if (Query.is(connection, row + active, key)
        && !Query.is(connection, row + " FOR KEY SHARE", key)) {
      throw new AccessDeniedException(
          "row security of %s.%s lets the role read that row but not change it"
              .formatted(column.schema(), column.table()));
    }
  }

  /** Throws an exception if the table has row security for the role but the store does not. */
  static void requireFollowed(Connection connection, long table, AttachedColumn column)
      throws SQLException {
    if (!Query.is(connection, FOLLOWED, table, column.storeTable("head"))) {
      throw new AccessDeniedException(
          "row security was enabled on the table after its column was attached, and the store does"
              + " not have it yet: its owner must run "
              + mirror(column));
    }
  }

  /** Adds the call that gives the role the same privileges on the store as on the table. */
  static AccessDeniedException withRemedy(AccessDeniedException e, AttachedColumn column) {
    boolean ofStore =
        e.getCause() instanceof SQLException cause
            && String.valueOf(cause.getMessage()).contains("store_" + column.store() + "_");
    return ofStore
        ? new AccessDeniedException(
            "%s; if the role has the privilege on the table, the table's owner must run %s"
                .formatted(e.getMessage(), mirror(column)),
            e.getCause())
        : e;
  }

  private static String mirror(AttachedColumn column) {
    return "SELECT pgtoaster.mirror_privileges("
        + Identifiers.literal(
            "%s.%s"
                .formatted(
                    Identifiers.quoteIfNeeded(column.schema()),
                    Identifiers.quoteIfNeeded(column.table())))
        + ")";
  }
}
