package io.pgtoaster.blob.stock;

import io.pgtoaster.column.Toaster;
import org.jspecify.annotations.Nullable;

/**
 * What may differ between toasters that keep a blob as the one value of a column.
 *
 * @param toaster its name, for messages
 * @param maxLength bytes of the longest value
 * @param lengthColumn exact name of the column that keeps the length, in which NULL is unknown;
 *     null where the server's own length can be trusted
 * @param breakAt offset at which a read that crosses it is broken in two; 0 for none
 * @param condition SQL that must hold for an append in one statement, or null
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
