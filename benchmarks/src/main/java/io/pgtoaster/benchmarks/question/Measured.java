package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.question.Results.Measurement;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;
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

/** Runs the operations of a cell in JMH. All cells use this class. */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings({"MissingJavadocMethod", "NullAway.Init"})
public class Measured {
  /** Results of JMH's allocation profiler that no report uses. */
  private static final Set<String> UNUSED = Set.of("gc.alloc.rate", "gc.count", "gc.time");

  /** More digits would be noise. */
  private static final MathContext DIGITS = new MathContext(9);

  /** Longer operations may use two processors, one for the client and one for the session. */
  private static final long BRIEF_NANOS = 5_000_000;

  /** State of all threads. */
  @State(Scope.Benchmark)
  public static class Shared {
    @Param("")
    public String cell;

    private int operations;
    private CyclicBarrier barrier;
    private Trial trial;
    private boolean clocked;

    @Setup(Level.Trial)
    public void open(BenchmarkParams params) throws Exception {
      Cell read = JsonMapper.shared().readValue(cell, Cell.class);
      operations = Math.max(1, read.operations());
      barrier = new CyclicBarrier(params.getThreads());
      // If each thread has a fixed number of operations, some end early.
      clocked = read.operations() > 0 && params.getThreads() > 1;
      trial = Trial.open(read);
    }

    private void begin(boolean beside) throws Exception {
      trial.begin();
      Database database = trial.database;
      if (beside && database != null) {
        database.beside();
      }
      Meter.begin(database);
    }

    private void end() throws Exception {
      Meter.end(trial.database, clocked, trial.writes);
      trial.end();
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      trial.close();
    }

    private interface Step {
      void run() throws Exception;
    }

    /**
     * Runs a step in the last thread that arrives, while the others wait. If JMH did this for a
     * state of all threads, the others would sleep for a second at a time.
     */
    private void once(Step step) throws Exception {
      if (barrier.await(5, TimeUnit.MINUTES) == 0) {
        try {
          step.run();
        } catch (Exception e) {
          barrier.reset();
          throw e;
        }
      }
      barrier.await(5, TimeUnit.MINUTES);
    }
  }

  /** State of one thread. */
  @State(Scope.Thread)
  public static class Client {
    private Trial.Operation operation;
    private long done;
    private long began;

    /**
     * Whether there is only one thread, with operations so short that waking up takes a large part
     * of the time.
     */
    private boolean brief;

    @Setup(Level.Trial)
    public void open(Shared shared, ThreadParams thread) throws Exception {
      operation = shared.trial.operation(thread.getThreadIndex());
    }

    @Setup(Level.Iteration)
    public void begin(Shared shared) throws Exception {
      shared.once(() -> shared.begin(brief));
      done = 0;
      began = System.nanoTime();
    }

    @TearDown(Level.Iteration)
    public void end(Shared shared, ThreadParams thread) throws Exception {
      brief = thread.getThreadCount() == 1 && System.nanoTime() - began < done * BRIEF_NANOS;
      shared.once(shared::end);
    }
  }

  /**
   * Runs the operations that are timed together.
   *
   * @param shared state of all threads
   * @param client state of this thread
   * @throws Exception if an operation fails
   */
  @Benchmark
  public void run(Shared shared, Client client) throws Exception {
    for (int i = 0; i < shared.operations; i++) {
      client.operation.run();
    }
    client.done += shared.operations;
  }

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
        add(samples, "time", iteration.getPrimaryResult());
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
