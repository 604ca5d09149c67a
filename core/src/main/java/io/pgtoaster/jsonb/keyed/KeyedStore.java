package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.error.CatalogException;
import java.util.function.UnaryOperator;

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
    UnaryOperator<String> option = name -> option(column, name);
    boolean touch = option.apply("touch").equals("row");
    return new KeyedStore(
        column,
        new SplitPolicy(
            Integer.parseInt(option.apply("row_budget")),
            Integer.parseInt(option.apply("leaf_size")),
            Integer.parseInt(option.apply("fan_out")),
            PinnedPaths.parse(option.apply("keep_inline"))),
        touch,
        new KeyedSql(column));
  }

  private static String option(AttachedColumn column, String name) {
    String value = column.options().get(name);
    if (value == null) {
      throw new CatalogException(
          "the catalog has no option " + name + " for " + column.describe() + "; install again");
    }
    return value;
  }
}
