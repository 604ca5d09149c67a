package io.pgtoaster.examples.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobAppend;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.error.PgToasterException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Stores the readings of each device in one blob, and the alarms of all devices in another. */
public final class Telemetry {
  private static final int THREADS = 8;
  private static final int DEVICES = 1_000;
  private static final int ROUNDS = 30;

  private final BlobColumn lines;
  private final Map<String, StringBuilder> waiting = new HashMap<>();
  private int length;
  private volatile boolean closed;

  private Telemetry(HikariDataSource pool) throws Exception {
    PgToaster toaster = PgToaster.create(pool);
    toaster.catalog().install();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE IF NOT EXISTS example_telemetry (name text PRIMARY KEY);
          INSERT INTO example_telemetry SELECT 'device ' || generate_series(1, 1000)
            UNION ALL SELECT 'alarms' ON CONFLICT DO NOTHING;
          SELECT pgtoaster.attach_if_absent('example_telemetry', 'lines')""");
    }
    lines = toaster.blobs("example_telemetry", "lines");
  }

  /** Runs on the database with the given URL, or on a temporary PostgreSQL server. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      run(args[0], System.out);
      return;
    }
    PostgresBinaries binaries = PostgresBinaries.fromClasspath(Home.cacheDirectory());
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(binaries).temporary().start()) {
      run(postgres.jdbcUrlWithPassword("postgres"), System.out);
    }
  }

  static void run(String url, PrintStream out) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(url);
      Telemetry telemetry = new Telemetry(pool);
      Future<Long> batches = threads.submit(telemetry::sendUntilClosed);
      var sensors = IntStream.rangeClosed(1, THREADS).mapToObj(telemetry::sensor).toList();
      for (Future<?> sensor : threads.invokeAll(sensors)) {
        sensor.get();
      }
      telemetry.closed = true;
      out.printf("%d readings in %d batches%n", ROUNDS * DEVICES, batches.get());
      BlobInfo alarms = telemetry.lines.info("alarms").orElseThrow();
      out.printf("%d bytes of alarms; discarded: %d%n", alarms.length(), alarms.first());
      telemetry.lines.tail("device 7", 3).forEach(out::println);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Measures every eighth device. */
  private Callable<Void> sensor(int first) {
    AppendOptions keep = AppendOptions.defaults().withKeepLast(16_384);
    return () -> {
      for (int reading = 0; reading < ROUNDS; reading++) {
        for (int device = first; device <= DEVICES; device += THREADS) {
          double value = Math.rint(200 + 30 * ThreadLocalRandom.current().nextGaussian()) / 10;
          String line =
              "{\"time\": \"%s\", \"device\": %s, \"temperature\": %s, \"alarm\": %s}\n"
                  .formatted(Instant.now(), device, value, value > 23);
          add("device " + device, line);
          if (value > 23) {
            // Returns when the line is stored. Appends of several threads share one commit.
            lines.append("alarms", line.getBytes(UTF_8), keep);
          }
        }
      }
      return null;
    };
  }

  /** Adds a line to the next batch. Waits if lines arrive faster than they are stored. */
  private synchronized void add(String device, String line) throws InterruptedException {
    while (length > 4 << 20) {
      wait();
    }
    waiting.computeIfAbsent(device, d -> new StringBuilder()).append(line);
    length += line.length();
  }

  /** Sends a batch every 100 ms, with one append for each device. Returns the number of batches. */
  private long sendUntilClosed() throws InterruptedException {
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    for (boolean last = false; !last; token = token.next()) {
      Thread.sleep(100);
      last = closed;
      AppendOptions options = AppendOptions.defaults().withKeepLast(1 << 20).withToken(token);
      Map<String, BlobAppend> batch = new HashMap<>();
      synchronized (this) {
        waiting.forEach(
            (d, s) -> batch.put(d, new BlobAppend(s.toString().getBytes(UTF_8), options)));
        waiting.clear();
        length = 0;
        notifyAll();
      }
      while (!send(batch)) {
        Thread.sleep(1_000); // The token prevents duplicates.
      }
    }
    return token.sequence() - 1;
  }

  private boolean send(Map<String, BlobAppend> batch) {
    try {
      lines.appendEach(batch).values().stream()
          .filter(outcome -> outcome.failure() != null)
          .forEach(outcome -> System.err.println("Rejected: " + outcome.failure()));
      return true;
    } catch (PgToasterException e) {
      System.err.println("Trying again: " + e);
      return false;
    }
  }
}
