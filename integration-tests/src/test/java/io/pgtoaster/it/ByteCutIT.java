package io.pgtoaster.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendToken;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.ByteCuttingProxy;
import io.pgtoaster.it.kit.ByteCuttingProxy.Way;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Twenty operations on a blob and a document whose connection is cut behind some byte, on its way
 * to the server or back: in one transaction all or none of them are done, each on its own those
 * that were reported and at most one more. The property pgtoaster.test.cuts says how many bytes are
 * tried; {@code all} tries every one.
 */
@ParameterizedClass(name = "{1}, {2}, {0}")
@MethodSource("settings")
class ByteCutIT {
  private static final String CUTS = System.getProperty("pgtoaster.test.cuts", "20");
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_122);
  private static final String NAME = "byte cut";
  private static final AppendToken TOKEN = new AppendToken(AppendToken.newWriter(), 1);
  private static final String DOCUMENT =
      "{\"n\": 1, \"deep\": {\"a\": [1, 2]}, \"list\": %s}"
          .formatted(IntStream.range(0, 40).mapToObj(i -> "\"entry no. " + i + "\"").toList());

  /** One operation. */
  interface Step {
    void on(BlobColumn blobs, DocumentColumn documents, long key);
  }

  private static final List<Step> STEPS =
      List.of(
          (b, d, key) -> b.append(key, Bytes.text(1, 10)),
          (b, d, key) -> d.set(key, "n", 2),
          (b, d, key) -> b.append(key, Bytes.text(2, 2000)),
          (b, d, key) -> d.append(key, "list", "last"),
          (b, d, key) -> b.append(key, Bytes.text(3, 500), AppendOptions.defaults().token(TOKEN)),
          (b, d, key) -> d.insert(key, "list[0]", "first"),
          (b, d, key) -> b.append(key, Bytes.text(4, 10_000)),
          (b, d, key) -> d.increment(key, "n", 5),
          (b, d, key) -> b.read(key, 100, 200),
          (b, d, key) -> d.get(key, "list[3]"),
          (b, d, key) -> b.write(key, 50, Bytes.text(5, 300)),
          (b, d, key) -> d.set(key, "list[3]", "changed"),
          (b, d, key) -> b.truncate(key, 9000),
          (b, d, key) -> d.remove(key, "list[1]"),
          (b, d, key) -> b.append(key, Bytes.text(6, 30)),
          (b, d, key) -> d.merge(key, Map.of("more", "m", "deep", Map.of("b", 3))),
          (b, d, key) -> b.length(key),
          (b, d, key) -> d.append(key, "deep.a", 3),
          (b, d, key) -> b.append(key, Bytes.text(7, 10)),
          (b, d, key) -> d.compact(key));

  @Parameter(0)
  Setting setting;

  @Parameter(1)
  boolean oneTransaction;

  @Parameter(2)
  Way way;

  private Fixture fx;
  private ByteCuttingProxy proxy;
  private DocumentColumn documents;
  private List<String> states;
  private long runs;

  static Stream<Arguments> settings() {
    return Setting.newestByBoth().stream()
        .flatMap(
            setting ->
                Stream.of(true, false)
                    .flatMap(
                        one ->
                            Stream.of(Way.values()).map(way -> Arguments.of(setting, one, way))));
  }

  @AfterEach
  void close() throws Exception {
    proxy.close();
    fx.close();
  }

  @Test
  void connectionCutBehindAnyByte_leavesWhatWasReported() throws Exception {
    fx = new Fixture(setting, ColumnSpec.appendable("{}"));
    proxy = new ByteCuttingProxy(fx.database().server().postgres().port());
    fx.database()
        .run(
            "ALTER TABLE item ADD COLUMN doc jsonb",
            "SELECT pgtoaster.attach('item', 'doc', 'keyed', '{\"row_budget\": 256, \"leaf_size\": 512}')");
    documents = door(PgToaster.create(fx.pool())).documents("item", "doc");
    states = states();
    long bytes = run(ByteCuttingProxy.NEVER);
    assertThat(bytes).isGreaterThan(3000);
    for (long at : positions(bytes)) {
      run(at);
    }
    assertThat(fx.orphans()).isEmpty();
    Figures.add("ByteCutIT#connectionCutBehindAnyByte_leavesWhatWasReported", "cuts", runs - 1);
  }

  private static List<Long> positions(long bytes) {
    List<Long> all = new ArrayList<>(LongStream.rangeClosed(1, bytes).boxed().toList());
    if (CUTS.equals("all")) {
      return all;
    }
    Collections.shuffle(all, new Random(SEED));
    return all.subList(0, Integer.parseInt(CUTS));
  }

  private PgToaster door(PgToaster door) {
    return setting.extension() ? door : door.withoutExtension();
  }

  /** A row whose contents are as before the first operation. */
  private long row() {
    long key = 1_000_000 + runs++;
    fx.database().run("INSERT INTO item (id) VALUES (" + key + ")");
    fx.own().append(key, Bytes.text(0, 500));
    documents.put(key, DOCUMENT);
    return key;
  }

  private List<String> states() {
    long key = row();
    List<String> all = new ArrayList<>(List.of(state(key)));
    for (Step step : STEPS) {
      step.on(fx.own(), documents, key);
      all.add(state(key));
    }
    return all;
  }

  private String state(long key) {
    byte[] content = fx.own().read(key, 0, 100_000);
    MessageDigest digest = Bytes.sha256();
    digest.update(content);
    return content.length + " " + Bytes.hex(digest) + " " + documents.text(key).orElseThrow();
  }

  /** Runs all operations; returns how many bytes went the way. */
  private long run(long at) throws Exception {
    long key = row();
    List<String> expected = oneTransaction ? inOneTransaction(key, at) : eachOnItsOwn(key, at);
    long bytes = proxy.count();
    proxy.disarm();
    // What was delivered is done when its session has ended, and perhaps not before.
    fx.database()
        .awaitNumber(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + NAME + "'",
            n -> n == 0);
    String where = "cut behind byte " + at;
    assertThat(state(key)).as(where).isIn(expected);
    assertThat(fx.own().verify(key)).as(where).isEmpty();
    assertThat(documents.verify(key)).as(where).isEmpty();
    fx.database().run("DELETE FROM item WHERE id = " + key);
    return bytes;
  }

  private PGSimpleDataSource source() {
    PGSimpleDataSource source =
        fx.database().dataSource(fx.database().server().postgres().user(), proxy.port());
    source.setApplicationName(NAME);
    return source;
  }

  /** Returns the states that the row may be in. */
  private List<String> inOneTransaction(long key, long at) throws SQLException {
    boolean committing = false;
    try (Connection connection = source().getConnection()) {
      connection.setAutoCommit(false);
      BlobColumn blobs = door(PgToaster.on(connection)).blobs("item", "content");
      DocumentColumn on = door(PgToaster.on(connection)).documents("item", "doc");
      blobs.length(key);
      on.type(key, "n");
      connection.commit();
      proxy.arm(way, at);
      for (Step step : STEPS) {
        step.on(blobs, on, key);
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

  /** The same; reads are run again on the next connection. */
  private List<String> eachOnItsOwn(long key, long at) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source());
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      BlobColumn blobs = door(PgToaster.create(pool)).blobs("item", "content");
      DocumentColumn own = door(PgToaster.create(pool)).documents("item", "doc");
      blobs.length(key);
      own.type(key, "n");
      proxy.arm(way, at);
      for (int done = 0; done < STEPS.size(); done++) {
        try {
          STEPS.get(done).on(blobs, own, key);
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
