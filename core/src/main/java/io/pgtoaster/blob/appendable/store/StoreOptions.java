package io.pgtoaster.blob.appendable.store;

import io.pgtoaster.spi.AttachedColumn;

/**
 * The options of a store, as attach wrote them to the catalog.
 *
 * @param chunkSize maximum number of bytes in a chunk of a new blob
 * @param tail maximum capacity of the tail in bytes; 0 for no tail
 * @param crc32c whether chunks and pieces have a CRC32C
 * @param compression {@code none}, {@code pglz} or {@code lz4}
 * @param notifyFollowers whether appends notify followers
 */
public record StoreOptions(
    int chunkSize, int tail, boolean crc32c, String compression, boolean notifyFollowers) {
  static StoreOptions of(AttachedColumn column) {
    return new StoreOptions(
        Integer.parseInt(column.option("chunk_size")),
        Integer.parseInt(column.option("tail")),
        Boolean.parseBoolean(column.option("crc32c")),
        column.option("compression"),
        // Listeners do not receive notifications from Citus workers; followers poll.
        Boolean.parseBoolean(column.option("notify")) && !column.distributed());
  }
}
