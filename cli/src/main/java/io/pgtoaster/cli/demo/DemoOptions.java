package io.pgtoaster.cli.demo;

import java.nio.file.Path;
import java.util.List;

/**
 * What the demonstration does.
 *
 * @param file what is appended
 * @param rounds how often each way of storing takes its turn
 * @param maxSize size of the biggest value that one byte is appended to, and of documents
 */
public record DemoOptions(Path file, int rounds, long maxSize) {
  /** Sizes of the values that one byte is appended to. */
  static final List<Long> SIZES = List.of(1_000_000L, 10_000_000L, 100_000_000L, 1_000_000_000L);

  /** Sizes of the documents. */
  static final List<Long> DOCUMENT_SIZES =
      List.of(1_000L, 10_000L, 100_000L, 1_000_000L, 8_000_000L);

  List<Long> documentSizes() {
    return DOCUMENT_SIZES.stream().filter(size -> size <= maxSize).toList();
  }

  /** Returns the sizes up to the biggest. */
  List<Long> sizes() {
    return SIZES.stream().filter(size -> size <= maxSize).toList();
  }
}
