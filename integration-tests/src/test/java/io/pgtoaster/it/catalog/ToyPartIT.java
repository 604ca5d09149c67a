package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pgtoaster.GcOptions;
import io.pgtoaster.GcReport;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.spi.Toaster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A toaster from another jar, unknown to the catalog, works with every function of the catalog. */
class ToyPartIT {
  private static final GcOptions NOW =
      GcOptions.defaults().withDryRun(false).withGrace(Duration.ZERO);

  @AutoClose private Database database;
  private PgToaster toaster;

  @BeforeEach
  void open() {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    toaster = PgToaster.create(database.dataSource());
    database.run("CREATE TABLE other (id int PRIMARY KEY, content bytea, doc jsonb)");
  }

  private int attach(String column, Map<String, String> options) {
    return toaster.catalog().attach("other", column, ToasterOptions.of("xor", options)).store();
  }

  @Test
  void attach_storesItsOptions_andChecksThem() {
    int store = attach("content", Map.of("mask", "85"));
    assertThat(database.string("SELECT options::text FROM pgtoaster.store WHERE id = " + store))
        .isEqualTo("{\"mask\": \"85\"}");
    database.run("INSERT INTO other VALUES (1)");
    toaster.blobs("other", "content").append(1, new byte[] {0x55, 0});
    assertThat(database.string("SELECT content::text FROM other")).isEqualTo("\\x0055");
    toaster.catalog().detach(ColumnName.of("other", "content"));
    for (Map<String, String> wrong :
        List.of(Map.of("mask", "many"), BlobOptions.defaults().withTail(5).toMap())) {
      Expect.refused(UnsupportedCapabilityException.class, () -> attach("content", wrong));
    }
    assertThat(toaster.catalog().status()).isEmpty();
  }

  @Test
  void attach_appliesItsOwnAndTheCommonChecks() {
    Expect.refused(ColumnNotFoundException.class, () -> attach("doc", Map.of()));
    attach("content", Map.of());
    PgToasterException again =
        Expect.refused(PgToasterException.class, () -> attach("content", Map.of()));
    assertThat(again).hasMessageContaining("already attached");
    database.run("CREATE TABLE keyless (content bytea)");
    Expect.refused(
        PgToasterException.class,
        () -> toaster.catalog().attach("keyless", "content", ToasterOptions.of("xor")));
    assertThat(toaster.catalog().status()).hasSize(1);
  }

  @Test
  void status_callsTheToaster() {
    attach("content", Map.of());
    assertThat(toaster.catalog().status().get(0).warnings()).isEmpty();
    database.run("ALTER TABLE other ALTER COLUMN content SET STORAGE EXTENDED");
    assertThat(toaster.catalog().status().get(0).warnings())
        .containsExactly("the storage of the column is not EXTERNAL");
    database.run("ALTER TABLE other DROP COLUMN content");
    assertThat(toaster.catalog().status().get(0).warnings())
        .containsExactly("the column was dropped; gc deletes its content");
  }

  @Test
  void verify_callsTheToaster() {
    attach("content", Map.of());
    database.run("INSERT INTO other VALUES (1)");
    toaster.blobs("other", "content").append(1, new byte[100_000]);
    assertThat(toaster.blobs("other", "content").verify(1)).isEmpty();
    database.run(
        "ALTER TABLE other ALTER COLUMN content SET STORAGE EXTENDED",
        "UPDATE other SET content = content || '\\x00'");
    assertThat(toaster.blobs("other", "content").verify(1))
        .containsExactly("the value is compressed");
  }

  @Test
  void gc_callsTheToaster_inSeparateSteps() {
    int store = attach("content", Map.of());
    database.run("INSERT INTO other VALUES (1, ''), (2, 'a')");
    GcReport listed = toaster.catalog().gc(NOW.withDryRun(true));
    assertThat(listed.items())
        .extracting(GcReport.Item::store, GcReport.Item::kind, GcReport.Item::description)
        .containsExactly(tuple(store, "empty", "rows with nothing: 1"));
    assertThat(database.number("SELECT count(content) FROM other")).isEqualTo(2);
    database.run(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'",
        "CREATE TRIGGER refuse BEFORE UPDATE ON other EXECUTE FUNCTION refuse()");
    GcReport failed = toaster.catalog().gc(NOW);
    assertThat(failed.items()).isEmpty();
    assertThat(failed.failures()).extracting(GcReport.Failure::store).containsExactly(store);
    assertThat(failed.kept())
        .extracting(
            GcReport.Item::store,
            GcReport.Item::kind,
            GcReport.Item::id,
            GcReport.Item::description)
        .containsExactly(tuple(store, "toy", (long) store, "grace PT0S, horizon PT168H"));
    database.run("DROP TRIGGER refuse ON other");
    assertThat(toaster.catalog().gc(NOW).items()).isEqualTo(listed.items());
    assertThat(database.number("SELECT count(content) FROM other")).isEqualTo(1);
  }

  @Test
  void gc_dropsTheStoreOfADroppedTable_withItsRoutines() {
    int store = attach("content", Map.of());
    database.run(
        "CREATE FUNCTION pgtoaster.store_"
            + store
            + "_toy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "DROP TABLE other");
    assertThat(toaster.catalog().gc(NOW).items())
        .extracting(GcReport.Item::kind)
        .containsExactly("store");
    assertThat(toaster.catalog().status()).isEmpty();
    assertThat(database.number("SELECT count(*) FROM pg_proc WHERE proname ~ '^store_.*_toy$'"))
        .isZero();
  }

  @Test
  void reportedExecutor_isUsed() {
    assertThat(Toasters.blobs().get("xor").executor()).isEqualTo(Toaster.Executor.SERVER);
    assertThat(Toasters.blobs().get("appendable").executor()).isEqualTo(Toaster.Executor.EXTENSION);
  }
}
