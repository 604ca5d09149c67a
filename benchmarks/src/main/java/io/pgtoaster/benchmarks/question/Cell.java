package io.pgtoaster.benchmarks.question;

import java.util.Map;

/**
 * One thing to measure.
 *
 * @param benchmark full name of the method
 * @param params by name
 * @param batch how
 */
public record Cell(String benchmark, Map<String, String> params, Batch batch) {
  /** The method and its class, without the package. */
  public String name() {
    String[] parts = benchmark.split("\\.", -1);
    return parts[parts.length - 2] + "." + parts[parts.length - 1];
  }

  /** The same for as short a time as it can be run. */
  public Cell briefly() {
    return new Cell(benchmark, params, batch.briefly());
  }
}
