package io.pgtoaster.benchmarks.trial;

import java.util.Map;

/**
 * One thing to measure.
 *
 * @param benchmark which, such as Appends.append
 * @param params by name
 * @param batch how
 */
public record Cell(String benchmark, Map<String, String> params, Batch batch) {
  /** What a parameter says; empty where this benchmark has none of the name. */
  public String get(String param) {
    return params.getOrDefault(param, "");
  }

  public String contender() {
    return get("contender");
  }

  public int number(String param) {
    return Integer.parseInt(get(param));
  }

  /** A size such as 100MB. */
  public long bytes(String param) {
    return Size.parse(get(param));
  }

  /** The benchmark without the name of its class. */
  public String method() {
    return benchmark.substring(benchmark.indexOf('.') + 1);
  }

  /** Operations of one invocation. */
  public int operations() {
    return Math.max(1, batch.operations());
  }

  public Cell with(Batch other) {
    return new Cell(benchmark, params, other);
  }
}
