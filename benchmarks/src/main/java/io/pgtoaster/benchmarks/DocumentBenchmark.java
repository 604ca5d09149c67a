package io.pgtoaster.benchmarks;

import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.JsonOptions;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How long does it take to read or set one value of a document, each committed? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class DocumentBenchmark {
  private static final int SEED = 3;

  /** Roles that the document has, of about 150 bytes each. */
  @Param({"10", "1000", "100000"})
  public int elements;

  private final Random random = new Random(SEED);
  private DocumentSet set;
  private DocumentPath shortKey;
  private DocumentColumn keyed;
  private DocumentColumn plain;

  /**
   * Writes the documents.
   *
   * @param state the server
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void fill(JmhState state) throws Exception {
    set = DocumentSet.actors(1, elements);
    shortKey = DocumentPath.of(set.shortKey());
    keyed = DocumentTable.keyed(state.bench, "keyed", JsonOptions.defaults()).filled(set).own();
    plain = DocumentTable.plain(state.bench, "plain").filled(set).own();
    state.bench.execute("VACUUM ANALYZE");
    state.bench.checkpoint();
  }

  /**
   * Reads a short key.
   *
   * @return its value
   */
  @Benchmark
  public Object shortKey() {
    return keyed.get(0L, shortKey);
  }

  /**
   * Reads a short key of plain jsonb.
   *
   * @return its value
   */
  @Benchmark
  public Object shortKeyPlain() {
    return plain.get(0L, shortKey);
  }

  /**
   * Reads a title.
   *
   * @return its value
   */
  @Benchmark
  public Object title() {
    return keyed.get(0L, set.place(0, random));
  }

  /**
   * Reads a title of plain jsonb.
   *
   * @return its value
   */
  @Benchmark
  public Object titlePlain() {
    return plain.get(0L, set.place(0, random));
  }

  /**
   * Sets a title.
   *
   * @return whether it was there
   */
  @Benchmark
  public boolean setTitle() {
    return keyed.set(0L, set.place(0, random), set.value(random));
  }

  /**
   * Sets a title of plain jsonb.
   *
   * @return whether it was there
   */
  @Benchmark
  public boolean setTitlePlain() {
    return plain.set(0L, set.place(0, random), set.value(random));
  }
}
