package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.question.Cell;
import io.pgtoaster.benchmarks.question.Trial;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;
import tools.jackson.databind.json.JsonMapper;

/** Runs the operations of a cell in JMH. All cells use this class. */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings({"MissingJavadocMethod", "NullAway.Init"})
public class Measured {
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
      Database database = trial.database();
      if (beside && database != null) {
        database.beside();
      }
      Meter.begin(database);
    }

    private void end() throws Exception {
      Meter.end(trial.database(), clocked, trial.writes());
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
}
