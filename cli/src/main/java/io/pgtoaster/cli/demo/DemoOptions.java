package io.pgtoaster.cli.demo;

import java.nio.file.Path;
import java.util.List;

/**
 * What the demonstration does.
 *
 * @param file what is appended
 * @param rounds how often each way of storing takes its turn
 * @param maxSize size of the biggest value that one byte is appended to
 */
public record DemoOptions(Path file, int rounds, long maxSize) {
  /** Sizes of the values that one byte is appended to. */
  static final List<Long> SIZES = List.of(1_000_000L, 10_000_000L, 100_000_000L, 1_000_000_000L);

  /** Returns the sizes up to the biggest. */
  List<Long> sizes() {
    return SIZES.stream().filter(size -> size <= maxSize).toList();
  }
}
