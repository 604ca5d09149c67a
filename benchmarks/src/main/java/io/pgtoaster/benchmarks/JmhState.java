package io.pgtoaster.benchmarks;

import io.pgtoaster.blob.BlobOptions;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One server per trial: the version 18 of the class path, {@code -Dbench.home=DIR} or {@code
 * -Dbench.url=URL}. {@code -Dbench.mb=N} sets the size of values.
 */
@State(Scope.Benchmark)
public class JmhState {
  private static final int DEFAULT_MEGABYTES = 64;

  Workbench bench;
  Payload payload;
  Writers writers;
  Readers readers;
  long bytes;

  /**
   * Starts the server.
   *
   * @throws Exception if it does not start
   */
  @Setup(Level.Trial)
  public void start() throws Exception {
    bytes = (long) Integer.getInteger("bench.mb", DEFAULT_MEGABYTES) << 20;
    bench = Workbench.open(settings());
    payload = Payload.random();
    writers = new Writers(bench, payload, bytes);
    readers = new Readers(bench);
  }

  /**
   * Stops the server.
   *
   * @throws Exception if it does not stop
   */
  @TearDown(Level.Trial)
  public void stop() throws Exception {
    bench.close();
  }

  BlobTable emptyBlob(String name) throws Exception {
    return bench.blobTable(name, BlobOptions.defaults());
  }

  BlobTable blob(String name) throws Exception {
    return emptyBlob(name).filled(payload.stream(0, bytes));
  }

  private static Settings settings() {
    String home = System.getProperty("bench.home");
    String url = System.getProperty("bench.url");
    return url != null
        ? Settings.parse("--url", url)
        : home != null ? Settings.parse("--home", home) : Settings.parse();
  }
}
