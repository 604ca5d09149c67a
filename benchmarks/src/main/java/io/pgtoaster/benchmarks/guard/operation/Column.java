package io.pgtoaster.benchmarks.guard.operation;

/**
 * An attached column.
 *
 * @param type data type
 * @param toaster name of the toaster
 * @param options options of the toaster, as JSON
 */
record Column(String type, String toaster, String options) {
  static final Column APPENDABLE = new Column("bigint", "appendable", "{}");

  /** Appends of whole chunks with checksums are several statements without the extension. */
  static final Column CHECKSUMMED = new Column("bigint", "appendable", "{\"crc32c\": true}");

  static final Column BYTEA = new Column("bytea", "default", "{}");
  static final Column KEYED = new Column("jsonb", "keyed", "{}");
  static final Column JSONB = new Column("jsonb", "default", "{}");
}
