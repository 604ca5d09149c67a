package io.pgtoaster.benchmarks.contender;

/**
 * How documents are stored.
 *
 * @param compression none, pglz or lz4; empty for the default of who stores
 * @param budget bytes that may stay in the row: {@code row_budget} of this library, {@code
 *     toast_tuple_target} of a stock table; 0 for the default
 */
public record Storage(String compression, int budget) {
  /** As it is by default. */
  public static Storage defaults() {
    return new Storage("", 0);
  }
}
