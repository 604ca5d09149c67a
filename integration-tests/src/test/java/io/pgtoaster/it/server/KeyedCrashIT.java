package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.StopMode;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.jsonb.locking.Writes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.ArrayList;
import java.util.List;
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

/** A server that stops immediately during edits and puts. */
@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeyedCrashIT {
  private static final int WRITERS = 3;
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_120);

  private EmbeddedPostgres postgres;
  private Database database;
  private long store;

  @BeforeAll
  void start() {
    int version = PostgresServers.newest();
    // Only the server dies, so its writes without fsync survive.
    postgres = PostgresServers.builder(version).setting("fsync", "off").start();
    database = new Server(postgres, version).installed();
    database.run("CREATE TABLE item (id bigint PRIMARY KEY, doc jsonb)");
    store =
        database.number(
            "SELECT pgtoaster.attach('item', 'doc', 'keyed', '{\"row_budget\": 256, \"leaf_size\": 512}')");
  }

  @AfterAll
  void stop() {
    postgres.close();
  }

  private DocumentColumn documents() {
    return PgToaster.create(database.dataSource()).documents("item", "doc");
  }

  /**
   * Appends numbered entries until the server has stopped; returns the number of acknowledged
   * rounds.
   */
  private static int write(DocumentColumn documents, long key, int writer, AtomicInteger done) {
    int acknowledged = 0;
    try {
      while (true) {
        if (writer == 0 && acknowledged % 5 == 4) {
          documents.compact(key);
        }
        documents.at(key, "list").append("writer " + writer + " wrote number " + acknowledged);
        acknowledged++;
        documents.at(key, "map.w" + writer + "-" + acknowledged % 20).set("x".repeat(100));
        documents.putJson(key + 1 + writer, Writes.document(acknowledged % 7, 30));
        done.incrementAndGet();
      }
    } catch (PgToasterException e) {
      assertThat(e.sqlState()).matches("(08|57).*");
      return acknowledged;
    }
  }

  /** The property pgtoaster.test.stops sets the number of stops. */
  static IntStream stops() {
    return IntStream.rangeClosed(1, Integer.getInteger("pgtoaster.test.stops", 3));
  }

  @ParameterizedTest
  @MethodSource("stops")
  void immediateStop_leavesWholeDocuments(int repetition) throws Exception {
    long seed = SEED + repetition;
    long key = 10L * repetition;
    for (long k = key; k <= key + WRITERS; k++) {
      database.run("INSERT INTO item VALUES (" + k + ")");
      documents().putJson(k, "{\"list\": [], \"map\": {}}");
    }
    AtomicInteger done = new AtomicInteger();
    List<Future<Integer>> running = new ArrayList<>();
    for (int t = 0; t < WRITERS; t++) {
      int writer = t;
      DocumentColumn documents = documents();
      running.add(Wait.start(() -> write(documents, key, writer, done)));
    }
    int stopAfter = 1 + new Random(seed).nextInt(30);
    Wait.until("writes before the stop", () -> done.get() >= stopAfter);
    postgres.stop(StopMode.IMMEDIATE);
    List<Integer> acknowledged = new ArrayList<>();
    for (Future<Integer> future : running) {
      acknowledged.add(Wait.get(future));
    }
    postgres.start();

    DocumentColumn documents = documents();
    for (long k = key; k <= key + WRITERS; k++) {
      assertThat(documents.verify(k)).as("seed %d", seed).isEmpty();
      assertThat(documents.load(k)).isPresent();
    }
    for (int t = 0; t < WRITERS; t++) {
      String start = "writer " + t + " wrote";
      List<String> list =
          documents
              .at(key, "list")
              .get()
              .orElseThrow()
              .valueStream()
              .map(n -> n.stringValue())
              .toList();
      assertThat(list.stream().filter(s -> s.startsWith(start)).count())
          .as("seed %d, writer %d", seed, t)
          .isBetween((long) acknowledged.get(t), acknowledged.get(t) + 1L);
    }
    assertThat(
            database.number(
                "SELECT count(*) FROM pgtoaster.store_%d_node WHERE doc NOT IN (SELECT id FROM pgtoaster.store_%d_head)"
                    .formatted(store, store)))
        .isZero();
    documents.at(key, "list").append("on");
    assertThat(documents.verify(key)).isEmpty();
    Figures.add("KeyedCrashIT#immediateStop_leavesWholeDocuments", "stops", 1);
  }
}
