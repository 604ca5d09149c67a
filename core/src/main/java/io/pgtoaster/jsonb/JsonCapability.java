package io.pgtoaster.jsonb;

/** What only some JSON toasters can do. */
public enum JsonCapability {
  /** Documents and values beyond the limits of one {@code jsonb} value (256 MB). */
  HUGE,
  /** Reading, and writing whole documents, with bounded memory. */
  STREAMING,
  /** Cost of reading and changing a path that does not grow with the document. */
  KEYED,
  /**
   * The column may hold a stub, of which the rest is in rows of a store: SQL that reads the column
   * alone misses what is out of line, and {@code pgtoaster.expand} brings the whole.
   */
  STUBS
}
