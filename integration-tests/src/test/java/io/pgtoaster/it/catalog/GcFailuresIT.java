package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.GcOptions;
import io.pgtoaster.GcReport;
import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** If {@code gc} fails for a store, it reports the failure and what it removed elsewhere. */
class GcFailuresIT {
  private static final GcOptions REMOVE =
      GcOptions.defaults().withDryRun(false).withGrace(Duration.ZERO);

  @AutoClose private Fixture fx;

  @BeforeEach
  void leaveABlob() {
    fx = new Fixture(Setting.newest().get(0), ColumnSpec.appendable("{}"));
    fx.run(
        "ALTER TABLE item ADD COLUMN doc jsonb",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed', '{\"row_budget\": 256}')",
        "CREATE TABLE elsewhere (doc jsonb)");
    Object key = fx.row(Bytes.random(1, 20_000));
    documents().putJson(key, "{\"n\": \"" + "x".repeat(5000) + "\"}");
    fx.runWithoutTriggers("DELETE FROM item");
  }

  private DocumentColumn documents() {
    return PgToaster.create(fx.pool()).documents("item", "doc");
  }

  private long heads(int store) {
    return fx.number("SELECT count(*) FROM pgtoaster.store_" + store + "_head");
  }

  @Test
  void failingStore_isReported_withTheRemovalsThereAndElsewhere() {
    fx.run(
        "INSERT INTO pgtoaster.store_1_garbage VALUES (7, true)",
        "CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE EXCEPTION 'it stays'; END $$",
        "CREATE TRIGGER keep BEFORE DELETE ON pgtoaster.store_1_garbage FOR EACH ROW WHEN (OLD.id = 7) EXECUTE FUNCTION keep()");
    GcReport report = PgToaster.create(fx.pool()).catalog().gc(REMOVE);
    assertThat(report.items()).extracting(GcReport.Item::kind).containsExactly("blob", "document");
    assertThat(report.failures())
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.store()).isEqualTo(1);
              assertThat(failure.cause())
                  .hasMessageContaining("store 1, public.item.content: ")
                  .hasMessageContaining("it stays");
            });
    assertThat(heads(1)).isZero();
    assertThat(heads(2)).isZero();
  }

  @Test
  void lockedTable_stopsGcOnlyForItsOwnDocuments() throws SQLException {
    try (Connection locking = fx.begin();
        HikariDataSource impatient = fx.database().pool(1, "SET lock_timeout = '100ms'")) {
      Sql.run(locking, "LOCK TABLE elsewhere");
      GcReport report = PgToaster.create(impatient).catalog().gc(REMOVE);
      assertThat(report.failures()).extracting(GcReport.Failure::store).containsExactly(2);
      assertThat(report.failures().get(0).cause().sqlState()).isEqualTo("55P03");
      assertThat(report.items()).extracting(GcReport.Item::kind).containsExactly("blob");
      locking.rollback();
    }
    assertThat(PgToaster.create(fx.pool()).catalog().gc(REMOVE).failures()).isEmpty();
    assertThat(heads(2)).isZero();
  }

  /** Applies only if the session has not set a limit. Later statements wait as long as before. */
  @Test
  void lockWait_isLimited() throws SQLException {
    fx.run(
        "CREATE TABLE seen (lock_timeout text)",
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " INSERT INTO public.seen VALUES (current_setting('lock_timeout')); RETURN OLD; END $$",
        "CREATE TRIGGER note BEFORE DELETE ON pgtoaster.store_2_head FOR EACH ROW EXECUTE FUNCTION note()");
    try (Connection connection = fx.begin()) {
      PgToaster.on(connection).catalog().gc(REMOVE);
      assertThat(Sql.string(connection, "SELECT lock_timeout FROM seen")).isEqualTo("10s");
      assertThat(Sql.string(connection, "SHOW lock_timeout")).isEqualTo("0");
      connection.rollback();
      Sql.run(connection, "SET lock_timeout = '7s'");
      PgToaster.on(connection).catalog().gc(REMOVE);
      assertThat(Sql.string(connection, "SELECT lock_timeout FROM seen")).isEqualTo("7s");
      connection.rollback();
    }
  }
}
