package io.pgtoaster.blob.appendable.store;

import io.pgtoaster.column.AttachedColumn;

/**
 * Options of a store, as attach wrote them to the catalog.
 *
 * @param chunkSize bytes in each chunk of a new blob
 * @param tail capacity of the tail in bytes; 0 for none
 * @param crc32c whether chunks and pieces carry a CRC32C
 * @param compression {@code none}, {@code pglz} or {@code lz4}
 * @param notifyFollowers whether followers are told of appends
 */
public record StoreOptions(
    int chunkSize, int tail, boolean crc32c, String compression, boolean notifyFollowers) {
  static StoreOptions of(AttachedColumn column) {
    return new StoreOptions(
        Integer.parseInt(column.option("chunk_size")),
        Integer.parseInt(column.option("tail")),
        Boolean.parseBoolean(column.option("crc32c")),
        column.option("compression"),
        // No listener receives what a worker of Citus notifies; followers poll.
        Boolean.parseBoolean(column.option("notify")) && !column.distributed());
  }
}
