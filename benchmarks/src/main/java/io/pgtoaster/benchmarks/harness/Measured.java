package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.question.Task;
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import io.pgtoaster.benchmarks.server.TableScans;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Checks;
import io.pgtoaster.benchmarks.trial.Together;
import io.pgtoaster.benchmarks.trial.Trial;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;
import tools.jackson.databind.json.JsonMapper;

/** Runs the operations of a cell in JMH. All cells use this class. */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Measured {
  /** The method of this class that JMH calls. */
  public static final String METHOD = Measured.class.getName() + ".run";

  /** Longer operations may use two processors, one for the client and one for the session. */
  private static final long BRIEF_NANOS = 5_000_000;

  /** Returns the cell as text, for the parameter {@code cell}. */
  public static String param(Cell cell) {
    return JsonMapper.shared().writeValueAsString(cell);
  }

  /** State of all threads. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // a client calls open() before all others
  public static class Shared {
    @Param("")
    public String cell;

    private final Together together = new Together();
    private Trial trial;
    private int operations;
    private @Nullable TableScans scans;

    private void open() throws Exception {
      Cell read = JsonMapper.shared().readValue(cell, Cell.class);
      operations = read.operations();
      trial = Task.of(read.benchmark()).opener().open(read);
    }

    private void begin(boolean beside) throws Exception {
      trial.begin();
      Database database = trial.database();
      if (beside && database != null) {
        database.beside();
      }
      scans = database == null ? null : database.scans();
      Meter.begin(database);
    }

    private void end() throws Exception {
      Database database = trial.database();
      Counters cost = trial.clocked() ? Meter.endOfAll(database) : Meter.end(database);
      if (database != null && scans != null && !trial.scans()) {
        Checks.byKey(database.scans().since(scans));
      }
      trial.end(cost);
    }
  }

  /** State of one thread. */
  @State(Scope.Thread)
  @SuppressWarnings({"MissingJavadocMethod", "NullAway.Init"})
  public static class Client {
    private Trial.Operation operation;
    private long done;
    private long began;

    /**
     * Whether there is one thread, and its operations are so short that waking up takes a large
     * part of the time.
     */
    private boolean brief;

    @Setup(Level.Trial)
    public void open(Shared shared, ThreadParams thread) throws Exception {
      shared.together.once(thread.getThreadCount(), shared::open);
      operation = shared.trial.operation(thread.getThreadIndex());
    }

    @Setup(Level.Iteration)
    public void begin(Shared shared, ThreadParams thread) throws Exception {
      shared.together.once(thread.getThreadCount(), () -> shared.begin(brief));
      done = 0;
      began = System.nanoTime();
    }

    @TearDown(Level.Iteration)
    public void end(Shared shared, ThreadParams thread) throws Exception {
      brief = thread.getThreadCount() == 1 && System.nanoTime() - began < done * BRIEF_NANOS;
      shared.together.once(thread.getThreadCount(), shared::end);
    }

    @TearDown(Level.Trial)
    public void close(Shared shared, ThreadParams thread) throws Exception {
      shared.together.once(thread.getThreadCount(), shared.trial::close);
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
