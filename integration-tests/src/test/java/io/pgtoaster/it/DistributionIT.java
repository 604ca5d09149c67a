package io.pgtoaster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Catalog;
import io.pgtoaster.DistributionStep;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnLookup;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.NeedsExtension;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What distributing a schema does before Citus has its turn, on a server without it. */
class DistributionIT {
  private Database database;
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

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private List<String> refusals() {
    return catalog.distributionPlan("ten").stream()
        .map(DistributionStep::refused)
        .filter(refused -> refused != null)
        .toList();
  }

  @Test
  void withoutCitus_schemasAreRefusedWithWhatIsMissing() {
    assertThat(Expect.refused(DatabaseException.class, () -> catalog.distribute("ten")))
        .hasMessageContaining("citus is not in this database")
        .hasMessageContaining("CREATE EXTENSION citus");
    assertThat(Expect.refused(DatabaseException.class, () -> catalog.undistribute("ten")))
        .hasMessageContaining("citus is not in this database");
    assertThat(catalog.distributedSchemas()).isEmpty();
  }

  @Test
  void plan_listsTheTablesOfTheSchemaAndOfItsStores() {
    assertThat(catalog.distributionPlan("ten"))
        .extracting(DistributionStep::table)
        .contains("ten.item", "pgtoaster.store_1_chunk", "ten.store_2_node")
        .doesNotHaveDuplicates();
    assertThat(refusals()).isEmpty();
    Expect.refused(DatabaseException.class, () -> catalog.distributionPlan("other"));
  }

  @Test
  void plan_saysWhatStandsInTheWay() {
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
    assertThat(catalog.distributionPlan("Ten Y"))
        .singleElement()
        .satisfies(step -> assertThat(step.refused()).contains("needs quotes"));
  }

  @Test
  void storeOfThePgtoasterSchema_comesToItsTable_withItsContent() {
    byte[] content = Bytes.random(1, 50_000);
    pgToaster.blobs("ten", "item", "content").append(1, content);
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
    assertThat(again.blobs("ten", "item", "content").read(1, 0, 60_000)).isEqualTo(content);
    again.blobs("ten", "item", "content").append(2, content);
    database.run("DELETE FROM ten.item WHERE id = 1");
    assertThat(database.number("SELECT count(*) FROM ten.store_1_head")).isEqualTo(1);
    assertThat(catalog.status()).allSatisfy(s -> assertThat(s.warnings()).isEmpty());
  }

  /** Numbers of another store would be refused by triggers and foreign keys. */
  @Test
  void drawnNumbers_areThoseOfTheStore() {
    database.run("SELECT pgtoaster.draw_numbers(1), pgtoaster.draw_numbers(2)");
    pgToaster.blobs("ten", "item", "content").append(1, Bytes.random(1, 10));
    pgToaster.documents("ten", "item", "doc").put(1, "{\"a\": \"" + "x".repeat(20_000) + "\"}");
    assertThat(database.strings("SELECT id >> 40 FROM pgtoaster.store_1_head"))
        .containsExactly("1");
    assertThat(database.strings("SELECT id >> 40 FROM ten.store_2_head")).containsExactly("2");
    assertThat(catalog.status()).allSatisfy(s -> assertThat(s.warnings()).isEmpty());
  }

  @Test
  void triggerFunctions_areAsTheyWereBehindBothWays() {
    assertThat(
            database.strings(
                "SELECT p.oid::regprocedure FROM pg_proc p CROSS JOIN LATERAL"
                    + " (SELECT pg_get_functiondef(p.oid)) d(text)"
                    + " CROSS JOIN LATERAL (SELECT pgtoaster.on_shards(d.text, true)) s(text)"
                    + " WHERE p.proname ~ '^store_[12]_(release|truncate|watch|apply)$'"
                    + " AND s.text <> d.text AND s.text NOT LIKE '%tgrelid = TG_RELID%'"
                    + " AND pgtoaster.on_shards(s.text, false) = d.text"))
        .hasSize(6);
  }

  @Test
  @NeedsExtension
  void functionsOfTheExtension_refuseAndAreNotCalled() throws SQLException {
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
      assertThat(ColumnLookup.find(c, "ten", "item", "content").extension()).isFalse();
    }
    pgToaster.blobs("ten", "item", "content").append(1, Bytes.random(1, 10));
  }

  /** Citus brings the catalog's functions to its workers, not its tables. */
  @Test
  void libraryOnAWorker_refusesInsteadOfTakingTheColumnForOrdinary() {
    database.run(
        "SET allow_system_table_mods = on",
        "CREATE TABLE pg_catalog.pg_dist_local_group (groupid integer)",
        "INSERT INTO pg_catalog.pg_dist_local_group VALUES (1)",
        "ALTER TABLE pgtoaster.version RENAME TO elsewhere");
    assertThat(
            Expect.refused(
                CatalogException.class, () -> pgToaster.documents("ten", "item", "doc").text(1)))
        .hasMessageContaining("worker of Citus");
    Expect.refused(CatalogException.class, () -> catalog.status());
  }
}
