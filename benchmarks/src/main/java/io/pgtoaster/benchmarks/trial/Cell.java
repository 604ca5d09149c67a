package io.pgtoaster.benchmarks.trial;

import java.util.Map;

/**
 * A benchmark with parameters.
 *
 * @param benchmark name, such as Appends.append
 * @param params parameters by name
 * @param batch how it is measured
 */
public record Cell(String benchmark, Map<String, String> params, Batch batch) {
  /** Returns the value of a parameter; empty if this benchmark has no such parameter. */
  public String get(String param) {
    return params.getOrDefault(param, "");
  }

  public String contender() {
    return get("contender");
  }

  public int number(String param) {
    return Integer.parseInt(get(param));
  }

  /** Returns a size such as 100MB. */
  public long bytes(String param) {
    return Size.parse(get(param));
  }

  /** Returns the benchmark's name without its class. */
  public String method() {
    return benchmark.substring(benchmark.indexOf('.') + 1);
  }

  /** Returns the operations per invocation. */
  public int operations() {
    return Math.max(1, batch.operations());
  }

  public Cell with(Batch other) {
    return new Cell(benchmark, params, other);
  }
}
