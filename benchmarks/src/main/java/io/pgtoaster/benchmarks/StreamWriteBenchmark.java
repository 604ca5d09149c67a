package io.pgtoaster.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How long does it take to write a stream into a new value and commit it? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(1)
public class StreamWriteBenchmark {
  private static final int BUFFER = 256 << 10;
  private static final int ROWS = 32;

  private BlobTable table;

  /**
   * Makes an empty store.
   *
   * @param state the server
   * @throws Exception if that fails
   */
  @Setup(Level.Iteration)
  public void begin(JmhState state) throws Exception {
    table = state.emptyBlob("stream");
    state.bench.removeLargeObjects();
    state.bench.byteaTable("whole");
    state.bench.checkpoint();
  }

  /**
   * Appends the stream in one transaction.
   *
   * @param state the server
   */
  @Benchmark
  public void append(JmhState state) {
    state.writers.appendOwn(table);
  }

  /**
   * Commits in pieces.
   *
   * @param state the server
   * @throws Exception if it fails
   */
  @Benchmark
  public void appendStream(JmhState state) throws Exception {
    state.writers.appendStream(table);
  }

  /**
   * Writes a large object.
   *
   * @param state the server
   * @return its number
   * @throws Exception if it fails
   */
  @Benchmark
  public long largeObject(JmhState state) throws Exception {
    return state.writers.largeObject(BUFFER);
  }

  /**
   * COPY into the same table shape.
   *
   * @param state the server
   * @throws Exception if it fails
   */
  @Benchmark
  public void copy(JmhState state) throws Exception {
    state.writers.copy(table, ROWS);
  }

  /**
   * One parameter.
   *
   * @param state the server
   * @throws Exception if it fails
   */
  @Benchmark
  public void bytea(JmhState state) throws Exception {
    state.writers.bytea("whole");
  }
}
