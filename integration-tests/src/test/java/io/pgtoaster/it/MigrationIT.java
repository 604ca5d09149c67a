package io.pgtoaster.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Migration;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The way of existing columns to toasters, and back. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("versions")
class MigrationIT {
  private static final String PLAIN =
      "CREATE TABLE rec (region text, id bigint, n integer DEFAULT 0, audio bytea, memo text, meta"
          + " json, snap oid, PRIMARY KEY (region, id))";

  @Parameter int version;

  private Database database;
  private PgToaster toaster;

  static Stream<Integer> versions() {
    return PostgresServers.sampled().stream();
  }

  @BeforeEach
  void open() {
    database = PostgresServers.shared(version).database();
    toaster = PgToaster.create(database.dataSource());
    toaster.catalog().install();
  }

  /** 60 rows: NULL, empty, small, and some larger than what is copied at once. */
  private void table(String definition) {
    database.run(definition);
    database.run(
        "INSERT INTO rec (region, id, audio, memo, meta, snap) SELECT CASE WHEN g % 2 = 0 THEN"
            + " 'north' ELSE 'south' END, g, CASE WHEN g % 7 > 0 THEN convert_to(repeat('audio' ||"
            + " g, (g - 1) * 50), 'UTF8') END, CASE WHEN g % 5 > 0 THEN repeat('memo é' || g, (g -"
            + " 1) * 9) END, CASE WHEN g % 3 > 0 THEN json_build_object('n', g, 'text', repeat('x',"
            + " g * 300)) END, CASE WHEN g % 4 = 0 THEN lo_from_bytea(0, convert_to(repeat('lo' ||"
            + " g, g * 90), 'UTF8')) END FROM generate_series(1, 60) g");
    database.run(
        "UPDATE rec SET audio = convert_to(repeat('0123456789', 500000), 'UTF8') WHERE id = 59");
    database.run("CREATE TABLE original AS SELECT * FROM rec");
  }

  private Migration migration(String column) {
    return toaster.catalog().migration(null, "rec", column);
  }

  private static void all(Migration migration) throws InterruptedException {
    migration.run(Migration.Limits.none(), progress -> {});
    migration.finish();
  }

  private String value(String sql) {
    try (Connection c = database.dataSource().getConnection();
        Statement s = c.createStatement();
        ResultSet r = s.executeQuery(sql)) {
      r.next();
      return String.valueOf(r.getString(1));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void assertSame(String expression, String original) {
    assertThat(
            value(
                "SELECT count(*) FROM rec r FULL JOIN original o USING (region, id) WHERE ("
                    + expression
                    + ") IS DISTINCT FROM ("
                    + original
                    + ")"))
        .isEqualTo("0");
  }

  @ParameterizedTest
  @CsvSource({
    "audio, , pgtoaster.bytes(r.audio), o.audio, r.audio",
    "memo, , 'convert_from(pgtoaster.bytes(r.memo), ''UTF8'')', o.memo, r.memo",
    "snap, oid, pgtoaster.bytes(r.snap), lo_get(o.snap), lo_get(r.snap)",
    "meta, , pgtoaster.expand(r.meta), o.meta::jsonb, r.meta"
  })
  void thereAndBack(
      String column, @Nullable String back, String there, String original, String plain)
      throws Exception {
    table(PLAIN);
    Migration migration = migration(column);
    migration.begin(null, Map.of());
    all(migration);
    assertSame(there, original);
    migration.drop();
    migration.beginBack(back);
    all(migration);
    assertSame(plain, original);
    if (!column.equals("meta")) {
      migration.drop();
    }
    assertThat(value("SELECT count(*) FROM pgtoaster.store")).isEqualTo("0");
    assertThat(value("SELECT count(*) FROM pg_class WHERE relname ~ '^store_[0-9]'"))
        .isEqualTo("0");
    assertThat(value("SELECT count(*) FROM pg_proc WHERE proname ~ '^store_[0-9]'")).isEqualTo("0");
    assertThat(value("SELECT count(*) FROM pg_trigger WHERE tgname ~ 'pgtoaster_'")).isEqualTo("0");
  }

  @Test
  void partitionsLeadingKeyAndChecksums() throws Exception {
    database.run(
        PLAIN
            + " PARTITION BY LIST (region); CREATE TABLE rec_south PARTITION OF rec FOR VALUES IN"
            + " ('south')");
    table("CREATE TABLE rec_others PARTITION OF rec DEFAULT");
    Migration migration = migration("audio");
    migration.begin(null, Map.of("leading_key", "region", "crc32c", "true"));
    migration.step(1);
    migration.step(1000);
    database.run("UPDATE rec SET region = 'west' WHERE id IN (1, 2, 57, 58)");
    database.run("UPDATE original SET region = 'west' WHERE id IN (1, 2, 57, 58)");
    all(migration);
    assertSame("pgtoaster.bytes(r.audio)", "o.audio");
    migration.drop();
    migration.beginBack(null);
    all(migration);
    assertSame("r.audio", "o.audio");
  }

  /** The library over the stock column goes on, through the exchange, over the attached one. */
  @Test
  void anApplicationOnTheToasterDefault_goesOn() throws Exception {
    database.run("CREATE TABLE rec (id bigint PRIMARY KEY, audio bytea)");
    database.run("INSERT INTO rec VALUES (1, 'first')");
    BlobColumn blobs = toaster.blobs("rec", "audio");
    blobs.append(1, " before".getBytes(UTF_8));
    Migration migration = migration("audio");
    migration.begin(null, Map.of());
    migration.run(Migration.Limits.none(), progress -> {});
    blobs.append(1, " between".getBytes(UTF_8));
    migration.finish();
    blobs.append(1, " behind".getBytes(UTF_8));
    assertThat(new String(blobs.read(1, 0, 100), UTF_8)).isEqualTo("first before between behind");
  }

  /** A workload that inserts, changes, moves and deletes goes on from the beginning to the end. */
  @ParameterizedTest
  @CsvSource({"audio", "memo"})
  void underAWorkload(String column) throws Exception {
    table(PLAIN);
    AtomicBoolean end = new AtomicBoolean();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread writer =
        new Thread(
            () -> {
              try (Connection c = database.dataSource().getConnection();
                  Statement s = c.createStatement()) {
                Random random = new Random(5);
                while (!end.get()) {
                  write(s, random, column);
                }
              } catch (SQLException e) {
                failure.set(e);
              }
            });
    writer.start();
    Migration migration = migration(column);
    try {
      migration.begin(null, Map.of());
      migration.run(Migration.Limits.none().withRate(2_000_000), progress -> {});
    } finally {
      end.set(true);
      writer.join();
    }
    assertThat(failure.get()).isNull();
    // What the workload did last, too.
    database.run("UPDATE rec SET " + column + " = 'end' WHERE id = 3");
    database.run("DROP TABLE original; CREATE TABLE original AS SELECT * FROM rec");
    migration.finish();
    assertSame(
        column.equals("audio")
            ? "pgtoaster.bytes(r.audio)"
            : "convert_from(pgtoaster.bytes(r.memo), 'UTF8')",
        "o." + column);
  }

  private static void write(Statement s, Random random, String column) throws SQLException {
    int id = 1 + random.nextInt(80);
    switch (random.nextInt(6)) {
      case 0 ->
          s.execute(
              "INSERT INTO rec (region, id, "
                  + column
                  + ") VALUES ('east', "
                  + id
                  + ", 'new') ON CONFLICT DO NOTHING");
      case 1 -> s.execute("DELETE FROM rec WHERE region = 'east' AND id = " + id);
      case 2 -> s.execute("UPDATE rec SET n = n + 1 WHERE id = " + id);
      case 3 -> s.execute("UPDATE rec SET " + column + " = NULL WHERE id = " + id);
      default ->
          s.execute(
              "UPDATE rec SET "
                  + column
                  + " = coalesce("
                  + column
                  + ", '') || 'more' WHERE id = "
                  + id);
    }
  }

  /** The session that migrates is ended in each phase; whoever comes next goes on. */
  @Test
  void killedInEachPhase_goesOn() throws Exception {
    table(PLAIN);
    Migration migration = migration("audio");
    migration.begin(null, Map.of());
    for (int killed = 0; killed < 12; killed++) {
      try (Connection c = database.dataSource().getConnection();
          Statement s = c.createStatement()) {
        c.setAutoCommit(false);
        s.execute("SELECT * FROM pgtoaster.migrate_step('rec', 'audio', 1000)");
        database.run("SELECT pg_terminate_backend(" + pid(s) + ")");
        assertThatThrownBy(c::commit).isInstanceOf(SQLException.class);
      }
      migration.step(40_000);
    }
    migration.begin(null, Map.of());
    migration.run(Migration.Limits.none(), progress -> {});
    try (Connection c = database.dataSource().getConnection();
        Statement s = c.createStatement()) {
      c.setAutoCommit(false);
      s.execute("SELECT pgtoaster.migrate_finish('rec', 'audio')");
      database.run("SELECT pg_terminate_backend(" + pid(s) + ")");
      assertThatThrownBy(c::commit).isInstanceOf(SQLException.class);
    }
    migration.finish();
    assertSame("pgtoaster.bytes(r.audio)", "o.audio");
  }

  private static int pid(Statement s) throws SQLException {
    try (ResultSet r = s.executeQuery("SELECT pg_backend_pid()")) {
      r.next();
      return r.getInt(1);
    }
  }

  @Test
  void appendsWhileItGoesBack() throws Exception {
    database.run("CREATE TABLE rec (id bigint PRIMARY KEY)");
    toaster.catalog().attach("rec", "audio", BlobOptions.defaults());
    database.run("INSERT INTO rec SELECT generate_series(1, 20)");
    database.run(
        "SELECT pgtoaster.blob_append('rec', 'audio', id, 'first') FROM rec WHERE id < 19");
    Migration migration = migration("audio");
    migration.beginBack(null);
    migration.run(Migration.Limits.none(), progress -> {});
    database.run(
        "SELECT pgtoaster.blob_append('rec', 'audio', 1, 'more'), pgtoaster.blob_write('rec',"
            + " 'audio', 2, 0, 'F'), pgtoaster.blob_append('rec', 'audio', 20, 'late')");
    database.run("UPDATE rec SET audio = NULL WHERE id = 3");
    migration.finish();
    assertThat(
            value(
                "SELECT string_agg(id || coalesce(convert_from(audio, 'UTF8'), '-'), ',' ORDER BY"
                    + " id) FROM rec WHERE id IN (1, 2, 3, 4, 19, 20)"))
        .isEqualTo("1firstmore,2First,3-,4first,19-,20late");
  }

  @Test
  void refusals() throws Exception {
    table(PLAIN);
    database.run("CREATE VIEW seen AS SELECT audio FROM rec");
    assertThatThrownBy(() -> migration("audio").begin(null, Map.of()))
        .isInstanceOf(PgToasterException.class)
        .hasMessageContaining("view \"public.seen\"");
    assertThat(migration("audio").plan(null, Map.of()).notes())
        .anyMatch(note -> note.contains("view \"public.seen\""));
    assertThatThrownBy(() -> migration("n").begin(null, Map.of()))
        .hasMessageContaining("has type integer");
    assertThatThrownBy(() -> migration("none").begin(null, Map.of()))
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> migration("memo").step(1))
        .hasMessageContaining("no migration of column \"memo\"");
    migration("memo").begin(null, Map.of());
    assertThatThrownBy(() -> migration("memo").finish()).hasMessageContaining("is not ready");
    assertThatThrownBy(() -> migration("memo").drop()).hasMessageContaining("is not finished");
    migration("memo").abort();
    assertThat(value("SELECT count(*) FROM pgtoaster.store")).isEqualTo("0");
    assertSame("r.memo", "o.memo");
    database.run("SELECT lo_unlink(snap) FROM rec WHERE id = 8");
    migration("snap").begin(null, Map.of());
    assertThatThrownBy(() -> migration("snap").run(Migration.Limits.none(), progress -> {}))
        .hasMessageContaining("there is no large object");
    database.run("UPDATE rec SET snap = NULL WHERE id = 8");
    migration("snap").run(Migration.Limits.none(), progress -> {});
    database.run("UPDATE rec SET meta = '{\"$pgtoaster\": 1}' WHERE id = 8");
    migration("meta").begin(null, Map.of());
    assertThatThrownBy(() -> migration("meta").run(Migration.Limits.none(), progress -> {}))
        .hasMessageContaining("\"$pgtoaster\" is reserved");
  }

  /** The owner is no superuser, and the role that writes has row security; all in one session. */
  @Test
  void rolesAndRowSecurity() throws Exception {
    try (Connection c = database.dataSource().getConnection();
        Statement s = c.createStatement()) {
      String boss = "boss_" + Integer.toHexString(System.identityHashCode(c));
      String app = boss + "_app";
      s.execute("CREATE ROLE " + boss + "; CREATE ROLE " + app);
      try {
        s.execute(
            "GRANT INSERT ON pgtoaster.catalog_change TO PUBLIC; CREATE SCHEMA own AUTHORIZATION "
                + boss
                + "; GRANT USAGE ON SCHEMA own TO "
                + app
                + "; SET ROLE "
                + boss
                + "; SET search_path = own; CREATE TABLE rec (id bigint PRIMARY KEY, tenant text"
                + " DEFAULT current_user, audio bytea, doc json); ALTER TABLE rec ENABLE ROW LEVEL"
                + " SECURITY; CREATE POLICY p ON rec USING (tenant = current_user); GRANT INSERT,"
                + " SELECT, UPDATE, DELETE ON rec TO "
                + app);
        s.execute(
            "CREATE FUNCTION touched() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.tenant :="
                + " NEW.tenant; RETURN NEW; END'; CREATE TRIGGER t BEFORE UPDATE ON rec FOR EACH"
                + " ROW EXECUTE FUNCTION touched(); INSERT INTO rec SELECT g, CASE g % 2 WHEN 0"
                + " THEN '"
                + app
                + "' ELSE 'other' END, convert_to(repeat('x' || g, g * 100), 'UTF8'),"
                + " json_build_object('k', repeat('y', g * 100)) FROM generate_series(1, 60) g");
        String options = "'{\"store_schema\": \"owner\"}'";
        for (String column : new String[] {"audio", "doc"}) {
          s.execute(
              "SELECT pgtoaster.migrate_begin('rec', '" + column + "', NULL, " + options + ")");
          for (int step = 0; step < 2; step++) {
            s.execute("SELECT pgtoaster.migrate_step('rec', '" + column + "', 20000)");
          }
        }
        s.execute(
            "SET ROLE "
                + app
                + "; UPDATE rec SET audio = audio || 'z' WHERE id IN (2, 50); INSERT INTO rec"
                + " VALUES (100, '"
                + app
                + "', 'new', '{}'); DELETE FROM rec WHERE id = 6; SET ROLE "
                + boss
                + "; CREATE TABLE original AS SELECT * FROM rec");
        s.execute("CALL pgtoaster.migrate('rec', 'audio', NULL, " + options + ")");
        s.execute("CALL pgtoaster.migrate('rec', 'doc', NULL, " + options + ")");
        String differ = "SELECT count(*) FROM own.rec r FULL JOIN own.original o USING (id) WHERE ";
        assertThat(
                value(
                    differ
                        + "pgtoaster.bytes(r.audio) IS DISTINCT FROM o.audio OR"
                        + " pgtoaster.expand(r.doc) IS DISTINCT FROM o.doc::jsonb"))
            .isEqualTo("0");
        s.execute("SET ROLE " + app);
        s.execute("SELECT pgtoaster.blob_append('rec', 'audio', 2, 'more')");
        assertThatThrownBy(
                () -> s.execute("SELECT pgtoaster.blob_append('rec', 'audio', 3, 'more')"))
            .hasMessageContaining("there is no row");
        s.execute("SET ROLE " + boss);
        s.execute("UPDATE original SET audio = audio || 'more' WHERE id = 2");
        s.execute(
            "SELECT pgtoaster.migrate_drop('rec', 'audio'), pgtoaster.migrate_drop('rec', 'doc')");
        s.execute("CALL pgtoaster.migrate('rec', 'audio', back => true)");
        s.execute("CALL pgtoaster.migrate('rec', 'doc', back => true)");
        assertThat(value(differ + "r.audio IS DISTINCT FROM o.audio OR r.doc <> o.doc::jsonb"))
            .isEqualTo("0");
      } finally {
        s.execute("RESET ROLE; DROP OWNED BY " + boss + ", " + app + " CASCADE");
        s.execute("DROP ROLE " + boss + ", " + app);
      }
    }
  }

  @Test
  void plan_measuresAndLeavesNothing() {
    table(PLAIN);
    Migration.Plan plan = migration("audio").plan(null, Map.of("compression", "pglz"));
    assertThat(plan.rows()).isEqualTo(52);
    assertThat(plan.bytes()).isGreaterThan(5_000_000);
    assertThat(plan.disk()).isGreaterThan(plan.bytes());
    assertThat(plan.seconds()).isPositive();
    assertThat(value("SELECT count(*) FROM pg_class WHERE relname ~ '^(store_[0-9]|pgtoaster_s)'"))
        .isEqualTo("0");
  }
}
