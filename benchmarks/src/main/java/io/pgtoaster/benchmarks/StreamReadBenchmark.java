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

/** How long does it take to read a value from its beginning to its end? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(1)
public class StreamReadBenchmark {
  private static final int BUFFER = 512 << 10;
  private static final int ROWS = 32;

  private BlobTable blob;
  private BlobTable copied;
  private long oid;

  /**
   * Writes the values.
   *
   * @param state the server
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void fill(JmhState state) throws Exception {
    blob = state.blob("blob");
    copied = state.emptyBlob("copied");
    state.writers.copy(copied, ROWS);
    state.bench.byteaTable("whole");
    state.writers.bytea("whole");
    oid = state.writers.largeObject(BUFFER);
    state.bench.execute("VACUUM ANALYZE");
    state.bench.checkpoint();
  }

  /**
   * Reads a blob.
   *
   * @param state the server
   * @return checksum
   * @throws Exception if it fails
   */
  @Benchmark
  public long inputStream(JmhState state) throws Exception {
    return state.readers.own(blob);
  }

  /**
   * Reads a large object.
   *
   * @param state the server
   * @return checksum
   * @throws Exception if it fails
   */
  @Benchmark
  public long largeObject(JmhState state) throws Exception {
    return state.readers.largeObject(oid, BUFFER);
  }

  /**
   * COPY out of the same table shape.
   *
   * @param state the server
   * @return checksum
   * @throws Exception if it fails
   */
  @Benchmark
  public long copy(JmhState state) throws Exception {
    return state.readers.copy(copied);
  }

  /**
   * Reads a value as a whole.
   *
   * @param state the server
   * @return checksum
   * @throws Exception if it fails
   */
  @Benchmark
  public long bytea(JmhState state) throws Exception {
    return state.readers.bytea("whole");
  }
}
