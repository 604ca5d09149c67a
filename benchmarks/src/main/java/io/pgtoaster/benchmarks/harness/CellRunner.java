package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.question.Cell;
import io.pgtoaster.benchmarks.report.Measurement;
import io.pgtoaster.benchmarks.server.Meter;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import tools.jackson.databind.json.JsonMapper;

/** Runs one cell with JMH. */
final class CellRunner {
  /** Results of JMH's allocation profiler that no report uses. */
  private static final Set<String> UNUSED = Set.of("gc.alloc.rate", "gc.count", "gc.time");

  /** More digits would be noise. */
  private static final MathContext DIGITS = new MathContext(9);

  private CellRunner() {}

  /**
   * Runs a cell.
   *
   * @param fork whether to run it in a separate JVM
   * @param target argument that passes the servers to it
   * @param output where JMH reports its progress
   * @throws RunnerException if the cell fails; the output contains the reason
   */
  static Measurement run(Cell cell, boolean fork, String target, PrintStream output)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Measured.class.getName() + ".run$")
            .param("cell", JsonMapper.shared().writeValueAsString(cell))
            .mode(cell.operations() > 0 ? Mode.SingleShotTime : Mode.AverageTime)
            .forks(fork ? 1 : 0)
            .jvmArgsAppend(target)
            .threads(cell.threads())
            .warmupIterations(cell.warmUps())
            .measurementIterations(cell.iterations())
            .operationsPerInvocation(Math.max(1, cell.operations()))
            // Until the code is compiled.
            .warmupTime(TimeValue.milliseconds(20L * cell.millis()))
            .measurementTime(TimeValue.milliseconds(cell.millis()))
            .addProfiler(Meter.class)
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .timeout(TimeValue.hours(6));
    // Without this, JMH refuses to start while its lock file exists.
    System.setProperty("jmh.ignoreLock", "true");
    RunResult result =
        new Runner(
                options.build(),
                OutputFormatFactory.createFormatInstance(output, VerboseMode.NORMAL))
            .runSingle();
    Map<String, List<Double>> samples = new TreeMap<>();
    for (BenchmarkResult each : result.getBenchmarkResults()) {
      for (IterationResult iteration : each.getIterationResults()) {
        add(samples, Measurement.TIME, iteration.getPrimaryResult());
        iteration.getSecondaryResults().forEach((name, sample) -> add(samples, name, sample));
      }
    }
    samples.keySet().removeAll(UNUSED);
    return new Measurement(cell.benchmark(), cell.params(), cell.threads(), samples);
  }

  @SuppressWarnings("rawtypes") // JMH's type is raw
  private static void add(Map<String, List<Double>> samples, String name, Result sample) {
    double rounded = BigDecimal.valueOf(sample.getScore()).round(DIGITS).doubleValue();
    samples.computeIfAbsent(name, n -> new ArrayList<>()).add(rounded);
  }
}
