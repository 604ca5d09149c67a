package io.pgtoaster;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A table that {@link Catalog#distribute} would move, or the reason why it cannot be moved.
 *
 * @param table name as written in SQL
 * @param column the attached column whose store the table belongs to, or null
 * @param store number of that store, or null
 * @param bytes size of the table
 * @param refused why it cannot be moved and what to do; null if it can
 */
public record DistributionStep(
    String table,
    @Nullable String column,
    @Nullable Integer store,
    long bytes,
    @Nullable String refused) {
  /** Returns the query of the plan. */
  static String of(Distributable what) {
    return "SELECT CAST(relation AS text), column_name, store, bytes, refused FROM "
        + what.call("distribute_plan")
        + " ORDER BY store NULLS FIRST, relation";
  }

  static DistributionStep read(ResultSet r) throws SQLException {
    return new DistributionStep(
        r.getString(1),
        r.getString(2),
        r.getObject(3, Integer.class),
        r.getLong(4),
        r.getString(5));
  }
}
