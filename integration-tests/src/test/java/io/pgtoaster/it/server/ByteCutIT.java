package io.pgtoaster.it.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.ByteCuttingProxy;
import io.pgtoaster.it.kit.ByteCuttingProxy.Way;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Twenty operations on a blob and a document, whose connection is cut after some byte to or from
 * the server. In one transaction, either all or none of them take effect. In separate transactions,
 * the reported ones and at most one more take effect. The property pgtoaster.test.cuts sets the
 * number of bytes to try; {@code all} tries every one. To keep the number of bytes small, the
 * contents are small, and the session prepares its statements before bytes are counted. Most of the
 * cost of a cut is its session, so the session does not prepare operations that come after the cut.
 */
@Tag("ci")
@Tag("turn-2")
@ParameterizedClass(name = "{1}, {2}, {0}")
@MethodSource("settings")
class ByteCutIT {
  private static final String CUTS = System.getProperty("pgtoaster.test.cuts", "20");
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_122);

  /**
   * The number of parallel cuts, each with a server session. This is enough to keep two cores busy.
   */
  private static final int CUTTERS = CUTS.equals("all") ? 2 : 1;

  private static final AppendToken TOKEN = new AppendToken(AppendToken.newWriter(), 1);

  /** A list with two leaves, and a blob whose tail does not have room for the third append. */
  private static final String DOCUMENT =
      "{\"n\": 1, \"deep\": {\"a\": [1, 2]}, \"list\": %s}"
          .formatted(IntStream.range(0, 40).mapToObj(i -> "\"entry no. " + i + "\"").toList());

  private static final String BLOB_OPTIONS = "{\"chunk_size\": 512, \"tail\": 16}";
  private static final String OPTIONS = "{\"row_budget\": 256, \"leaf_size\": 512}";

  /** Conversations differ by up to this many bytes, because numbers grow. */
  private static final long NEARLY = 100;

  interface Step {
    void on(BlobColumn blobs, DocumentColumn documents, long key);
  }

  private static final List<Step> STEPS =
      List.of(
          (b, d, key) -> b.append(key, Bytes.text(1, 3)),
          (b, d, key) -> d.at(key, "n").set(2),
          (b, d, key) -> b.append(key, Bytes.text(2, 40)),
          (b, d, key) -> d.at(key, "list").append("last"),
          (b, d, key) -> b.append(key, Bytes.text(3, 9), AppendOptions.defaults().withToken(TOKEN)),
          (b, d, key) -> d.at(key, "list[0]").insert("first"),
          (b, d, key) -> b.append(key, Bytes.text(4, 600)),
          (b, d, key) -> d.at(key, "n").increment(5),
          (b, d, key) -> b.read(key, 500, 20),
          (b, d, key) -> d.at(key, "list[3]").get(),
          (b, d, key) -> b.write(key, 520, Bytes.text(5, 20)),
          (b, d, key) -> d.at(key, "list[3]").set("changed"),
          (b, d, key) -> b.truncate(key, 600),
          (b, d, key) -> d.at(key, "list[1]").remove(),
          (b, d, key) -> b.append(key, Bytes.text(6, 5)),
          (b, d, key) -> d.merge(key, Map.of("deep", Map.of("b", 3))),
          (b, d, key) -> b.length(key),
          (b, d, key) -> d.at(key, "deep.a").append(3),
          (b, d, key) -> b.append(key, Bytes.text(7, 3)),
          (b, d, key) -> d.compact(key));

  @Parameter(0)
  Setting setting;

  @Parameter(1)
  boolean oneTransaction;

  @Parameter(2)
  Way way;

  @AutoClose private Fixture fx;
  private DocumentColumn documents;
  private List<String> states;
  private final AtomicLong rows = new AtomicLong();

  static Stream<Arguments> settings() {
    return Setting.newestByBoth().stream()
        .flatMap(
            setting ->
                Stream.of(true, false)
                    .flatMap(
                        one ->
                            Stream.of(Way.values()).map(way -> Arguments.of(setting, one, way))));
  }

  @BeforeEach
  void open() {
    fx = new Fixture(setting, ColumnSpec.appendable(BLOB_OPTIONS));
    fx.run(
        "ALTER TABLE item ADD COLUMN doc jsonb",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed', '" + OPTIONS + "')");
    documents = pgToaster(PgToaster.create(fx.pool())).documents("item", "doc");
  }

  @Test
  void connectionCutAfterAnyByte_keepsReportedChanges() throws Exception {
    AtomicInteger next = new AtomicInteger();
    AtomicLong cuts = new AtomicLong();
    long began;
    long bytes;
    try (Cutter cutter = new Cutter()) {
      states = states(cutter);
      bytes = cutter.bytes();
      assertThat(bytes).isGreaterThan(1000);
      began = System.nanoTime();
      List<Long> positions = positions(bytes);
      List<Future<Long>> others = new ArrayList<>();
      for (int i = 1; i < CUTTERS; i++) {
        others.add(Wait.start(() -> cutWithAnother(positions, next, cuts)));
      }
      cutAll(cutter, positions, next, cuts);
      for (Future<Long> other : others) {
        Wait.get(other, Duration.ofHours(1));
      }
      // The next conversation may be a few bytes longer, because numbers grow.
      for (long at = bytes + 1; CUTS.equals("all") && cutter.run(at); at++) {
        cuts.incrementAndGet();
      }
    }
    System.out.printf(
        "%s, %s, %s: %d bytes, %d cuts, %d ms each%n",
        setting,
        oneTransaction ? "one transaction" : "each on its own",
        way,
        bytes,
        cuts.get(),
        (System.nanoTime() - began) / 1_000_000 / Math.max(1, cuts.get()));
    fx.run("DELETE FROM item");
    assertThat(fx.orphans()).isEmpty();
    Figures.add("ByteCutIT#connectionCutAfterAnyByte_keepsReportedChanges", "cuts", cuts.get());
  }

  private long cutWithAnother(List<Long> positions, AtomicInteger next, AtomicLong cuts)
      throws Exception {
    try (Cutter cutter = new Cutter()) {
      long bytes = cutter.bytes();
      cutAll(cutter, positions, next, cuts);
      return bytes;
    }
  }

  private static void cutAll(
      Cutter cutter, List<Long> positions, AtomicInteger next, AtomicLong cuts) throws Exception {
    for (int i = next.getAndIncrement(); i < positions.size(); i = next.getAndIncrement()) {
      cuts.addAndGet(cutter.run(positions.get(i)) ? 1 : 0);
    }
  }

  private static List<Long> positions(long bytes) {
    List<Long> all = new ArrayList<>(LongStream.rangeClosed(1, bytes).boxed().toList());
    if (CUTS.equals("all")) {
      return all;
    }
    Collections.shuffle(all, new Random(SEED));
    return all.subList(0, Integer.parseInt(CUTS));
  }

  private PgToaster pgToaster(PgToaster pgToaster) {
    return setting.extension() ? pgToaster : pgToaster.withoutExtension();
  }

  private List<String> states(Cutter cutter) throws SQLException {
    long key = cutter.row();
    List<String> all = new ArrayList<>(List.of(state(key)));
    for (Step step : STEPS) {
      step.on(fx.own(), documents, key);
      all.add(state(key));
    }
    return all;
  }

  private String state(long key) {
    return new String(fx.own().read(key, 0, 10_000), US_ASCII) + documents.text(key).orElseThrow();
  }

  private void verify(long key) {
    assertThat(fx.own().verify(key)).isEmpty();
    assertThat(documents.verify(key)).isEmpty();
  }

  /** Runs conversations through a separate proxy, one after another. */
  private final class Cutter implements AutoCloseable {
    private final ByteCuttingProxy proxy =
        new ByteCuttingProxy(fx.database().server().postgres().port());

    /**
     * All cuts share one pool, because closing a pool that evicts a connection sometimes takes ten
     * seconds.
     */
    private final HikariDataSource pool;

    private final Connection plain = fx.database().connect();
    private final BlobColumn cutBlobs;
    private final DocumentColumn cutDocuments;

    /** The number of bytes at the start of each operation. */
    private final long[] begins = new long[STEPS.size()];

    /** A row in its initial state, or null. */
    private Long fresh;

    Cutter() throws Exception {
      HikariConfig config = new HikariConfig();
      config.setDataSource(source());
      config.setMaximumPoolSize(1);
      config.setMinimumIdle(0);
      pool = new HikariDataSource(config);
      cutBlobs = pgToaster(PgToaster.create(pool)).blobs("item", "content");
      cutDocuments = pgToaster(PgToaster.create(pool)).documents("item", "doc");
    }

    /** Returns the number of bytes of the second conversation, which does not look up metadata. */
    long bytes() throws Exception {
      assertThat(run(ByteCuttingProxy.NEVER)).isFalse();
      assertThat(run(ByteCuttingProxy.NEVER)).isFalse();
      return proxy.count();
    }

    @Override
    public void close() throws IOException, SQLException {
      if (fresh != null) {
        verify(fresh);
      }
      pool.close();
      proxy.close();
      plain.close();
    }

    /** Creates a row with the content before the first operation. */
    private long row() throws SQLException {
      long key = 1_000_000 + rows.getAndIncrement();
      Sql.run(plain, "INSERT INTO item (id) VALUES (" + key + ")");
      fx.own().append(key, Bytes.text(0, 400));
      documents.putJson(key, DOCUMENT);
      return key;
    }

    /** Runs all operations; returns whether the connection was cut. */
    private boolean run(long at) throws Exception {
      long key = fresh == null ? row() : fresh;
      List<String> expected = oneTransaction ? inOneTransaction(key, at) : eachOnItsOwn(key, at);
      // After the session has ended, the server has certainly executed all delivered messages.
      boolean cut = proxy.awaitCut();
      String state = state(key);
      assertThat(state).as("cut after byte " + at).isIn(expected);
      fresh = state.equals(states.get(0)) ? key : null;
      // An unchanged row is used again, and verified later.
      if (fresh == null) {
        verify(key);
        Sql.run(plain, "DELETE FROM item WHERE id = " + key);
      }
      return cut;
    }

    private PGSimpleDataSource source() {
      PGSimpleDataSource source =
          fx.database().dataSource(fx.database().server().postgres().user(), proxy.port());
      source.setPrepareThreshold(1);
      source.setAssumeMinServerVersion("12");
      return source;
    }

    /** Prepares the statements before the cut in the session; changes nothing. */
    private void prepare(Connection connection, long key, long at) throws SQLException {
      connection.setAutoCommit(false);
      BlobColumn blobs = cutBlobs.on(connection);
      DocumentColumn on = cutDocuments.on(connection);
      for (int i = 0; i < STEPS.size() && begins[i] - NEARLY < at; i++) {
        STEPS.get(i).on(blobs, on, key);
      }
      blobs.length(key);
      on.at(key, "n").type();
      connection.rollback();
    }

    /** Starts a step; returns its operation. */
    private Step step(int number, long at) {
      if (at == ByteCuttingProxy.NEVER) {
        begins[number] = proxy.count();
      }
      return STEPS.get(number);
    }

    /** Returns the possible states of the row. */
    private List<String> inOneTransaction(long key, long at) throws SQLException {
      boolean committing = false;
      try (Connection connection = source().getConnection()) {
        prepare(connection, key, at);
        BlobColumn blobs = cutBlobs.on(connection);
        DocumentColumn on = cutDocuments.on(connection);
        proxy.arm(way, at);
        for (int i = 0; i < STEPS.size(); i++) {
          step(i, at).on(blobs, on, key);
        }
        committing = true;
        connection.commit();
        return List.of(states.get(STEPS.size()));
      } catch (PgToasterException e) {
        assertThat(e.sqlState()).startsWith("08");
      } catch (SQLException e) {
        assertThat(e.getSQLState()).startsWith("08");
      }
      return committing ? List.of(states.get(0), states.get(STEPS.size())) : List.of(states.get(0));
    }

    /** The same with separate transactions; reads are retried on the next connection. */
    private List<String> eachOnItsOwn(long key, long at) throws SQLException {
      // The previously cut connection may still look valid.
      pool.getHikariPoolMXBean().softEvictConnections();
      try (Connection connection = pool.getConnection()) {
        prepare(connection, key, at);
      }
      proxy.arm(way, at);
      for (int done = 0; done < STEPS.size(); done++) {
        try {
          step(done, at).on(cutBlobs, cutDocuments, key);
        } catch (PgToasterException e) {
          assertThat(e.sqlState()).startsWith("08");
          return e instanceof ConnectionLostException
              ? List.of(states.get(done))
              : List.of(states.get(done), states.get(done + 1));
        }
      }
      return List.of(states.get(STEPS.size()));
    }
  }
}
