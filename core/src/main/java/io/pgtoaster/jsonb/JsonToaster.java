package io.pgtoaster.jsonb;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.Toaster;

/**
 * A way to store JSON documents, chosen per column by its name. Found by {@link
 * java.util.ServiceLoader}, so that a jar of anybody's can bring one.
 */
public interface JsonToaster extends Toaster<JsonCapability, JsonVtable> {
  /**
   * Returns the operations on one column.
   *
   * @param column an attached column, or for the toaster {@code default} any {@code jsonb} column
   * @return operations that any thread may use
   * @throws io.pgtoaster.error.ColumnNotFoundException if the column's type does not fit
   */
  @Override
  JsonVtable vtable(AttachedColumn column);
}
