package io.pgtoaster.column;

import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.internal.Identifiers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What the owner table lets the role of a connection do. The server judges it in every statement;
 * this says which of it was the reason.
 */
public final class Permission {
  /** Of what was granted on a table once, the store follows with a delay only. */
  private static final String FOLLOWED =
      """
      SELECT NOT pg_catalog.row_security_active(CAST(? AS oid)) OR coalesce((
        SELECT h.relrowsecurity FROM pg_catalog.pg_class h
        WHERE h.oid = pg_catalog.to_regclass(CAST(? AS text))), true)
      """;

  private Permission() {}

  /**
   * Returns the condition that the role may update the column. A store's grants are those that the
   * table had when they were mirrored; with this condition, what was revoked since is not done.
   *
   * @param column the column
   * @return a condition without parameters, which the server judges once per statement
   */
  public static String mayUpdate(AttachedColumn column) {
    return "pg_catalog.has_column_privilege(CAST("
        + Identifiers.literal(column.quotedTable())
        + " AS pg_catalog.regclass), CAST("
        + Identifiers.literal(column.column())
        + " AS text), CAST('UPDATE' AS text))";
  }

  /**
   * Throws if the role may not change the content of a row that it sees. For writers who did not
   * find what they were to change.
   *
   * @param connection where the writer is at work
   * @param column the column
   * @param key of the row
   * @throws AccessDeniedException if that is so
   * @throws SQLException as the driver throws it
   */
  public static void requireUpdate(Connection connection, AttachedColumn column, RowKey key)
      throws SQLException {
    if (!isTrue(connection, "SELECT " + mayUpdate(column), null, key)) {
      throw new AccessDeniedException(
          "the role may not UPDATE the column \""
              + column.column()
              + "\" of "
              + column.schema()
              + "."
              + column.table());
    }
    String row = "SELECT true FROM " + column.quotedTable() + " o WHERE " + column.rowCondition();
    String active =
        " AND pg_catalog.row_security_active(CAST("
            + Identifiers.literal(column.quotedTable())
            + " AS pg_catalog.regclass))";
    if (isTrue(connection, row + active, column, key)
        && !isTrue(connection, row + " FOR KEY SHARE", column, key)) {
      throw new AccessDeniedException(
          "row security of "
              + column.schema()
              + "."
              + column.table()
              + " lets the role read that row and not change it");
    }
  }

  private static boolean isTrue(
      Connection connection, String sql, @Nullable AttachedColumn bound, RowKey key)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      if (bound != null) {
        key.bind(s, 1);
      }
      try (ResultSet r = s.executeQuery()) {
        return r.next() && r.getBoolean(1);
      }
    }
  }

  /** Throws if the table has row security for the role, and the store does not have it. */
  static void requireFollowed(Connection connection, long table, AttachedColumn column)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(FOLLOWED)) {
      s.setLong(1, table);
      s.setString(2, column.storeTable("head"));
      try (ResultSet r = s.executeQuery()) {
        r.next();
        if (!r.getBoolean(1)) {
          throw new AccessDeniedException(
              "row security was enabled on the table after its column was attached, and the store"
                  + " does not follow it yet: its owner runs "
                  + mirror(column));
        }
      }
    }
  }

  /** The same error with the call that gives the role on the store what it has on the table. */
  static AccessDeniedException withRemedy(AccessDeniedException e, AttachedColumn column) {
    boolean ofStore =
        e.getCause() instanceof SQLException cause
            && String.valueOf(cause.getMessage()).contains("store_" + column.store() + "_");
    return ofStore
        ? new AccessDeniedException(
            e.getMessage()
                + "; if the role has the privilege on the table, the table's owner runs "
                + mirror(column),
            e.getCause())
        : e;
  }

  private static String mirror(AttachedColumn column) {
    return "SELECT pgtoaster.mirror_privileges("
        + Identifiers.literal(
            Identifiers.quoteIfNeeded(column.schema())
                + "."
                + Identifiers.quoteIfNeeded(column.table()))
        + ")";
  }
}
