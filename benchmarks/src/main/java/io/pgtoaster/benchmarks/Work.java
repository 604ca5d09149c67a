package io.pgtoaster.benchmarks;

/** Something to do. */
@FunctionalInterface
interface Work {
  void run() throws Exception;
}
