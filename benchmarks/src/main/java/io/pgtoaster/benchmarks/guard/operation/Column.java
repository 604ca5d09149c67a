package io.pgtoaster.benchmarks.guard.operation;

/**
 * A column as it is attached.
 *
 * @param type of it
 * @param toaster that it is attached to
 * @param options of that, as JSON
 */
record Column(String type, String toaster, String options) {
  static final Column APPENDABLE = new Column("bigint", "appendable", "{}");

  /** The routines of a store leave blobs with checksums to statements; the extension does not. */
  static final Column CHECKSUMMED = new Column("bigint", "appendable", "{\"crc32c\": true}");

  static final Column BYTEA = new Column("bytea", "default", "{}");
  static final Column KEYED = new Column("jsonb", "keyed", "{}");
  static final Column JSONB = new Column("jsonb", "default", "{}");
}
