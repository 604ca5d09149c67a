package io.pgtoaster.benchmarks;

/** Something to do. */
@FunctionalInterface
interface Work {
  /** Nothing to do. */
  Work NONE = () -> {};

  void run() throws Exception;
}
