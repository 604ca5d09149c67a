package io.pgtoaster.benchmarks;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does an append take, each committed? The value grows, so a batch is measured once and
 * the next begins with a new value.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(1)
public class AppendBenchmark {
  private static final int BATCH = 200;

  /** Bytes of one append. */
  @Param({"1", "100", "10000"})
  public int size;

  private byte[] piece;
  private Appender pgtoaster;
  private Appender largeObject;

  /**
   * Makes empty values.
   *
   * @param state the server
   * @throws Exception if that fails
   */
  @Setup(Level.Iteration)
  public void begin(JmhState state) throws Exception {
    piece = state.payload.bytes(0, size);
    pgtoaster = Appender.pgtoaster(state.emptyBlob("growing").own());
    state.bench.removeLargeObjects();
    largeObject = Appender.largeObject(state.bench.connection(), state.bench.largeObject());
    state.bench.checkpoint();
  }

  /**
   * Appends to a blob.
   *
   * @throws SQLException never
   */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void pgtoaster() throws SQLException {
    batch(pgtoaster);
  }

  /**
   * Appends to a large object: opens it, seeks to its end, writes and closes it.
   *
   * @throws SQLException if it fails
   */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void largeObject() throws SQLException {
    batch(largeObject);
  }

  private void batch(Appender appender) throws SQLException {
    for (int i = 0; i < BATCH; i++) {
      appender.append(piece);
    }
  }
}
