package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.report.figure.Measurement;
import io.pgtoaster.benchmarks.server.ServerProfiler;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.trial.Batch;
import io.pgtoaster.benchmarks.trial.Cell;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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

/**
 * Runs one cell with JMH in this process.
 *
 * @param target the servers
 */
record CellRunner(Target target) {
  /**
   * The result of a cell, or JMH's output if it failed.
   *
   * @param found null if the cell failed
   * @param output JMH's output
   */
  record Outcome(@Nullable Measurement found, String output) {}

  /** Results of JMH's allocation profiler that no report uses. */
  private static final Set<String> UNUSED = Set.of("gc.alloc.rate", "gc.count", "gc.time");

  private static final AtomicBoolean FIRST = new AtomicBoolean(true);

  /** Further digits are noise. */
  private static final MathContext DIGITS = new MathContext(9);

  Outcome run(Cell cell) {
    Batch batch = cell.batch();
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(Measured.METHOD) + "$")
            .param("cell", Measured.param(cell))
            .mode(batch.operations() > 0 ? Mode.SingleShotTime : Mode.AverageTime)
            .forks(0)
            .threads(batch.threads())
            .warmupIterations(batch.warmUps())
            .measurementIterations(batch.iterations())
            .addProfiler(ServerProfiler.class)
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .timeout(TimeValue.hours(6));
    if (batch.operations() > 0) {
      options.operationsPerInvocation(batch.operations());
    } else {
      TimeValue time = TimeValue.milliseconds(batch.millis());
      // In the first cell of a process, no code is compiled yet.
      long warm = (FIRST.getAndSet(false) ? 20L : 5L) * batch.millis();
      options.warmupTime(TimeValue.milliseconds(warm)).measurementTime(time);
    }
    target.use();
    // JMH must not refuse because of another run; nobody measures two at a time.
    System.setProperty("jmh.ignoreLock", "true");
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8)) {
      RunResult result =
          new Runner(
                  options.build(),
                  OutputFormatFactory.createFormatInstance(stream, VerboseMode.NORMAL))
              .runSingle();
      return new Outcome(
          new Measurement(cell.benchmark(), cell.params(), batch.threads(), samples(result)),
          output.toString(StandardCharsets.UTF_8));
    } catch (RunnerException e) {
      return new Outcome(
          null, output.toString(StandardCharsets.UTF_8) + System.lineSeparator() + e);
    }
  }

  private static Map<String, List<Double>> samples(RunResult result) {
    Map<String, List<Double>> samples = new TreeMap<>();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        add(samples, Measurement.TIME, iteration.getPrimaryResult());
        iteration.getSecondaryResults().forEach((name, sample) -> add(samples, name, sample));
      }
    }
    samples.keySet().removeAll(UNUSED);
    return samples;
  }

  @SuppressWarnings("rawtypes") // JMH's type is raw
  private static void add(Map<String, List<Double>> samples, String name, Result sample) {
    double rounded = BigDecimal.valueOf(sample.getScore()).round(DIGITS).doubleValue();
    samples.computeIfAbsent(name, n -> new ArrayList<>()).add(rounded);
  }
}
