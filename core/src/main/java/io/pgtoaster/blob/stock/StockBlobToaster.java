package io.pgtoaster.blob.stock;

import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import java.util.Set;

/**
 * Implements the toaster {@code default}: an unmodified {@code bytea} or {@code text} column (its
 * bytes are its text in UTF-8) and stock operators. An append rewrites the whole value, which is
 * limited to 1 GB.
 */
public final class StockBlobToaster implements BlobToaster {
  /** Creates the toaster; called by {@link java.util.ServiceLoader}. */
  public StockBlobToaster() {}

  @Override
  public String name() {
    return DEFAULT;
  }

  @Override
  public Set<BlobCapability> capabilities() {
    return Set.of();
  }

  @Override
  public BlobVtable vtable(AttachedColumn column) {
    return switch (column.typeName()) {
      case "bytea" -> new StockVtable(new StockSql(column, false, StockRules.DEFAULT));
      case "text" -> new StockVtable(new StockSql(column, true, StockRules.DEFAULT));
      case "jsonb" ->
          throw new ColumnNotFoundException(
              "the column %s contains documents; use documents()".formatted(column.describe()));
      case "int8" ->
          throw new ColumnNotFoundException(
              ("the column %s is not attached; call catalog().attach(\"%s\", \"%s\","
                      + " BlobOptions.defaults())")
                  .formatted(column.describe(), column.table(), column.column()));
      default ->
          throw new ColumnNotFoundException(
              ("the column %s is of type %s, but the default toaster needs bytea or text;"
                      + " attach it to another toaster")
                  .formatted(column.describe(), column.typeName()));
    };
  }
}
