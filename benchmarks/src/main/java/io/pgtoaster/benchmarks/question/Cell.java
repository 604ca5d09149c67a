package io.pgtoaster.benchmarks.question;

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
  String get(String param) {
    return params.getOrDefault(param, "");
  }

  String contender() {
    return get("contender");
  }

  int number(String param) {
    return Integer.parseInt(get(param));
  }

  /** A size such as 100MB. */
  long bytes(String param) {
    return Size.parse(get(param));
  }

  /** The benchmark without the name of its class. */
  String method() {
    return benchmark.substring(benchmark.indexOf('.') + 1);
  }

  /** Operations of one invocation. */
  int operations() {
    return Math.max(1, batch.operations());
  }

  /** The same for as short a time as it can be run. */
  public Cell briefly() {
    return with(batch.briefly());
  }

  Cell with(Batch other) {
    return new Cell(benchmark, params, other);
  }
}
