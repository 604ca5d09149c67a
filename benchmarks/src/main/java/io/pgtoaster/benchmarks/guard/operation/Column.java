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

  /**
   * Blobs with checksums are processed with SQL statements, because a store's routines do not
   * support them; the extension does.
   */
  static final Column CHECKSUMMED = new Column("bigint", "appendable", "{\"crc32c\": true}");

  static final Column BYTEA = new Column("bytea", "default", "{}");
  static final Column KEYED = new Column("jsonb", "keyed", "{}");
  static final Column JSONB = new Column("jsonb", "default", "{}");
}
