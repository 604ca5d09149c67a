package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.AttachedColumn;

/**
 * What the parts of the toaster share: column, policy and statements of one store. Immutable.
 *
 * @param column the attached column
 * @param policy when members leave and leaves split
 * @param touch whether a change of a leaf also touches the owner's row
 * @param sql its statements
 */
record KeyedStore(AttachedColumn column, SplitPolicy policy, boolean touch, KeyedSql sql) {
  static KeyedStore of(AttachedColumn column) {
    boolean touch = column.option("touch").equals("row");
    return new KeyedStore(
        column,
        new SplitPolicy(
            Integer.parseInt(column.option("row_budget")),
            Integer.parseInt(column.option("leaf_size")),
            Integer.parseInt(column.option("fan_out")),
            PinnedPaths.parse(column.option("keep_inline"))),
        touch,
        new KeyedSql(column));
  }
}
