package io.pgtoaster.blob.stock;

import io.pgtoaster.spi.Toaster;
import org.jspecify.annotations.Nullable;

/**
 * The differences between toasters that store a blob as one value of a column.
 *
 * @param toaster its name, for messages
 * @param maxLength maximum length of a value in bytes
 * @param lengthColumn exact name of the column with the stored length, where NULL means unknown;
 *     null if the server's own length is correct
 * @param breakAt offset at which reads that cross it are split in two; 0 for none
 * @param condition SQL condition of an append in one statement, or null
 */
public record StockRules(
    String toaster,
    long maxLength,
    @Nullable String lengthColumn,
    int breakAt,
    @Nullable String condition) {
  /** The toaster {@code default}: 1 GB less one byte, less the four bytes of a value's header. */
  static final StockRules DEFAULT = new StockRules(Toaster.DEFAULT, 0x3FFF_FFFF - 4, null, 0, null);
}
