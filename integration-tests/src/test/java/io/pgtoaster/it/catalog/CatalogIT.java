package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Attachment;
import io.pgtoaster.Catalog;
import io.pgtoaster.ColumnStatus;
import io.pgtoaster.DetachOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.JsonOptions;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Install, attach, detach and status. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class CatalogIT {
  @Parameter int version;

  private Database database;
  private PgToaster toaster;
  private Catalog catalog;

  @BeforeEach
  void open() {
    use(PostgresServers.shared(version).installed());
  }

  private void use(Database database) {
    this.database = database;
    toaster = PgToaster.create(database.dataSource());
    catalog = toaster.catalog();
  }

  private void withoutCatalog() {
    use(PostgresServers.shared(version).database());
  }

  private void item(String columns) {
    database.run("CREATE TABLE item (" + columns + ")");
  }

  @Test
  void install_canBeRepeatedAndRunConcurrently() throws Exception {
    withoutCatalog();
    assertThat(catalog.installedVersion()).isZero();
    Wait.inThreads(
        3,
        thread -> {
          catalog.install();
          assertThat(catalog.installedVersion()).isEqualTo(ColumnLookup.CATALOG_VERSION);
        });
    database.run("CREATE TABLE item (id int PRIMARY KEY)", "INSERT INTO item VALUES (1)");
    catalog.attach("item", "content", BlobOptions.defaults());
    toaster.blobs("item", "content").append(1, Bytes.random(1, 100));
    catalog.install();
    assertThat(toaster.blobs("item", "content").length(1)).isEqualTo(100);
  }

  @Test
  void install_overTheSameVersion_writesNothing() throws Exception {
    item("id int PRIMARY KEY, doc jsonb");
    catalog.attach("item", "content", BlobOptions.defaults());
    catalog.attach("item", "doc", JsonOptions.defaults());
    assertThat(catalog.isInstalled()).isTrue();
    try (Connection reader = database.connect();
        Connection c = database.connect()) {
      reader.setAutoCommit(false);
      Sql.run(reader, "SELECT FROM pgtoaster.attached_column", "SELECT FROM pgtoaster.status()");
      c.setAutoCommit(false);
      Sql.run(c, "SET TRANSACTION READ ONLY");
      PgToaster.on(c).catalog().install();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE OR REPLACE FUNCTION pgtoaster.stored_key(key text) RETURNS text LANGUAGE sql AS 'SELECT NULL'",
        "DROP FUNCTION pgtoaster.blob_length(bigint)",
        "CREATE OR REPLACE VIEW pgtoaster.attached_column AS SELECT * FROM pgtoaster.attached_column WHERE false",
        "DROP TRIGGER do_change ON pgtoaster.catalog_change",
        "COMMENT ON TABLE pgtoaster.version IS NULL",
      })
  void install_overADamagedCatalog_repairsIt(String damage) {
    item("id int PRIMARY KEY");
    assertThat(catalog.isInstalled()).isTrue();
    database.run(damage);
    assertThat(catalog.isInstalled()).isFalse();
    catalog.install();
    assertThat(catalog.isInstalled()).isTrue();
    catalog.attach("item", "content", BlobOptions.defaults());
    toaster.blobs("item", "content");
  }

  @Test
  void install_updatesTheRoutinesOfStores() {
    item("id int PRIMARY KEY");
    catalog.attach("item", "content", BlobOptions.defaults());
    outdate("store_1_append");
    assertThat(catalog.isInstalled()).isFalse();
    catalog.install();
    assertThat(catalog.isInstalled()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ALTER SCHEMA shop RENAME TO store2",
        "DROP FUNCTION shop.store_1_range",
        "DROP FUNCTION shop.store_2_edit",
        "ALTER FUNCTION shop.store_2_apply RENAME TO store_2_applied",
      })
  void install_writesRoutinesOfAStore_thatAreMissingOrNameAnotherSchema(String damage) {
    shop();
    assertThat(catalog.isInstalled()).isTrue();
    database.run(damage);
    assertThat(catalog.isInstalled()).isFalse();
    catalog.install();
    assertThat(catalog.isInstalled()).isTrue();
  }

  /** An installation could not write the routines of such a store. */
  @ParameterizedTest
  @ValueSource(
      strings = {"DROP TABLE shop.item", "DROP INDEX shop.pgtoaster_2_owner", "DROP SCHEMA shop"})
  void storeWithoutItsTableOrKey_doesNotRequireReinstallation(String loss) {
    shop();
    outdate("store_2_edit");
    database.run(
        loss + " CASCADE",
        "INSERT INTO pgtoaster.store (owner, column_name, toaster) VALUES (0, 'x', 'none')");
    assertThat(catalog.isInstalled()).isTrue();
    database.run("ALTER FUNCTION pgtoaster.stored_key(text) STRICT");
    assertThat(catalog.isInstalled()).isFalse();
    catalog.install();
    assertThat(catalog.isInstalled()).isTrue();
  }

  private void outdate(String routine) {
    database.run(
        "DO $$ BEGIN EXECUTE (SELECT replace(pg_get_functiondef(oid), prosrc, '-- 1 2' || chr(10) || prosrc)"
            + " FROM pg_proc WHERE proname = '%s'); END $$".formatted(routine));
  }

  private void shop() {
    database.run(
        "CREATE SCHEMA shop",
        "CREATE TABLE shop.item (id int PRIMARY KEY, doc jsonb)",
        "SELECT pgtoaster.attach('shop.item', 'content', 'appendable', '{\"store_schema\": \"owner\"}')",
        "SELECT pgtoaster.attach('shop.item', 'doc', 'keyed', '{\"store_schema\": \"owner\"}')");
  }

  @Test
  void install_overAFunctionThatAViewUses_keepsTheView() {
    item("id int PRIMARY KEY, doc jsonb");
    database.run(
        "DROP FUNCTION pgtoaster.patch(jsonb, jsonb, bigint)",
        "CREATE OR REPLACE FUNCTION pgtoaster.patch(document jsonb, patch jsonb) RETURNS jsonb"
            + " LANGUAGE sql IMMUTABLE AS 'SELECT NULL::jsonb'",
        "CREATE VIEW patched AS SELECT pgtoaster.patch(doc, '[{\"op\": \"add\", \"path\": \"/a\","
            + " \"value\": 1}]') AS doc FROM item",
        "INSERT INTO item VALUES (1, '{}')");
    catalog.install();
    assertThat(database.string("SELECT doc FROM patched")).isEqualTo("{\"a\": 1}");
    assertThat(
            database.string(
                "SELECT pgtoaster.patch(doc, '[{\"op\": \"remove\", \"path\": \"/a\"}]', 5) FROM patched"))
        .isEqualTo("{}");
  }

  @Test
  void columnOfTheOtherKind_saysHowToOpenIt() {
    item("id int PRIMARY KEY, doc jsonb, plain jsonb, raw bytea");
    catalog.attach("item", "content", BlobOptions.defaults());
    catalog.attach("item", "doc", JsonOptions.defaults());
    for (String blobs : List.of("content", "raw")) {
      assertThatThrownBy(() -> toaster.documents("item", blobs).at(1, "a").get())
          .isInstanceOf(PgToasterException.class)
          .hasMessageContaining("item." + blobs)
          .hasMessageContaining("use blobs()");
    }
    for (String documents : List.of("doc", "plain")) {
      assertThatThrownBy(() -> toaster.blobs("item", documents).length(1))
          .isInstanceOf(PgToasterException.class)
          .hasMessageContaining("item." + documents)
          .hasMessageContaining("contains documents; use documents()");
    }
  }

  @Test
  void install_isUndoneByTheCallersRollback() throws Exception {
    withoutCatalog();
    try (Connection c = database.connect()) {
      c.setAutoCommit(false);
      PgToaster.on(c).catalog().install();
      c.rollback();
    }
    assertThat(catalog.installedVersion()).isZero();
    assertThat(database.string("SELECT to_regnamespace('pgtoaster')")).isNull();
  }

  @Test
  void scripts_canBeRunAsPlainSql() throws Exception {
    withoutCatalog();
    try (Connection c = database.connect()) {
      c.setAutoCommit(false);
      for (String name : Catalog.scriptNames()) {
        Sql.run(c, Catalog.script(name));
      }
      c.commit();
    }
    assertThat(catalog.installedVersion()).isEqualTo(ColumnLookup.CATALOG_VERSION);
    database.run(
        "CREATE TABLE item (id int PRIMARY KEY)",
        "INSERT INTO item VALUES (1)",
        "SELECT pgtoaster.attach('item', 'content')");
    toaster.blobs("item", "content").append(1, Bytes.random(1, 20_000));
    assertThat(toaster.blobs("item", "content").verify(1)).isEmpty();
  }

  @Test
  void attachIfAbsent_attachesOnceAndRefusesAnotherToaster() {
    item("id int PRIMARY KEY");
    String attach = "SELECT pgtoaster.attach_if_absent('item', '%s', '%s')";
    long audio = database.number(attach.formatted("audio", "appendable"));
    long doc = database.number(attach.formatted("doc", "keyed"));
    assertThat(audio).isPositive().isNotEqualTo(doc);
    assertThat(database.number("SELECT pgtoaster.attach_if_absent('item', 'audio')"))
        .isEqualTo(audio);
    assertThat(database.number(attach.formatted("doc", "keyed"))).isEqualTo(doc);
    assertThatThrownBy(() -> Sql.run(connection(), attach.formatted("doc", "appendable")))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42710"))
        .hasMessageContaining("keyed")
        .hasMessageContaining("appendable");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isEqualTo(2);
  }

  @Test
  void attachIfAbsent_withMoreInlinePaths_isRefused() {
    item("id int PRIMARY KEY");
    String attach = "SELECT pgtoaster.attach_if_absent('item', 'doc', 'keyed', '{%s}')";
    long store = database.number(attach.formatted("\"keep_inline\": [\"/a\", \"/b\"]"));
    String more = attach.formatted("\"keep_inline\": [\"/b\", \"/it''s\"]");
    assertThatThrownBy(() -> Sql.run(connection(), more))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55000"))
        .hasMessageContaining("[\"/it's\"]")
        .hasMessageContaining(
            "SELECT pgtoaster.set_options('public.item', 'doc', '{\"keep_inline\": [\"/a\", \"/b\", \"/it''s\"]}')")
        .hasMessageContaining("compact");
    assertThat(database.number(attach.formatted("\"keep_inline\": [\"/b\"]"))).isEqualTo(store);
    assertThat(database.number(attach.formatted("\"row_budget\": 512"))).isEqualTo(store);
    database.run(
        "SELECT pgtoaster.set_options('item', 'doc', '{\"keep_inline\": [\"/a\", \"/b\", \"/it''s\"]}')");
    assertThat(database.number(more)).isEqualTo(store);
  }

  @Test
  void concurrentAttachIfAbsent_attachesOnce() throws Exception {
    item("id int PRIMARY KEY");
    String attach = "SELECT pgtoaster.attach_if_absent('item', 'audio')";
    try (Connection first = connection();
        Connection other = connection()) {
      first.setAutoCommit(false);
      long store = Sql.number(first, attach);
      Future<Long> second = Wait.start(() -> Sql.number(other, attach));
      database.awaitLockWaiters(1);
      first.commit();
      assertThat(Wait.get(second)).isEqualTo(store);
    }
  }

  @Test
  void apiCalls_canBeRepeated_andChangeOptions() throws Exception {
    item("id int PRIMARY KEY");
    BlobOptions blobs = BlobOptions.defaults();
    JsonOptions documents = JsonOptions.defaults();
    try (Connection other = connection()) {
      other.setAutoCommit(false);
      long store = Sql.number(other, "SELECT pgtoaster.attach('item', 'audio')");
      Future<Attachment> second = Wait.start(() -> catalog.attachIfAbsent("item", "audio", blobs));
      database.awaitLockWaiters(1);
      other.commit();
      assertThat(Wait.get(second))
          .isEqualTo(
              new Attachment(
                  ColumnName.of("public", "item", "audio"), "appendable", (int) store, false));
    }
    int store = catalog.attachIfAbsent("item", "doc", documents).store();
    assertThat(catalog.attachIfAbsent("item", "doc", documents.withRowBudget(512)).store())
        .isEqualTo(store);
    assertThat(
            Expect.refused(
                CatalogException.class, () -> catalog.attachIfAbsent("item", "audio", documents)))
        .hasMessage(
            "public.item.audio: the column is attached to the toaster appendable, not to keyed;"
                + " detach it first");
    assertThat(
            Expect.refused(
                CatalogException.class,
                () -> catalog.setOptions(ColumnName.of("item", "audio"), documents)))
        .hasMessageContaining("public.item.audio", "appendable", "keyed");
    catalog.setOptions(ColumnName.of("item", "doc"), documents.withRowBudget(700));
    catalog.setOptions(
        ColumnName.of("item", "audio"),
        ToasterOptions.of("appendable", Map.of("compression", "pglz", "notify", "true")));
    assertThat(
            database.strings("SELECT options::text FROM pgtoaster.attached_column ORDER BY store"))
        .satisfiesExactly(
            o -> assertThat(o).contains("pglz", "\"notify\": true"),
            o -> assertThat(o).contains("\"row_budget\": 700"));
    Expect.refused(
        PgToasterException.class,
        () -> catalog.setOptions(ColumnName.of("item", "none"), documents));
    Expect.refused(
        PgToasterException.class,
        () ->
            catalog.setOptions(
                ColumnName.of("item", "audio"), BlobOptions.defaults().withCrc32c(true)));
    assertThat(catalog.detachIfAttached(ColumnName.of("item", "audio"), DetachOptions.defaults()))
        .isTrue();
    assertThat(catalog.detachIfAttached(ColumnName.of("item", "audio"), DetachOptions.defaults()))
        .isFalse();
  }

  private Connection connection() throws SQLException {
    return database.connect();
  }

  @Test
  void newerCatalog_isRefused() {
    item("id int PRIMARY KEY, content bytea");
    database.run("UPDATE pgtoaster.version SET version = 99");
    Expect.refused(PgToasterException.class, () -> catalog.install());
    Expect.refused(
        CatalogException.class, () -> toaster.blobs("item", "content").append(1, new byte[1]));
    assertThat(database.number("SELECT version FROM pgtoaster.version")).isEqualTo(99);
  }

  @Test
  void olderCatalog_isRefusedWithTheUpgradePath() {
    item("id int PRIMARY KEY, content bytea");
    database.run("UPDATE pgtoaster.version SET version = 4");
    for (ThrowingCallable call :
        new ThrowingCallable[] {
          () -> catalog.install(),
          () -> toaster.blobs("item", "content").append(1, new byte[1]),
          () -> catalog.attach("item", "content", BlobOptions.defaults())
        }) {
      assertThat(Expect.refused(CatalogException.class, call))
          .hasMessageContaining("version 4")
          .hasMessageContaining("DROP SCHEMA pgtoaster CASCADE");
    }
    assertThatThrownBy(
            () -> {
              try (Connection c = connection()) {
                c.setAutoCommit(false);
                Sql.run(c, Catalog.script("catalog/catalog.sql"));
              }
            })
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55000"))
        .hasMessageContaining("version 4")
        .hasMessageContaining("DROP SCHEMA pgtoaster CASCADE");
    assertThat(database.number("SELECT version FROM pgtoaster.version")).isEqualTo(4);
  }

  @Test
  void attachWithoutACatalog_isRefused() {
    withoutCatalog();
    database.run("CREATE TABLE item (id int PRIMARY KEY)");
    Expect.refused(
        CatalogException.class, () -> catalog.attach("item", "content", BlobOptions.defaults()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bigint", "bytea", "text"})
  void emptyColumn_isAttachedInPlace(String type) {
    item("id int PRIMARY KEY, content " + type);
    database.run("INSERT INTO item VALUES (1)");
    int store = catalog.attach("item", "content", BlobOptions.defaults()).store();
    assertThat(store).isPositive();
    BlobColumn blobs = toaster.blobs("item", "content");
    assertThat(ColumnAccess.column(blobs).store()).isEqualTo(store);
    assertThat(blobs.describe().type()).isEqualTo("int8");
    blobs.append(1, Bytes.text(1, 9000));
    assertThat(blobs.length(1)).isEqualTo(9000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytea", "text"})
  void populatedColumn_isRefusedAndKept(String type) {
    item("id int PRIMARY KEY, content " + type);
    database.run("INSERT INTO item VALUES (1, 'kept')");
    Expect.refused(
        PgToasterException.class, () -> catalog.attach("item", "content", BlobOptions.defaults()));
    assertThat(toaster.blobs("item", "content").read(1, 0, 10))
        .isEqualTo("kept".getBytes(StandardCharsets.UTF_8));
    assertThat(catalog.status()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id int PRIMARY KEY, content int",
        "id int PRIMARY KEY, content jsonb",
        "id int PRIMARY KEY, content bigint GENERATED ALWAYS AS (1) STORED",
        "id int PRIMARY KEY, content bigint GENERATED ALWAYS AS IDENTITY",
        "id int, content bigint",
        "content bigint PRIMARY KEY"
      })
  void unsuitableColumn_isRefused(String columns) {
    item(columns);
    Expect.refused(
        PgToasterException.class, () -> catalog.attach("item", "content", BlobOptions.defaults()));
    assertThat(catalog.status()).isEmpty();
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"int", "jsonb", "bigint", "uuid"})
  void columnOfAWrongType_isRefusedByTheDefaultToaster(String type) {
    item("id int PRIMARY KEY, content " + type);
    database.run("INSERT INTO item VALUES (1)");
    Expect.refused(
        ColumnNotFoundException.class,
        () -> toaster.blobs("item", "content").append(1, new byte[1]));
  }

  @Test
  void attachedColumn_cannotBeAttachedAgain() {
    item("id int PRIMARY KEY");
    catalog.attach("item", "content", BlobOptions.defaults());
    Expect.refused(
        PgToasterException.class, () -> catalog.attach("item", "content", BlobOptions.defaults()));
    assertThat(catalog.status()).hasSize(1);
  }

  @Test
  void viewsAndPartitions_areRefused() {
    item("id int PRIMARY KEY, content bigint");
    database.run(
        "CREATE VIEW looks AS SELECT * FROM item",
        "CREATE TABLE parted (id int PRIMARY KEY, content bigint) PARTITION BY LIST (id)",
        "CREATE TABLE part PARTITION OF parted DEFAULT");
    for (String table : new String[] {"looks", "part", "absent", "pg_class"}) {
      Expect.refused(
          PgToasterException.class, () -> catalog.attach(table, "content", BlobOptions.defaults()));
    }
  }

  @Test
  void tableWithoutAPrimaryKey_isAttachedWithANamedIndex() {
    item("code text NOT NULL, part int NOT NULL");
    database.run(
        "CREATE UNIQUE INDEX item_code ON item (code, part)", "INSERT INTO item VALUES ('a', 1)");
    Expect.refused(
        PgToasterException.class, () -> catalog.attach("item", "content", BlobOptions.defaults()));
    catalog.attach("item", "content", BlobOptions.defaults().withKeyIndex("item_code"));
    BlobColumn blobs = toaster.blobs("item", "content");
    blobs.append(List.of("a", 1), Bytes.random(1, 9000));
    assertThat(blobs.length(List.of("a", 1))).isEqualTo(9000);
  }

  @Test
  void unknownToaster_isRefused() {
    item("id int PRIMARY KEY");
    Expect.refused(
        UnsupportedCapabilityException.class,
        () -> catalog.attach("item", "content", ToasterOptions.of("absent")));
  }

  @Test
  void status_reportsAllStores() {
    item("id int PRIMARY KEY");
    database.run("INSERT INTO item VALUES (1), (2)");
    catalog.attach("item", "content", BlobOptions.defaults().withChunkSize(4000));
    toaster.blobs("item", "content").append(1, Bytes.random(1, 20_000));
    toaster.blobs("item", "content").append(2, Bytes.random(1, 10));
    ColumnStatus status = catalog.status().get(0);
    assertThat(status.column()).isEqualTo(ColumnName.of("public", "item", "content"));
    assertThat(status.toaster()).isEqualTo("appendable");
    assertThat(status.options()).containsEntry("chunk_size", "4000");
    assertThat(status.contents()).isEqualTo(2);
    assertThat(status.bytes()).isEqualTo(20_010);
    assertThat(status.storedRows()).isGreaterThanOrEqualTo(5);
    assertThat(status.tableBytes()).isGreaterThan(20_000);
    assertThat(status.garbage()).isZero();
    assertThat(status.warnings()).isEmpty();
  }

  /** Each append of at least a quarter of a chunk creates chunks. */
  @Test
  void status_reportsTheNumberOfShortChunks_onceTheStoreIsAnalyzed() {
    item("id int PRIMARY KEY");
    database.run("INSERT INTO item VALUES (1)");
    int store = catalog.attach("item", "content", BlobOptions.defaults()).store();
    for (int i = 0; i < 20; i++) {
      toaster.blobs("item", "content").append(1, Bytes.random(i, 2_100));
    }
    assertThat(catalog.status().get(0).storedRows()).isBetween(5L, 20L);
    database.run("ANALYZE pgtoaster.store_" + store + "_chunk");
    assertThat(catalog.status().get(0).storedRows()).isEqualTo(20);
  }

  @Test
  void status_warnsAboutMissingObjects() {
    item("id int PRIMARY KEY");
    int store = catalog.attach("item", "content", BlobOptions.defaults()).store();
    database.run("ALTER TABLE item DISABLE TRIGGER pgtoaster_" + store + "_delete");
    assertThat(catalog.status().get(0).warnings()).anyMatch(w -> w.contains("trigger"));
    database.run("DROP TRIGGER pgtoaster_" + store + "_truncate ON item");
    database.run("ALTER TABLE item DROP CONSTRAINT pgtoaster_" + store + "_head");
    assertThat(catalog.status().get(0).warnings()).anyMatch(w -> w.contains("foreign key"));
  }

  @Test
  void detach_isRefused_whileContentExists() {
    item("id int PRIMARY KEY");
    database.run("INSERT INTO item VALUES (1)");
    int store = catalog.attach("item", "content", BlobOptions.defaults()).store();
    toaster.blobs("item", "content").append(1, Bytes.random(1, 20_000));
    Expect.refused(
        PgToasterException.class, () -> catalog.detach(ColumnName.of("item", "content")));
    assertThat(toaster.blobs("item", "content").length(1)).isEqualTo(20_000);
    catalog.detach(
        ColumnName.of("item", "content"), DetachOptions.defaults().withDropContent(true));
    assertThat(catalog.status()).isEmpty();
    assertThat(database.string("SELECT to_regclass('pgtoaster.store_" + store + "_head')"))
        .isNull();
    assertThat(database.number("SELECT count(content) FROM item")).isZero();
    assertThat(database.number("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'item'::regclass"))
        .isZero();
    catalog.attach("item", "content", BlobOptions.defaults());
    toaster.blobs("item", "content").append(1, Bytes.random(1, 10));
  }

  @Test
  void openHandle_noticesADetachAndReattachOfItsColumn() {
    item("id int PRIMARY KEY");
    database.run("INSERT INTO item VALUES (1)");
    catalog.attach("item", "content", BlobOptions.defaults());
    BlobColumn blobs = toaster.blobs("item", "content");
    blobs.append(1, Bytes.random(1, 100));
    catalog.detach(
        ColumnName.of("item", "content"), DetachOptions.defaults().withDropContent(true));
    catalog.attach("item", "content", BlobOptions.defaults());
    blobs.append(1, Bytes.random(1, 50));
    assertThat(blobs.length(1)).isEqualTo(50);
  }

  @Test
  void twoColumnsOfOneTable_haveSeparateStores() {
    item("id int PRIMARY KEY");
    database.run("INSERT INTO item VALUES (1)");
    catalog.attach("item", "a", BlobOptions.defaults());
    catalog.attach("item", "b", BlobOptions.defaults().withCrc32c(true));
    toaster.blobs("item", "a").append(1, Bytes.random(1, 9000));
    toaster.blobs("item", "b").append(1, Bytes.random(2, 9000));
    toaster.blobs("item", "a").delete(1);
    assertThat(toaster.blobs("item", "b").read(1, 0, 9000)).isEqualTo(Bytes.random(2, 9000));
    database.run("DELETE FROM item");
    assertThat(catalog.status()).allMatch(s -> s.contents() == 0);
    Expect.refused(RowNotFoundException.class, () -> toaster.blobs("item", "b").length(1));
  }
}
