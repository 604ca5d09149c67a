package io.pgtoaster.it.server;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Records;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.SmallJvm;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.JsonNode;

/**
 * Kills servers and clients (SIGKILL) in the middle of appends to blobs and changes of documents.
 * Every reported append is stored once, in order and complete. Of the others, at most the one in
 * progress is stored. The property pgtoaster.test.kills sets the number of kills.
 */
@Tag("ci")
@Tag("turn-1")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillIT {
  static final int WRITERS = 3;
  private static final int COMBINED = 16;

  private static final int KILLS = Integer.getInteger("pgtoaster.test.kills", 2);
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_122);

  @AutoClose private EmbeddedPostgres postgres;
  private Database database;

  @BeforeAll
  void start() {
    int version = PostgresServers.newest();
    // Only the server dies, so its writes without fsync survive.
    postgres = PostgresServers.builder(version).setting("fsync", "off").start();
    database = new Server(postgres, version).installed();
    database.run(
        "CREATE TABLE item (id bigint PRIMARY KEY, doc jsonb)",
        "SELECT pgtoaster.attach('item', 'content')",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed', '{\"row_budget\": 256, \"leaf_size\": 512}')");
  }

  /** One writer, with the number of its reported appends. */
  static final class Writer {
    final int number;
    final long key;
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    int blob;
    int document;
    boolean uncertain;

    Writer(int number, long key) {
      this.number = number;
      this.key = key;
    }

    byte[] record() {
      return Records.record(number, blob, Records.size(number, blob));
    }

    AppendOptions options() {
      return AppendOptions.defaults().withToken(token);
    }

    boolean usesToken() {
      return number % 4 == 0;
    }

    /** Appends to both in turn until this process or the server is killed. */
    void run(PgToaster toaster, Consumer<Writer> told) {
      BlobColumn blobs = toaster.blobs("item", "content");
      DocumentColumn documents = toaster.documents("item", "doc");
      while (true) {
        blobs.append(key, record(), options());
        blob++;
        token = token.next();
        told.accept(this);
        documents.at(key, "list").append(number + " " + document + " " + "x".repeat(document % 90));
        document++;
        told.accept(this);
        documents.at(key, "map.w" + number + "-" + document % 20).set("x".repeat(100));
        if (number == 0 && document % 5 == 0) {
          documents.compact(key);
        }
      }
    }
  }

  private PgToaster toaster() {
    return PgToaster.create(database.dataSource());
  }

  private void row(long key) {
    database.run("INSERT INTO item (id) VALUES (" + key + ")");
    toaster().documents("item", "doc").putJson(key, "{\"list\": [], \"map\": {}}");
  }

  @Test
  void killedServer_neitherLosesNorTearsNorRepeatsOperations() throws Exception {
    long appends = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      long key = 1000L + kill;
      row(key);
      AtomicInteger done = new AtomicInteger();
      List<Writer> writers = new ArrayList<>();
      List<Future<Integer>> running = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        Writer writer = new Writer(w, key);
        writers.add(writer);
        running.add(Wait.start(() -> untilKilled(writer, done)));
      }
      int killAfter = 1 + new Random(SEED + kill).nextInt(80);
      Wait.until("appends before the kill", () -> done.get() >= killAfter);
      ProcessHandle.of(postgres.pid()).orElseThrow().destroyForcibly();
      for (Future<Integer> future : running) {
        Wait.get(future);
      }
      Wait.until("the killed server has gone", () -> !postgres.isRunning());
      postgres.start();
      check("seed " + (SEED + kill), key, writers);
      retry("seed " + (SEED + kill), key, writers);
      appends += done.get();
    }
    Figures.add("KillIT#killedServer_neitherLosesNorTearsNorRepeatsOperations", "kills", KILLS);
    Figures.add(
        "KillIT#killedServer_neitherLosesNorTearsNorRepeatsOperations", "operations", appends);
  }

  private int untilKilled(Writer writer, AtomicInteger done) {
    try {
      writer.run(toaster(), told -> done.incrementAndGet());
    } catch (PgToasterException e) {
      assertThat(e.sqlState()).matches("(08|57).*");
    }
    return done.get();
  }

  /** Every fourth thread uses tokens; the appends of the others are combined. */
  @Test
  void killedServer_withThreadsOnOneHandle_neitherLosesNorRepeatsOperations() throws Exception {
    long appends = 0;
    long uncertain = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      String seed = "seed " + (SEED + kill);
      long key = 2_000_000L + kill;
      row(key);
      AtomicInteger done = new AtomicInteger();
      AtomicBoolean killed = new AtomicBoolean();
      List<Writer> writers = new ArrayList<>();
      List<Future<Integer>> running = new ArrayList<>();
      try (HikariDataSource pool = database.pool(COMBINED)) {
        pool.setConnectionTimeout(1000);
        BlobColumn blobs = PgToaster.create(pool).blobs("item", "content");
        for (int w = 0; w < COMBINED; w++) {
          Writer writer = new Writer(w, key);
          writers.add(writer);
          running.add(Wait.start(() -> appendUntil(killed, blobs, writer, done)));
        }
        int killAfter = 1 + new Random(SEED + kill).nextInt(1500);
        Wait.until("appends before the kill", () -> done.get() >= killAfter);
        ProcessHandle.of(postgres.pid()).orElseThrow().destroyForcibly();
        killed.set(true);
        Wait.until("the killed server has gone", () -> !postgres.isRunning());
        postgres.start(); // Appends with tokens are sent again.
        for (Future<Integer> future : running) {
          Wait.get(future);
        }
      }
      check(seed, key, writers);
      Map<Integer, Integer> records = Records.counts(content(key));
      for (Writer writer : writers) {
        if (writer.uncertain) {
          uncertain++;
        } else {
          assertThat(records.getOrDefault(writer.number, 0)).as(seed).isEqualTo(writer.blob);
        }
      }
      retry(seed, key, writers.stream().filter(Writer::usesToken).toList());
      appends += done.get();
    }
    String test = "KillIT#killedServer_withThreadsOnOneHandle_neitherLosesNorRepeatsOperations";
    Figures.add(test, "kills", KILLS);
    Figures.add(test, "operations", appends);
    Figures.add(test, "uncertain", uncertain);
  }

  private static int appendUntil(
      AtomicBoolean killed, BlobColumn blobs, Writer writer, AtomicInteger done) {
    try {
      while (!killed.get()) {
        AppendOptions options = writer.usesToken() ? writer.options() : AppendOptions.defaults();
        blobs.append(writer.key, writer.record(), options);
        writer.blob++;
        writer.token = writer.token.next();
        done.incrementAndGet();
      }
    } catch (OutcomeUnknownException e) {
      writer.uncertain = true;
    } catch (ConnectionLostException | ConnectionUnavailableException e) {
      // Nothing was appended.
    }
    return writer.blob;
  }

  /** Half of the threads use tokens. All of them append to the same rows. */
  @Test
  void killedServer_storesBatchesCompletelyOrNotAtAll() throws Exception {
    long batches = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      long first = 3_000_000L + (long) kill * BatchWriter.ROWS;
      List<Long> keys = LongStream.range(first, first + BatchWriter.ROWS).boxed().toList();
      toaster()
          .documents("item", "doc")
          .insertAll(keys.stream().collect(toMap(key -> key, key -> Map.of("list", List.of()))));
      AtomicInteger done = new AtomicInteger();
      AtomicBoolean killed = new AtomicBoolean();
      List<BatchWriter> writers =
          IntStream.range(0, WRITERS + 1).mapToObj(w -> new BatchWriter(w, keys)).toList();
      try (HikariDataSource pool = database.pool(writers.size())) {
        pool.setConnectionTimeout(1000);
        PgToaster pooled = PgToaster.create(pool);
        List<Future<Integer>> running = new ArrayList<>();
        for (BatchWriter writer : writers) {
          running.add(
              Wait.start(
                  () -> {
                    writer.run(
                        pooled.blobs("item", "content"),
                        pooled.documents("item", "doc"),
                        done,
                        killed::get);
                    return done.get();
                  }));
        }
        int killAfter = 1 + new Random(SEED + kill).nextInt(80);
        Wait.until("batches before the kill", () -> done.get() >= killAfter);
        ProcessHandle.of(postgres.pid()).orElseThrow().destroyForcibly();
        killed.set(true);
        Wait.until("the killed server has gone", () -> !postgres.isRunning());
        postgres.start(); // Appends with tokens are sent again.
        for (Future<Integer> future : running) {
          Wait.get(future);
        }
      }
      checkBatches(keys, writers);
      batches += done.get();
    }
    String test = "KillIT#killedServer_storesBatchesCompletelyOrNotAtAll";
    Figures.add(test, "kills", KILLS);
    Figures.add(test, "batches", batches);
  }

  private void checkBatches(List<Long> keys, List<BatchWriter> writers) {
    BlobColumn blobs = toaster().blobs("item", "content");
    DocumentColumn documents = toaster().documents("item", "doc");
    Map<Long, Map<Integer, Integer>> records = new HashMap<>();
    Map<Long, Map<Integer, Integer>> entries = new HashMap<>();
    for (long key : keys) {
      records.put(key, Records.counts(content(key)));
      entries.put(key, new HashMap<>());
      for (JsonNode entry : documents.at(key, "list").get().orElseThrow()) {
        String[] words = entry.stringValue().split(" ", -1);
        int before = entries.get(key).merge(Integer.valueOf(words[0]), 1, Integer::sum) - 1;
        assertThat(words[1]).as("an entry of row %d", key).isEqualTo("" + before);
      }
      if (!records.get(key).isEmpty()) {
        assertThat(blobs.verify(key)).isEmpty();
      }
      assertThat(documents.verify(key)).isEmpty();
    }
    for (BatchWriter writer : writers) {
      writer.check(
          key -> records.get(key).getOrDefault(writer.number(), 0),
          key -> entries.get(key).getOrDefault(writer.number(), 0),
          rows -> documents.textAll(rows, DocumentPath.root()).size());
      writer.retry(blobs, key -> records.get(key).getOrDefault(writer.number(), 0));
    }
    assertThat(orphans()).isEmpty();
  }

  @Test
  void killedClient_neitherLosesNorTearsNorRepeatsOperations() throws Exception {
    long appends = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      long key = 1_000_000L + kill;
      row(key);
      List<Writer> writers = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        writers.add(new Writer(w, key));
      }
      int killAfter = 1 + new Random(SEED + kill).nextInt(80);
      Process client = SmallJvm.start(64, Client.class, database, key);
      List<String> odd = new ArrayList<>();
      int told = 0;
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          // The last line may be cut.
          if (line.matches("\\d \\d+ \\d+;")) {
            String[] words = line.replace(";", "").split(" ", -1);
            Writer writer = writers.get(Integer.parseInt(words[0]));
            writer.blob = Integer.parseInt(words[1]);
            writer.document = Integer.parseInt(words[2]);
            told++;
          } else {
            odd.add(line);
          }
          if (told >= killAfter) {
            client.toHandle().destroyForcibly(); // Process.destroyForcibly would close the stream.
          }
        }
      }
      assertThat(told).as("%s", odd).isGreaterThanOrEqualTo(killAfter);
      client.waitFor();
      // The server may execute the last statement until its session ends.
      database.awaitNumber(
          "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + Client.NAME + "'",
          n -> n == 0);
      check("seed " + (SEED + kill), key, writers);
      appends += told;
    }
    Figures.add("KillIT#killedClient_neitherLosesNorTearsNorRepeatsOperations", "kills", KILLS);
    Figures.add(
        "KillIT#killedClient_neitherLosesNorTearsNorRepeatsOperations", "operations", appends);
  }

  private byte[] content(long key) {
    BlobColumn blobs = toaster().blobs("item", "content");
    return blobs.info(key).isEmpty()
        ? new byte[0]
        : blobs.read(key, 0, Math.toIntExact(blobs.length(key)));
  }

  private void check(String seed, long key, List<Writer> writers) {
    // Counting fails unless all records are complete, in order and not repeated.
    Map<Integer, Integer> records = Records.counts(content(key));
    List<String> entries =
        toaster()
            .documents("item", "doc")
            .at(key, "list")
            .get()
            .orElseThrow()
            .valueStream()
            .map(entry -> entry.stringValue())
            .toList();
    assertThat(new HashSet<>(entries)).as(seed).hasSameSizeAs(entries);
    Map<Integer, Integer> counts = new HashMap<>();
    for (String entry : entries) {
      String[] words = entry.split(" ", -1);
      int number = counts.merge(Integer.valueOf(words[0]), 1, Integer::sum) - 1;
      assertThat(words[1]).as(seed).isEqualTo("" + number);
      assertThat(entry.length())
          .as(seed)
          .isEqualTo(words[0].length() + words[1].length() + 2 + number % 90);
    }
    for (Writer writer : writers) {
      assertThat(records.getOrDefault(writer.number, 0))
          .as("%s, records of writer %d", seed, writer.number)
          .isBetween(writer.blob, writer.blob + 1);
      assertThat(counts.getOrDefault(writer.number, 0))
          .as("%s, entries of writer %d", seed, writer.number)
          .isBetween(writer.document, writer.document + 1);
    }
    assertThat(toaster().blobs("item", "content").verify(key)).as(seed).isEmpty();
    assertThat(toaster().documents("item", "doc").verify(key)).as(seed).isEmpty();
    assertThat(orphans()).as(seed).isEmpty();
  }

  /** Sends the interrupted append again; it is stored once. */
  private void retry(String seed, long key, List<Writer> writers) {
    Map<Integer, Integer> before = Records.counts(content(key));
    BlobColumn blobs = toaster().blobs("item", "content");
    for (Writer writer : writers) {
      boolean landed = before.getOrDefault(writer.number, 0) > writer.blob;
      assertThat(blobs.append(key, writer.record(), writer.options()).repeated())
          .as(seed)
          .isEqualTo(landed);
    }
    Map<Integer, Integer> after = Records.counts(content(key));
    for (Writer writer : writers) {
      assertThat(after.get(writer.number)).as(seed).isEqualTo(writer.blob + 1);
    }
  }

  private List<String> orphans() {
    return database.strings(
        """
        SELECT 'blob ' || id FROM pgtoaster.store_1_head WHERE id NOT IN (SELECT content FROM item WHERE content IS NOT NULL)
        UNION ALL SELECT 'chunk of ' || blob_id FROM pgtoaster.store_1_chunk WHERE blob_id NOT IN (SELECT id FROM pgtoaster.store_1_head)
        UNION ALL SELECT 'piece of ' || blob_id FROM pgtoaster.store_1_piece WHERE blob_id NOT IN (SELECT id FROM pgtoaster.store_1_head)
        UNION ALL SELECT 'token of ' || blob_id FROM pgtoaster.store_1_token WHERE blob_id NOT IN (SELECT id FROM pgtoaster.store_1_head)
        UNION ALL SELECT 'document ' || h.id FROM pgtoaster.store_2_head h
          WHERE NOT EXISTS (SELECT FROM item i WHERE i.doc #>> '{$pgtoaster,0}' = CAST(h.id AS text))
        UNION ALL SELECT 'node of ' || doc FROM pgtoaster.store_2_node WHERE doc NOT IN (SELECT id FROM pgtoaster.store_2_head)
        """);
  }

  /** A client that appends until it is killed, and prints each reported append. */
  static final class Client {
    static final String NAME = "killed client";

    private Client() {}

    public static void main(String[] args) throws Exception {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(args[0]);
      source.setUser(args[1]);
      source.setPassword(SmallJvm.password());
      source.setApplicationName(NAME);
      for (int w = 0; w < WRITERS; w++) {
        Writer writer = new Writer(w, Long.parseLong(args[2]));
        new Thread(() -> writer.run(PgToaster.create(source), Client::tell)).start();
      }
    }

    private static synchronized void tell(Writer writer) {
      System.out.println(writer.number + " " + writer.blob + " " + writer.document + ";");
    }
  }
}
