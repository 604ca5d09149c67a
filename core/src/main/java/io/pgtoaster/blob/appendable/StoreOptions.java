package io.pgtoaster.blob.appendable;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.error.CatalogException;

/**
 * Options of a store, as attach wrote them to the catalog.
 *
 * @param chunkSize bytes in each chunk of a new blob
 * @param tail capacity of the tail in bytes; 0 for none
 * @param crc32c whether chunks and pieces carry a CRC32C
 * @param compression {@code none}, {@code pglz} or {@code lz4}
 * @param notifyFollowers whether followers are told of appends
 */
record StoreOptions(
    int chunkSize, int tail, boolean crc32c, String compression, boolean notifyFollowers) {
  static StoreOptions of(AttachedColumn column) {
    return new StoreOptions(
        Integer.parseInt(option(column, "chunk_size")),
        Integer.parseInt(option(column, "tail")),
        Boolean.parseBoolean(option(column, "crc32c")),
        option(column, "compression"),
        Boolean.parseBoolean(option(column, "notify")));
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
