package io.pgtoaster.column;

/** Optional features of JSON toasters. */
public enum JsonCapability {
  /** Stores documents and values beyond the limits of one {@code jsonb} value (256 MB). */
  HUGE,
  /** Reads values, and writes whole documents, with bounded memory. */
  STREAMING,
  /** Reads and changes a path at a cost that does not grow with the document. */
  KEYED,
  /**
   * May leave a stub in the column, with the rest in rows of a store. SQL that reads the column
   * alone misses the out-of-line part; {@code pgtoaster.expand} returns the whole document.
   */
  STUBS
}
