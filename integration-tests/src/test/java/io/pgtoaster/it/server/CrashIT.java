package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.StopMode;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Records;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that stops immediately during appends. */
@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashIT {
  private static final int WRITERS = 3;
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_120);

  private EmbeddedPostgres postgres;
  private Database database;

  @BeforeAll
  void start() {
    int version = PostgresServers.newest();
    // Only the server dies, so its writes without fsync survive.
    postgres = PostgresServers.builder(version).setting("fsync", "off").start();
    database = new Server(postgres, version).installed();
    database.run("CREATE TABLE item (id int PRIMARY KEY)");
    PgToaster.create(database.dataSource())
        .catalog()
        .attach("item", "content", BlobOptions.defaults());
  }

  @AfterAll
  void stop() {
    postgres.close();
  }

  private BlobColumn blobs() {
    return PgToaster.create(database.dataSource()).blobs("item", "content");
  }

  /** Appends records until the server has stopped. */
  private static final class Writer {
    final int thread;
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    int acknowledged;
    boolean uncertain;

    Writer(int thread) {
      this.thread = thread;
    }

    byte[] next() {
      return Records.record(thread, acknowledged, Records.size(thread, acknowledged));
    }

    void acknowledge() {
      acknowledged++;
      token = token.next();
      uncertain = false;
    }

    int appendUntilTheServerIsGone(BlobColumn blobs, int key, AtomicInteger done) {
      while (true) {
        try {
          blobs.append(key, next(), AppendOptions.defaults().withToken(token));
          acknowledge();
          done.incrementAndGet();
        } catch (OutcomeUnknownException e) {
          uncertain = true;
          return acknowledged;
        } catch (PgToasterException e) {
          assertThat(e.sqlState()).matches("(08|57).*");
          uncertain = !(e instanceof ConnectionLostException);
          return acknowledged;
        }
      }
    }
  }

  /** The property pgtoaster.test.stops sets the number of stops. */
  static IntStream stops() {
    return IntStream.rangeClosed(1, Integer.getInteger("pgtoaster.test.stops", 3));
  }

  @ParameterizedTest
  @MethodSource("stops")
  void immediateStop_neitherLosesNorTearsNorRepeatsAppends(int repetition) throws Exception {
    long seed = SEED + repetition;
    Random random = new Random(seed);
    int key = repetition;
    database.run("INSERT INTO item VALUES (" + key + ")");
    AtomicInteger done = new AtomicInteger();
    List<Writer> writers = new ArrayList<>();
    List<Future<Integer>> running = new ArrayList<>();
    for (int t = 0; t < WRITERS; t++) {
      Writer writer = new Writer(t);
      writers.add(writer);
      BlobColumn blobs = blobs();
      running.add(Wait.start(() -> writer.appendUntilTheServerIsGone(blobs, key, done)));
    }
    int stopAfter = 1 + random.nextInt(40);
    Wait.until("appends before the stop", () -> done.get() >= stopAfter);
    postgres.stop(StopMode.IMMEDIATE);
    for (Future<Integer> future : running) {
      Wait.get(future);
    }
    postgres.start();

    BlobColumn blobs = blobs();
    assertThat(blobs.verify(key)).as("seed %d", seed).isEmpty();
    Map<Integer, Integer> stored = Records.counts(all(blobs, key));
    for (Writer writer : writers) {
      int there = stored.getOrDefault(writer.thread, 0);
      assertThat(there)
          .as("seed %d, records of writer %d", seed, writer.thread)
          .isBetween(writer.acknowledged, writer.acknowledged + (writer.uncertain ? 1 : 0));
    }
    if (repetition % 5 == 0) {
      for (int i = 0; i < 1000; i++) {
        blobs.append(key, Records.record(99, i, 10));
      }
    }
    for (Writer writer : writers) {
      boolean landed = stored.getOrDefault(writer.thread, 0) > writer.acknowledged;
      assertThat(
              blobs
                  .append(key, writer.next(), AppendOptions.defaults().withToken(writer.token))
                  .repeated())
          .as("seed %d, retry of writer %d", seed, writer.thread)
          .isEqualTo(landed);
      writer.acknowledge();
    }
    Map<Integer, Integer> counts = Records.counts(all(blobs, key));
    for (Writer writer : writers) {
      assertThat(counts.get(writer.thread)).as("seed %d", seed).isEqualTo(writer.acknowledged);
    }
    assertThat(blobs.verify(key)).as("seed %d", seed).isEmpty();
    Figures.add("CrashIT#immediateStop_neitherLosesNorTearsNorRepeatsAppends", "stops", 1);
  }

  private static byte[] all(BlobColumn blobs, int key) {
    return blobs.info(key).isEmpty()
        ? new byte[0]
        : blobs.read(key, 0, Math.toIntExact(blobs.length(key)));
  }
}
