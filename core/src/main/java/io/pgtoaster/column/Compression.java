package io.pgtoaster.column;

/** The compression method of stored rows. */
public enum Compression {
  /** No compression. */
  NONE,
  /** PostgreSQL's own method. */
  PGLZ,
  /** LZ4, if the server was built with it. */
  LZ4
}
