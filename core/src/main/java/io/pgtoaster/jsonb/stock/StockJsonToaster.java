package io.pgtoaster.jsonb.stock;

import io.pgtoaster.column.JsonCapability;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.util.Set;

/**
 * Implements the toaster {@code default}: an unmodified {@code jsonb} column and stock operators. A
 * change rewrites the whole document, which is limited to 256 MB.
 */
public final class StockJsonToaster implements JsonToaster {
  /** Creates the toaster; called by {@link java.util.ServiceLoader}. */
  public StockJsonToaster() {}

  @Override
  public String name() {
    return DEFAULT;
  }

  @Override
  public Set<JsonCapability> capabilities() {
    return Set.of();
  }

  @Override
  public JsonVtable vtable(AttachedColumn column) {
    if (!column.typeName().equals("jsonb")) {
      throw new ColumnNotFoundException(
          "the column %s is of type %s, but documents need jsonb; for bytea and text use blobs()"
              .formatted(column.describe(), column.typeName()));
    }
    return new StockVtable(column);
  }
}
