package io.pgtoaster.it.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Migration;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.Compression;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** The migration of existing columns to toasters and back. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class MigrationIT {
  private static final String PLAIN =
      "CREATE TABLE rec (region text, id bigint, n integer DEFAULT 0, audio bytea, memo text, meta"
          + " json, snap oid, PRIMARY KEY (region, id))";

  @Parameter int version;

  private Database database;
  private PgToaster toaster;

  @BeforeEach
  void open() {
    database = PostgresServers.shared(version).installed();
    toaster = PgToaster.create(database.dataSource());
  }

  /** Creates 60 rows: NULL, empty, small, and some larger than one step of the copy. */
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
    return toaster.catalog().migration(ColumnName.of("rec", column));
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
    "meta, , pgtoaster.expand(r.meta), o.meta::jsonb, r.meta",
    "meta, json, pgtoaster.expand(r.meta), o.meta::jsonb, r.meta::jsonb",
    "meta, text, pgtoaster.expand(r.meta), o.meta::jsonb, r.meta::jsonb"
  })
  void thereAndBack(
      String column, @Nullable String back, String there, String original, String plain)
      throws Exception {
    table(PLAIN);
    // The value is as large as one step of the copy.
    for (String table : List.of("rec", "original")) {
      database.run(
          "UPDATE " + table + " SET audio = decode(repeat('00ff', 2097152), 'hex') WHERE id = 57");
    }
    Migration migration = migration(column);
    migration.begin(null);
    all(migration);
    assertSame(there, original);
    migration.drop();
    migration.beginBack(back);
    all(migration);
    assertSame(plain, original);
    if (!column.equals("meta") || back != null) {
      migration.drop();
    }
    assertThat(migration.state()).isEmpty();
    assertThat(
            value(
                "SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid ="
                    + " 'rec'::regclass AND attname = '"
                    + column
                    + "'"))
        .isEqualTo(
            back != null
                ? back
                : Map.of("audio", "bytea", "memo", "text", "meta", "jsonb").get(column));
    assertThat(value("SELECT count(*) FROM pgtoaster.store")).isEqualTo("0");
    assertThat(value("SELECT count(*) FROM pg_class WHERE relname ~ '^store_[0-9]'"))
        .isEqualTo("0");
    assertThat(value("SELECT count(*) FROM pg_proc WHERE proname ~ '^store_[0-9]'")).isEqualTo("0");
    assertThat(value("SELECT count(*) FROM pg_trigger WHERE tgname ~ 'pgtoaster_'")).isEqualTo("0");
  }

  @Test
  void partitionsLeadingKeyAndChecksums_areMigrated() throws Exception {
    database.run(
        PLAIN
            + " PARTITION BY LIST (region); CREATE TABLE rec_south PARTITION OF rec FOR VALUES IN"
            + " ('south')");
    table("CREATE TABLE rec_others PARTITION OF rec DEFAULT");
    Migration migration = migration("audio");
    migration.begin(BlobOptions.defaults().withLeadingKey("region").withCrc32c(true));
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

  private long splits(String column) {
    return Long.parseLong(
        value("SELECT split FROM pgtoaster.column_stat('rec', '" + column + "')"));
  }

  /** The application changes values while documents are split, and while the migration is ready. */
  @Test
  void lateChanges_areCopiedBeforeTheLockOfFinish() throws Exception {
    table(PLAIN);
    String pending = "SELECT count(*) FROM rec WHERE meta IS NOT NULL AND meta_toasted IS NULL";
    String change = "UPDATE rec SET meta = json_build_object('late', repeat('y', 200000))";
    Migration migration = migration("meta");
    migration.begin(null);
    while (!migration.step(1 << 20).phase().equals("split")) {}
    database.run(change);
    assertThat(value(pending)).isEqualTo("60");
    migration.run(Migration.Limits.none(), progress -> {});
    assertThat(value(pending)).isEqualTo("0");
    database.run(change.replace("late", "later").replace("200000", "n * 0 + 300000"));
    migration.run(Migration.Limits.none(), progress -> {});
    assertThat(value(pending)).isEqualTo("0");
    migration.finish();
    assertThat(value("SELECT count(*) FROM rec WHERE pgtoaster.get_text(meta, '{later}') <> ''"))
        .isEqualTo("60");
  }

  @Test
  void columnAttachedToTheToasterDefault_isAttachedOnlyToTheNewToaster() throws Exception {
    table(PLAIN);
    database.run("SELECT pgtoaster.attach('rec', 'audio', 'default')");
    migration("audio").begin(null);
    all(migration("audio"));
    assertThat(value("SELECT string_agg(toaster, ',') FROM pgtoaster.attached_column"))
        .isEqualTo("appendable");
    assertSame("pgtoaster.bytes(r.audio)", "o.audio");
  }

  /** Each step uses a new object, as a separate process would. */
  @Test
  void jsonb_isSplitInPlace_andMigratedBackInSteps() throws Exception {
    database.run(
        PLAIN.replace("meta json", "meta jsonb")
            + " PARTITION BY LIST (region); CREATE TABLE rec_south PARTITION OF rec FOR VALUES IN"
            + " ('south')");
    table("CREATE TABLE rec_others PARTITION OF rec DEFAULT");
    Migration.Plan plan = migration("meta").plan(null);
    assertThat(plan.rows()).isEqualTo(40);
    assertThat(plan.seconds()).isPositive();
    assertThat(plan.notes()).isEmpty();
    assertThat(value("SELECT count(*) FROM pgtoaster.store")).isEqualTo("0");
    migration("meta").begin(JsonOptions.defaults().withLeafSize(4096));
    assertThat(migration("meta").step(1).phase()).isEqualTo("split");
    database.run("DELETE FROM rec WHERE id = 58; DELETE FROM original WHERE id = 58");
    Migration.Progress progress = migration("meta").step(1500);
    long first = splits("meta");
    assertThat(first).isBetween(1L, 30L);
    assertThat(progress.bytes()).isBetween(1500L, progress.totalBytes() - 1);
    Migration.State state = migration("meta").state().orElseThrow();
    assertThat(state.back() || state.finished()).isFalse();
    assertThat(state.progress())
        .extracting(
            Migration.Progress::phase,
            Migration.Progress::rows,
            Migration.Progress::bytes,
            Migration.Progress::totalRows,
            Migration.Progress::totalBytes)
        .containsExactly(
            "split",
            progress.rows(),
            progress.bytes(),
            progress.totalRows(),
            progress.totalBytes());
    assertThatThrownBy(() -> migration("meta").abort()).hasMessageContaining("--back");
    // Reverse the half-finished migration, and then migrate again.
    migration("meta").beginBack(null);
    all(migration("meta"));
    assertSame("r.meta", "o.meta");
    assertThat(value("SELECT count(*) FROM pgtoaster.store")).isEqualTo("0");
    migration("meta").begin(null);
    all(migration("meta"));
    assertThat(migration("meta").state()).isEmpty();
    assertThat(splits("meta")).isGreaterThan(30).isGreaterThan(first);
    assertSame("pgtoaster.expand(r.meta)", "o.meta");
    // An attached column has nothing left to split.
    migration("meta").begin(null);
    all(migration("meta"));
    migration("meta").beginBack(null);
    migration("meta").step(1);
    long before = splits("meta");
    migration("meta").step(5000);
    assertThat(splits("meta")).isBetween(1L, before - 1);
    all(migration("meta"));
    assertSame("r.meta", "o.meta");
  }

  @Test
  void documentsChangedDuringTheMigrationBack_keepTheirChanges() throws Exception {
    database.run("CREATE TABLE rec (id bigint PRIMARY KEY, doc jsonb)");
    toaster.catalog().attach("rec", "doc", JsonOptions.defaults());
    DocumentColumn documents = toaster.documents("rec", "doc");
    String list = "[" + "\"an element of a list\", ".repeat(400) + "1.0]";
    for (int id = 1; id <= 8; id++) {
      documents.insertJson(id, "{\"list\": " + list + "}");
    }
    assertThat(splits("doc")).isEqualTo(8);
    Migration migration = migration("doc");
    migration.beginBack("json");
    migration.step(1);
    migration.step(20_000);
    assertThat(splits("doc")).isBetween(1L, 7L);
    documents.at(1, "list[400]").set(JsonNodeFactory.instance.numberNode(new BigDecimal("1.00")));
    documents.at(8, "list[0]").set("changed");
    migration.run(Migration.Limits.none(), progress -> {});
    assertThat(splits("doc")).isZero();
    documents.at(2, "list[400]").set(JsonNodeFactory.instance.numberNode(new BigDecimal("1.00")));
    documents.putJson(3, "{\"list\": " + list.replace("element", "entry") + "}");
    documents.at(3, "list[0]").set("changed below");
    database.run(
        "UPDATE rec SET doc = NULL WHERE id = 4",
        "DELETE FROM rec WHERE id = 5",
        "UPDATE rec SET doc = '{\"plain\": 1}' WHERE id = 6");
    documents.insertJson(9, "{\"late\": " + list + "}");
    assertThat(splits("doc")).isPositive();
    List<Optional<String>> expected =
        IntStream.rangeClosed(1, 9).mapToObj(id -> text(documents, id)).toList();
    migration.finish();
    migration.drop();
    for (int id = 1; id <= 9; id++) {
      assertThat(value("SELECT (SELECT doc::text FROM rec WHERE id = " + id + ")"))
          .as("document %d", id)
          .isEqualTo(expected.get(id - 1).orElse("null"));
    }
    assertThat(expected.get(0)).hasValueSatisfying(text -> assertThat(text).endsWith("1.00]}"));
    assertThat(expected.get(2)).hasValueSatisfying(text -> assertThat(text).contains("below"));
  }

  private static Optional<String> text(DocumentColumn documents, int id) {
    return id == 5 ? Optional.empty() : documents.text(id);
  }

  /**
   * The application replaces large objects and unlinks the old ones, as the trigger lo_manage does.
   */
  @Test
  void largeObjectsReplacedWhileAStepWaits_areMigrated() throws Exception {
    database.run(
        "CREATE TABLE rec (id int PRIMARY KEY, snap oid)",
        "INSERT INTO rec SELECT g, lo_from_bytea(0, 'old') FROM generate_series(1, 200) g");
    Migration migration = migration("snap");
    migration.begin(null);
    migration.step(1);
    try (Connection c = database.connect();
        Statement s = c.createStatement()) {
      c.setAutoCommit(false);
      s.execute("UPDATE rec SET id = id WHERE id = 1");
      Future<Migration.Progress> step = Wait.start(() -> migration.step(1_000_000));
      database.awaitLockWaiters(1);
      database.run(
          "SELECT lo_unlink(snap) FROM rec WHERE id > 100",
          "UPDATE rec SET snap = lo_from_bytea(0, 'new') WHERE id > 100");
      c.commit();
      assertThat(Wait.get(step).rows()).isGreaterThan(90);
    }
    all(migration);
    assertThat(
            value(
                "SELECT string_agg(DISTINCT concat(id > 100, convert_from(pgtoaster.bytes(snap),"
                    + " 'UTF8')), ',') FROM rec"))
        .isEqualTo("fold,tnew");
    assertThat(toaster.catalog().orphanedObjects()).isEmpty();
    migration.drop();
    assertThat(toaster.catalog().orphanedObjects()).hasSize(200).isSorted();
  }

  /** An append after the copy is not a difference, but damage is. */
  @Test
  void compare_countsDifferences() throws Exception {
    database.run("CREATE TABLE rec (id bigint PRIMARY KEY)");
    toaster.catalog().attach("rec", "audio", BlobOptions.defaults());
    database.run("INSERT INTO rec SELECT generate_series(1, 20)");
    database.run("SELECT pgtoaster.blob_append('rec', 'audio', id, 'first') FROM rec");
    Migration migration = migration("audio");
    migration.beginBack(null);
    Migration.Progress copied;
    do {
      copied = migration.step(1000);
    } while (!copied.phase().equals("compare"));
    database.run("SELECT pgtoaster.blob_append('rec', 'audio', id, 'more') FROM rec WHERE id < 9");
    database.run("UPDATE rec SET audio_plain = 'damaged' WHERE id IN (7, 12)");
    Migration.Progress last = migration.step(1_000_000);
    assertThat(last.recopied()).isOne();
    assertThat(last.rows()).isEqualTo(20);
    all(migration);
    assertThat(
            value(
                "SELECT string_agg(DISTINCT concat(id < 9, convert_from(audio, 'UTF8')), ',') FROM"
                    + " rec"))
        .isEqualTo("ffirst,tfirstmore");
  }

  /** A program uses the library before and after the exchange of the columns. */
  @Test
  void applicationOnTheToasterDefault_keepsRunning() throws Exception {
    database.run("CREATE TABLE rec (id bigint PRIMARY KEY, audio bytea)");
    database.run("INSERT INTO rec VALUES (1, 'first')");
    BlobColumn blobs = toaster.blobs("rec", "audio");
    blobs.append(1, " before".getBytes(UTF_8));
    Migration migration = migration("audio");
    migration.begin(null);
    migration.run(Migration.Limits.none(), progress -> {});
    blobs.append(1, " between".getBytes(UTF_8));
    migration.finish();
    blobs.append(1, " behind".getBytes(UTF_8));
    assertThat(new String(blobs.read(1, 0, 100), UTF_8)).isEqualTo("first before between behind");
  }

  @Test
  void appendsDuringTheMigrationBack_areKept() throws Exception {
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
  void blockingSession_isReported() throws Exception {
    database.run("CREATE TABLE rec (id int PRIMARY KEY, audio bytea)");
    Migration migration = migration("audio");
    migration.begin(null);
    try (Connection other = database.connect()) {
      other.setAutoCommit(false);
      String pid = "pid " + Sql.string(other, "SELECT pg_backend_pid()") + " of role ";
      Sql.run(other, "SELECT pgtoaster.migrate_step('rec', 'audio')");
      assertThatThrownBy(() -> migration.step(1))
          .hasMessageContainingAll(
              "another session is migrating", pid, "since", "pg_terminate_backend");
      other.rollback();
      migration.run(Migration.Limits.none(), progress -> {});
      Sql.run(other, "SELECT FROM rec");
      assertThatThrownBy(migration::finish)
          .hasMessageContainingAll(
              "other sessions use the table", pid, "since", "pg_terminate_backend");
      other.rollback();
      migration.finish();
      Sql.run(other, "SELECT FROM rec");
      assertThatThrownBy(migration::drop)
          .hasMessageContainingAll("other sessions use the table", pid);
      other.rollback();
      migration.drop();
    }
  }

  /** Many statements lock the store before the table. */
  @Test
  void statementThatHoldsTheStore_andDrop_doNotDeadlock() throws Exception {
    database.run("CREATE TABLE rec (id int PRIMARY KEY, audio bytea)");
    Migration migration = migration("audio");
    migration.begin(null);
    all(migration);
    migration.drop();
    String head = value("SELECT head::regclass FROM pgtoaster.store");
    migration.beginBack(null);
    all(migration);
    try (Connection other = database.connect()) {
      other.setAutoCommit(false);
      Sql.run(other, "LOCK TABLE " + head + " IN ROW SHARE MODE");
      Future<Object> drop =
          Wait.start(
              () -> {
                database.run("SELECT pgtoaster.migrate_drop('rec', 'audio')");
                return "";
              });
      database.awaitLockWaiters(1);
      Sql.run(other, "SELECT FROM rec");
      other.commit();
      Wait.get(drop);
    }
    assertThat(migration.state()).isEmpty();
  }

  @Test
  void invalidMigrations_areRefused() throws Exception {
    table(PLAIN);
    database.run("CREATE VIEW seen AS SELECT audio FROM rec");
    assertThatThrownBy(() -> migration("audio").begin(null))
        .isInstanceOf(PgToasterException.class)
        .hasMessageContaining("view \"public.seen\"");
    assertThat(migration("audio").plan(null).notes())
        .anyMatch(note -> note.contains("view \"public.seen\""));
    assertThatThrownBy(() -> migration("n").begin(null)).hasMessageContaining("has type integer");
    assertThatThrownBy(() -> migration("none").begin(null)).hasMessageContaining("does not exist");
    assertThatThrownBy(() -> migration("memo").step(1))
        .hasMessageContaining("no migration of column \"memo\"");
    migration("memo").begin(null);
    assertThatThrownBy(() -> migration("memo").finish()).hasMessageContaining("is not ready");
    assertThatThrownBy(() -> migration("memo").drop()).hasMessageContaining("is not finished");
    assertThatThrownBy(() -> migration("memo").beginBack(null))
        .hasMessageContaining("another migration");
    assertThatThrownBy(() -> Migration.Limits.none().withRate(0))
        .isInstanceOf(IllegalArgumentException.class);
    migration("memo").abort();
    assertThat(value("SELECT count(*) FROM pgtoaster.store")).isEqualTo("0");
    assertSame("r.memo", "o.memo");
    database.run("SELECT lo_unlink(snap) FROM rec WHERE id = 8");
    migration("snap").begin(null);
    assertThatThrownBy(() -> migration("snap").run(Migration.Limits.none(), progress -> {}))
        .hasMessageContaining("a row refers to the large object");
    database.run("UPDATE rec SET snap = NULL WHERE id = 8");
    migration("snap").run(Migration.Limits.none(), progress -> {});
    database.run("UPDATE rec SET meta = '{\"$pgtoaster\": 1}' WHERE id = 8");
    migration("meta").begin(null);
    assertThatThrownBy(() -> migration("meta").run(Migration.Limits.none(), progress -> {}))
        .hasMessageContaining("\"$pgtoaster\" is reserved");
  }

  /** The owner is not a superuser, and the writing role has row security; all in one session. */
  @Test
  void migration_worksWithRolesAndRowSecurity() throws Exception {
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
  void migrationOfATableThatChangesOwner_continuesAsTheNewOwner() throws Exception {
    String old = database.name() + "_old";
    String owner = database.name() + "_owner";
    try (Connection c = database.dataSource().getConnection()) {
      Sql.run(
          c,
          "CREATE ROLE " + old,
          "CREATE ROLE " + owner,
          "GRANT INSERT ON pgtoaster.catalog_change TO PUBLIC",
          "CREATE SCHEMA own AUTHORIZATION " + old,
          "GRANT CREATE, USAGE ON SCHEMA own TO " + owner,
          "SET search_path = own",
          "SET ROLE " + old);
      try {
        Sql.run(
            c,
            "CREATE TABLE rec (id bigint PRIMARY KEY, audio bytea, doc json)",
            "INSERT INTO rec SELECT g, 'x', '{}' FROM generate_series(1, 3) g");
        for (String column : List.of("audio", "doc")) {
          Sql.run(
              c,
              "SELECT pgtoaster.migrate_begin('rec', '%s', NULL, '{\"store_schema\": \"owner\"}')"
                  .formatted(column));
        }
        Sql.run(
            c,
            "RESET ROLE",
            "ALTER TABLE rec OWNER TO " + owner,
            "SELECT pgtoaster.mirror_privileges('rec')",
            "SET ROLE " + owner);
        for (String column : List.of("audio", "doc")) {
          Sql.run(
              c,
              "CALL pgtoaster.migrate('rec', '%s')".formatted(column),
              "SELECT pgtoaster.migrate_drop('rec', '%s')".formatted(column));
        }
        assertThat(Sql.string(c, "SELECT pgtoaster.bytes(audio) FROM rec LIMIT 1"))
            .isEqualTo("\\x78");
        // A migration back has a table of copied rows.
        Sql.run(
            c,
            "SELECT pgtoaster.migrate_back('rec', 'audio')",
            "RESET ROLE",
            "ALTER TABLE rec OWNER TO " + old,
            "SELECT pgtoaster.mirror_privileges('rec')",
            "SET ROLE " + old,
            "CALL pgtoaster.migrate('rec', 'audio', back => true)",
            "SELECT pgtoaster.migrate_drop('rec', 'audio')");
        assertThat(Sql.string(c, "SELECT audio FROM rec LIMIT 1")).isEqualTo("\\x78");
      } finally {
        Sql.run(
            c,
            "RESET ROLE",
            "DROP OWNED BY " + old + ", " + owner + " CASCADE",
            "DROP ROLE " + old + ", " + owner);
      }
    }
  }

  @Test
  void plan_measures_andLeavesNothing() {
    table(PLAIN);
    Migration.Plan plan =
        migration("audio").plan(BlobOptions.defaults().withCompression(Compression.PGLZ));
    assertThat(plan.rows()).isEqualTo(52);
    assertThat(plan.bytes()).isGreaterThan(5_000_000);
    assertThat(plan.disk()).isGreaterThan(plan.bytes());
    assertThat(plan.seconds()).isPositive();
    assertThat(value("SELECT count(*) FROM pg_class WHERE relname ~ '^(store_[0-9]|pgtoaster_s)'"))
        .isEqualTo("0");
  }
}
