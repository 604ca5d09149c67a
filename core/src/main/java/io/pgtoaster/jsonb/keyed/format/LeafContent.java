package io.pgtoaster.jsonb.keyed.format;

/**
 * Content of a leaf.
 *
 * @param kind {@code o}, {@code a}, {@code s} or {@code v}
 * @param text value, as PostgreSQL prints it
 * @param bytes its size as uncompressed jsonb
 * @param kids branches that its markers name, in document order
 * @param count number of its entries
 * @param low code of its first key in hexadecimal; empty for other than objects
 */
public record LeafContent(char kind, String text, long bytes, Ids kids, int count, String low) {
  /** Code of the beginning of all keys, and of what has none. */
  public static final String NO_LOW = "";
}
