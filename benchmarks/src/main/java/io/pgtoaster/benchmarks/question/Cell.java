package io.pgtoaster.benchmarks.question;

import java.util.Map;

/**
 * A benchmark with parameters.
 *
 * @param benchmark name, such as Appends.append
 * @param params parameters by name
 * @param operations operations of one iteration, timed together; 0 for as many as its time allows
 * @param threads number of concurrent threads
 * @param warmUps warm-up iterations
 * @param iterations measured iterations
 * @param millis time of an iteration if the number of operations is 0
 */
record Cell(
    String benchmark,
    Map<String, String> params,
    int operations,
    int threads,
    int warmUps,
    int iterations,
    int millis) {
  /** Returns the value of a parameter; empty if this benchmark has no such parameter. */
  String get(String param) {
    return params.getOrDefault(param, "");
  }

  String contender() {
    return get("contender");
  }

  int number(String param) {
    return Integer.parseInt(get(param));
  }

  /** Returns a size such as 100MiB, in bytes. */
  long bytes(String param) {
    return size(get(param));
  }

  static long size(String text) {
    String number = text.replaceFirst("([KMG]i)?B$", "");
    int unit = "KMG".indexOf(text.charAt(Math.max(0, text.length() - 3))) + 1;
    return Long.parseLong(number) << (10 * unit);
  }

  /** Returns the benchmark's name without its method. */
  String type() {
    return benchmark.substring(0, benchmark.indexOf('.'));
  }

  /** Returns the benchmark's name without its class. */
  String method() {
    return benchmark.substring(benchmark.indexOf('.') + 1);
  }

  /**
   * Returns the cell as one line, which {@code --only} matches. It contains no characters that a
   * pattern must escape.
   */
  String line() {
    StringBuilder line = new StringBuilder(benchmark);
    params.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    return line.toString();
  }
}
