package io.pgtoaster.it.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Catalog;
import io.pgtoaster.Distributable;
import io.pgtoaster.DistributionStep;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.NeedsExtension;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The steps of distributing a schema that come before Citus, on a server without it. */
class DistributionIT {
  @AutoClose private Database database;
  private PgToaster pgToaster;
  private Catalog catalog;

  @BeforeEach
  void attach() {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    pgToaster = PgToaster.create(database.dataSource());
    catalog = pgToaster.catalog();
    database.run(
        "CREATE SCHEMA ten",
        "CREATE TABLE ten.item (id bigint PRIMARY KEY, content bigint, doc jsonb)",
        "INSERT INTO ten.item (id) VALUES (1), (2)",
        "SELECT pgtoaster.attach('ten.item', 'content')",
        "SELECT pgtoaster.attach('ten.item', 'doc', 'keyed', '{\"store_schema\": \"owner\"}')");
  }

  private List<String> refusals() {
    return catalog.distributionPlan(Distributable.ofSchema("ten")).stream()
        .map(DistributionStep::refused)
        .filter(refused -> refused != null)
        .toList();
  }

  @Test
  void withoutCitus_schemasAreRefused_andTheMissingPartIsNamed() {
    assertThat(
            Expect.refused(
                DatabaseException.class, () -> catalog.distribute(Distributable.ofSchema("ten"))))
        .hasMessageContaining("citus is not installed in this database")
        .hasMessageContaining("CREATE EXTENSION citus");
    assertThat(
            Expect.refused(
                DatabaseException.class, () -> catalog.undistribute(Distributable.ofSchema("ten"))))
        .hasMessageContaining("citus is not installed in this database");
    assertThat(catalog.distributedSchemas()).isEmpty();
  }

  @Test
  void plan_listsTheTablesOfTheSchemaAndOfItsStores() {
    assertThat(catalog.distributionPlan(Distributable.ofSchema("ten")))
        .extracting(DistributionStep::table)
        .contains("ten.item", "pgtoaster.store_1_chunk", "ten.store_2_node")
        .doesNotHaveDuplicates();
    assertThat(refusals()).isEmpty();
    Expect.refused(
        DatabaseException.class, () -> catalog.distributionPlan(Distributable.ofSchema("other")));
  }

  @Test
  void plan_listsObstacles() {
    database.run(
        "ALTER TABLE ten.item ENABLE ROW LEVEL SECURITY",
        "CREATE TABLE ten.other (id bigint)",
        "CREATE FUNCTION ten.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE TRIGGER own BEFORE INSERT ON ten.other FOR EACH ROW EXECUTE FUNCTION ten.f()");
    assertThat(refusals())
        .hasSize(2)
        .anyMatch(r -> r.contains("row security"))
        .anyMatch(r -> r.contains("trigger own"));
    database.run("CREATE SCHEMA \"Ten Y\"", "CREATE TABLE \"Ten Y\".item (id bigint)");
    assertThat(catalog.distributionPlan(Distributable.ofSchema("Ten Y")))
        .singleElement()
        .satisfies(step -> assertThat(step.refused()).contains("needs quotes"));
  }

  @Test
  void tables_areDistributedByTheLeadingKeyOfTheirColumns() {
    database.run(
        "CREATE TABLE ten.by_rows (id bigint, tenant text, content bigint, doc jsonb, PRIMARY KEY (id,"
            + " tenant))",
        "SELECT pgtoaster.attach('ten.by_rows', 'content', options => '{\"leading_key\": \"tenant\"}')",
        "SELECT pgtoaster.attach('ten.by_rows', 'doc', 'keyed', '{\"leading_key\": \"tenant\"}')");
    List<DistributionStep> plan = catalog.distributionPlan(Distributable.ofTable("ten", "by_rows"));
    assertThat(plan).extracting(DistributionStep::refused).containsOnlyNulls();
    assertThat(plan)
        .extracting(DistributionStep::table)
        .contains("ten.by_rows", "pgtoaster.store_3_piece", "pgtoaster.store_4_aside")
        .hasSize(11);
    assertThat(
            Expect.refused(
                DatabaseException.class,
                () -> catalog.distribute(Distributable.ofTable("ten", "by_rows"))))
        .hasMessageContaining("citus is not installed in this database");
    assertThat(
            Expect.refused(
                DatabaseException.class,
                () -> catalog.undistribute(Distributable.ofTable("ten", "by_rows"))))
        .hasMessageContaining("citus is not installed in this database");
    assertThat(catalog.distributedTables()).isEmpty();
  }

  private String refusal(String table) {
    return catalog.distributionPlan(Distributable.ofTable("ten", table)).stream()
        .map(DistributionStep::refused)
        .filter(refused -> refused != null)
        .findFirst()
        .orElse("");
  }

  @Test
  void planOfATable_listsObstacles() {
    assertThat(refusal("item")).contains("no leading_key");
    database.run(
        "CREATE TABLE ten.plain (tenant bigint)",
        "CREATE TABLE ten.unique_key (tenant bigint, id bigint UNIQUE, doc jsonb, PRIMARY KEY (tenant, id))",
        "SELECT pgtoaster.attach('ten.unique_key', 'doc', 'keyed', '{\"leading_key\": \"tenant\"}')");
    assertThat(refusal("plain")).contains("no column of it is attached");
    assertThat(refusal("unique_key")).contains("unique_key_id_key").contains("add tenant to it");
    database.run(
        "ALTER TABLE ten.unique_key DROP CONSTRAINT unique_key_id_key",
        "ALTER TABLE ten.unique_key ENABLE ROW LEVEL SECURITY");
    assertThat(refusal("unique_key")).contains("row security");
  }

  @Test
  void leadingKeyOfDocuments_isAColumnOfTheRowKey() {
    database.run("CREATE TABLE ten.other (id bigint PRIMARY KEY, name text NOT NULL, doc jsonb)");
    assertThatThrownBy(
            () ->
                database.run(
                    "SELECT pgtoaster.attach('ten.other', 'doc', 'keyed', '{\"leading_key\": \"name\"}')"))
        .hasStackTraceContaining("leading key \"name\" is not a column of the row key");
  }

  @Test
  void leadingKeyOfASplitDocument_changesWithTheWholeDocument() {
    database.run(
        "CREATE TABLE ten.moved (tenant bigint, id bigint, doc jsonb, PRIMARY KEY (tenant, id))",
        "INSERT INTO ten.moved VALUES (1, 1)",
        "SELECT pgtoaster.attach('ten.moved', 'doc', 'keyed', '{\"leading_key\": \"tenant\"}')");
    DocumentColumn docs = pgToaster.documents(ColumnName.of("ten", "moved", "doc"));
    String document = "{\"a\": \"" + "x".repeat(20_000) + "\"}";
    docs.putJson(List.of(1, 1), document);
    assertThatThrownBy(() -> database.run("UPDATE ten.moved SET tenant = 2"))
        .hasStackTraceContaining("its row would get another tenant, the leading key of the column");
    database.run("UPDATE ten.moved SET tenant = 2, doc = pgtoaster.expand(doc)");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_3_node")).isZero();
    docs.putJson(List.of(2, 1), docs.text(List.of(2, 1)).orElseThrow());
    database.run("ALTER TABLE ten.moved RENAME tenant TO customer", "UPDATE ten.moved SET id = 9");
    assertThat(
            database.string(
                "SELECT options->>'leading_key' FROM pgtoaster.attached_column WHERE store = 3"))
        .isEqualTo("customer");
    PgToaster again = PgToaster.create(database.dataSource());
    assertThat(again.documents(ColumnName.of("ten", "moved", "doc")).verify(List.of(2, 9)))
        .isEmpty();
    assertThat(catalog.status()).allSatisfy(s -> assertThat(s.warnings()).isEmpty());
  }

  @Test
  void storeInThePgtoasterSchema_movesToItsTablesSchema_withItsContent() {
    byte[] content = Bytes.random(1, 50_000);
    pgToaster.blobs(ColumnName.of("ten", "item", "content")).append(1, content);
    database.run("SELECT pgtoaster.move_to_owner(1)", "SELECT pgtoaster.write_routines(1)");
    assertThat(
            database.string("SELECT store_schema FROM pgtoaster.attached_column WHERE store = 1"))
        .isEqualTo("ten");
    assertThat(
            database.number(
                "SELECT count(*) FROM pg_class WHERE relnamespace = 'pgtoaster'::regnamespace"
                    + " AND relname LIKE 'store\\_1\\_%' AND relkind = 'r'"))
        .isZero();
    PgToaster again = PgToaster.create(database.dataSource());
    assertThat(again.blobs(ColumnName.of("ten", "item", "content")).read(1, 0, 60_000))
        .isEqualTo(content);
    again.blobs(ColumnName.of("ten", "item", "content")).append(2, content);
    database.run("DELETE FROM ten.item WHERE id = 1");
    assertThat(database.number("SELECT count(*) FROM ten.store_1_head")).isEqualTo(1);
    assertThat(catalog.status()).allSatisfy(s -> assertThat(s.warnings()).isEmpty());
  }

  /** Triggers and foreign keys reject the numbers of another store. */
  @Test
  void newNumbers_identifyTheirStore() {
    database.run("SELECT pgtoaster.draw_numbers(1), pgtoaster.draw_numbers(2)");
    pgToaster.blobs(ColumnName.of("ten", "item", "content")).append(1, Bytes.random(1, 10));
    pgToaster
        .documents(ColumnName.of("ten", "item", "doc"))
        .putJson(1, "{\"a\": \"" + "x".repeat(20_000) + "\"}");
    assertThat(database.strings("SELECT id >> 40 FROM pgtoaster.store_1_head"))
        .containsExactly("1");
    assertThat(database.strings("SELECT id >> 40 FROM ten.store_2_head")).containsExactly("2");
    assertThat(catalog.status()).allSatisfy(s -> assertThat(s.warnings()).isEmpty());
  }

  @Test
  void triggerFunctions_onShards_useTheNameOfTheTable() {
    assertThat(
            database.strings(
                "SELECT p.oid::regprocedure FROM pg_proc p CROSS JOIN LATERAL"
                    + " (SELECT pg_get_functiondef(p.oid)) d(text)"
                    + " CROSS JOIN LATERAL (SELECT pgtoaster.on_shards(d.text)) s(text)"
                    + " WHERE p.proname ~ '^store_[12]_(release|truncate|watch|apply)$'"
                    + " AND s.text <> d.text AND s.text NOT LIKE '%tgrelid = TG_RELID%'"))
        .hasSize(6);
  }

  @Test
  @NeedsExtension
  void extensionFunctions_refuseDistributedTables_andAreNotCalled() throws SQLException {
    database.run(
        "CREATE EXTENSION pgtoaster",
        "UPDATE pgtoaster.store SET options = options || '{\"distributed\": true}'",
        "SELECT pgtoaster.mirror_privileges('ten.item')");
    try (Connection c = database.connect()) {
      for (String call :
          List.of(
              "toaster.blob_length('ten.item', 'content', 1)",
              "toaster.try_blob_length('ten.item', 'content', 1)",
              "toaster.json_get('ten.item', 'doc', 1, '{a}')")) {
        assertThatThrownBy(() -> Sql.run(c, "SELECT " + call))
            .as(call)
            .hasMessageContaining("is distributed by Citus")
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
      }
      assertThat(ColumnLookup.find(c, ColumnName.of("ten", "item", "content")).extension())
          .isFalse();
    }
    pgToaster.blobs(ColumnName.of("ten", "item", "content")).append(1, Bytes.random(1, 10));
  }

  /** Citus copies the catalog's functions to its workers, but not its tables. */
  @Test
  void libraryOnAWorker_fails_insteadOfTreatingTheColumnAsOrdinary() {
    database.run(
        "SET allow_system_table_mods = on",
        "CREATE TABLE pg_catalog.pg_dist_local_group (groupid integer)",
        "INSERT INTO pg_catalog.pg_dist_local_group VALUES (1)",
        "ALTER TABLE pgtoaster.version RENAME TO elsewhere");
    assertThat(
            Expect.refused(
                CatalogException.class,
                () -> pgToaster.documents(ColumnName.of("ten", "item", "doc")).text(1)))
        .hasMessageContaining("worker of Citus");
    Expect.refused(CatalogException.class, () -> catalog.status());
  }
}
