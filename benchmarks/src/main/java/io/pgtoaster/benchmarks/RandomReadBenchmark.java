package io.pgtoaster.benchmarks;

import io.pgtoaster.blob.BlobReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** How long does it take to read 4 KB anywhere in a value? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RandomReadBenchmark {
  private static final int SEED = 3;

  private final Random random = new Random(SEED);
  private long last;
  private Connection beside;
  private RangeReader open;
  private RangeReader key;
  private RangeReader loGet;
  private RangeReader seek;

  /**
   * Writes the values.
   *
   * @param state the server
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  @SuppressWarnings("MustBeClosed") // closed by close()
  public void fill(JmhState state) throws Exception {
    last = state.bytes - RangeReader.SIZE;
    BlobTable blob = state.blob("blob");
    long oid = state.writers.largeObject(512 << 10);
    state.bench.execute("VACUUM ANALYZE");
    state.bench.checkpoint();
    BlobReader reader = blob.own().open(1L);
    open = RangeReader.open(reader);
    key = RangeReader.byKey(blob.own());
    loGet = RangeReader.loGet(state.bench.connection(), oid);
    beside = state.bench.pool().getConnection();
    seek = RangeReader.largeObject(beside, oid);
  }

  /**
   * Closes what is open.
   *
   * @throws SQLException if that fails
   */
  @TearDown(Level.Trial)
  public void close() throws SQLException {
    for (RangeReader reader : List.of(open, key, loGet, seek)) {
      reader.close();
    }
    beside.close();
  }

  /**
   * Through an open reader.
   *
   * @return bytes
   * @throws SQLException never
   */
  @Benchmark
  public byte[] openReader() throws SQLException {
    return open.read(random.nextLong(last));
  }

  /**
   * By row key.
   *
   * @return bytes
   * @throws SQLException never
   */
  @Benchmark
  public byte[] byKey() throws SQLException {
    return key.read(random.nextLong(last));
  }

  /**
   * Large object by {@code lo_get}.
   *
   * @return bytes
   * @throws SQLException if it fails
   */
  @Benchmark
  public byte[] loGet() throws SQLException {
    return loGet.read(random.nextLong(last));
  }

  /**
   * Large object by seek and read.
   *
   * @return bytes
   * @throws SQLException if it fails
   */
  @Benchmark
  public byte[] seekRead() throws SQLException {
    return seek.read(random.nextLong(last));
  }
}
