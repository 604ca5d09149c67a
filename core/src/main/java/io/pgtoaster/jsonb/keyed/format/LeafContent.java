package io.pgtoaster.jsonb.keyed.format;

/**
 * The content of a leaf.
 *
 * @param kind {@code o}, {@code a}, {@code s} or {@code v}
 * @param text its value, as PostgreSQL prints it
 * @param bytes its size as uncompressed jsonb
 * @param kids branches that its markers name, in document order
 * @param count number of its entries
 * @param low code of its first key, in hexadecimal; empty unless it is an object
 */
public record LeafContent(char kind, String text, long bytes, Ids kids, int count, String low) {
  /** The code that sorts before all keys, also used for values without keys. */
  public static final String NO_LOW = "";
}
