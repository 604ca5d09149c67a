package io.pgtoaster.column;

/** Optional features of JSON toasters. */
public enum JsonCapability {
  /**
   * May leave a stub in the column, with the rest in rows of a store. SQL that reads the column
   * alone misses the out-of-line part; {@code pgtoaster.expand} returns the whole document.
   */
  STUBS
}
