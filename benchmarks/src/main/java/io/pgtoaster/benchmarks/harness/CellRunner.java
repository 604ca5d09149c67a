package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.question.Batch;
import io.pgtoaster.benchmarks.question.Cell;
import io.pgtoaster.benchmarks.server.ServerProfiler;
import io.pgtoaster.benchmarks.server.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Has JMH measure one cell.
 *
 * @param target its servers
 * @param forks 0 to measure in this process
 * @param arguments of the JVM of the cell, besides its own
 */
record CellRunner(Target target, int forks, List<String> arguments) {
  CellRunner(Target target, int forks) {
    this(target, forks, List.of());
  }

  CellRunner with(List<String> more) {
    return new CellRunner(target, forks, more);
  }

  /**
   * What JMH has found, or what it said while it failed.
   *
   * @param results empty if it failed
   * @param output of JMH
   */
  record Outcome(Collection<RunResult> results, String output) {}

  Outcome run(Cell cell) throws IOException {
    Batch batch = cell.batch();
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(cell.benchmark()) + "$")
            .forks(forks)
            .threads(batch.threads())
            .warmupIterations(batch.warmUps())
            .measurementIterations(batch.iterations())
            .addProfiler(ServerProfiler.class)
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .timeout(TimeValue.hours(6))
            .jvmArgsAppend(
                Stream.concat(Stream.of(target.jvmArgument(), "-Xmx3g"), arguments.stream())
                    .toArray(String[]::new));
    if (batch.operations() > 0) {
      options.operationsPerInvocation(batch.operations());
    } else {
      TimeValue time = TimeValue.milliseconds(batch.millis());
      options.warmupTime(TimeValue.milliseconds(2L * batch.millis())).measurementTime(time);
    }
    cell.params().forEach(options::param);
    target.use();
    // Another run on this machine is no reason to refuse; nobody measures two at a time.
    System.setProperty("jmh.ignoreLock", "true");
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8)) {
      Collection<RunResult> results =
          new Runner(
                  options.build(),
                  OutputFormatFactory.createFormatInstance(stream, VerboseMode.NORMAL))
              .run();
      return new Outcome(results, output.toString(StandardCharsets.UTF_8));
    } catch (RunnerException e) {
      return new Outcome(
          List.of(), output.toString(StandardCharsets.UTF_8) + System.lineSeparator() + e);
    }
  }
}
