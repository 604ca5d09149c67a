package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.GcOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The content that {@code gc} removes and the content that it must keep. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class GcIT {
  @Parameter int version;

  @AutoClose private Fixture fx;

  @BeforeEach
  void open() {
    fx = new Fixture(new Setting(version, true), ColumnSpec.appendable("{}"));
  }

  private long heads() {
    return fx.number("SELECT count(*) FROM " + fx.table("head"));
  }

  private Object orphan() {
    Object key = fx.row(Bytes.random(1, 20_000));
    fx.run("SET session_replication_role = replica", "DELETE FROM item" + fx.where(key));
    assertThat(fx.orphans()).isNotEmpty();
    return key;
  }

  @Test
  void orphans_areListedByDefault_andRemovedOnRequest() {
    orphan();
    Object live = fx.row(Bytes.random(2, 20_000));
    GcOptions dry = GcOptions.defaults().withGrace(Duration.ZERO);
    var report = PgToaster.create(fx.database().dataSource()).catalog().gc(dry);
    assertThat(report.removed()).isFalse();
    assertThat(report.items()).hasSize(1);
    assertThat(report.bytes()).isPositive();
    assertThat(heads()).isEqualTo(2);
    assertThat(Options.collect(fx.database()).removed()).isTrue();
    assertThat(fx.orphans()).isEmpty();
    fx.assertContent(live, Bytes.random(2, 20_000));
    assertThat(PgToaster.create(fx.database().dataSource()).catalog().gc(dry).items()).isEmpty();
  }

  @Test
  void gcByDefault_removesNothing() {
    orphan();
    assertThat(GcOptions.defaults().dryRun()).isTrue();
    PgToaster.create(fx.database().dataSource()).catalog().gc(GcOptions.defaults());
    assertThat(heads()).isEqualTo(1);
  }

  @Test
  void youngOrphans_areKeptForTheGracePeriod() {
    orphan();
    Options.collect(fx.database(), Duration.ofHours(1), Duration.ofDays(7));
    assertThat(heads()).isEqualTo(1);
  }

  @Test
  void orphansThatARunningTransactionMayReference_areKept() throws SQLException {
    Connection old = fx.begin();
    Sql.run(old, "SELECT 1");
    orphan();
    Options.collect(fx.database());
    assertThat(heads()).isEqualTo(1);
    old.commit();
    Options.collect(fx.database());
    assertThat(heads()).isZero();
  }

  @Test
  void contentWhoseRowIsBeingInserted_isKept() throws SQLException {
    Object gone = fx.row(Bytes.random(1, 20_000));
    long blob = fx.handle(gone);
    fx.run("SET session_replication_role = replica", "DELETE FROM item" + fx.where(gone));
    Connection owner = fx.begin();
    Sql.run(
        owner, "INSERT INTO item (id, content) VALUES (1000, " + blob + ")", "SELECT pg_sleep(0)");
    Options.collect(fx.database());
    owner.commit();
    fx.assertContent(1000L, Bytes.random(1, 20_000));
  }

  @Test
  void droppedTable_leavesItsStoreToGc() {
    fx.row(Bytes.random(1, 20_000));
    fx.run("DROP TABLE item");
    assertThat(fx.string("SELECT array_to_string(warnings, ' ') FROM pgtoaster.status()"))
        .isEqualTo("the table of the column content was dropped; gc deletes its content");
    Options.collect(fx.database());
    assertThat(fx.string("SELECT to_regclass('" + fx.table("head") + "')")).isNull();
    assertThat(fx.number("SELECT count(*) FROM pgtoaster.store")).isZero();
  }

  @Test
  void droppedColumn_leavesItsStoreToGc() {
    fx.row(Bytes.random(1, 20_000));
    fx.run("ALTER TABLE item DROP COLUMN content CASCADE");
    Options.collect(fx.database());
    assertThat(fx.string("SELECT to_regclass('" + fx.table("head") + "')")).isNull();
    assertThat(fx.number("SELECT count(*) FROM pgtoaster.store")).isZero();
    fx.run("INSERT INTO item (id) VALUES (99)", "DELETE FROM item");
  }

  @Test
  void storesOfDroppedTables_areDroppedThroughSql() {
    Object key = fx.row(Bytes.random(1, 20_000));
    fx.run(
        "CREATE TABLE other (id int PRIMARY KEY)",
        "SELECT pgtoaster.attach('other', 'audio')",
        "SELECT pgtoaster.attach('other', 'doc', 'keyed')",
        "CREATE TABLE plain (id int PRIMARY KEY, doc jsonb)",
        "SELECT pgtoaster.attach('plain', 'doc', 'default')");
    assertThat(dropOrphanedStores()).isEmpty();
    fx.run("DROP TABLE other, plain");
    int store = fx.store();
    assertThat(dropOrphanedStores())
        .containsExactly("" + (store + 1), "" + (store + 2), "" + (store + 3));
    assertThat(dropOrphanedStores()).isEmpty();
    assertThat(
            fx.strings(
                "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'store%'"))
        .allMatch(t -> t.equals("store") || t.startsWith("store_" + store + "_"));
    fx.assertContent(key, Bytes.random(1, 20_000));
  }

  @Test
  void storeReferencedByADetachedPartition_isKept() {
    fx.run(
        "CREATE TABLE event (id int PRIMARY KEY) PARTITION BY LIST (id)",
        "CREATE TABLE event_1 PARTITION OF event FOR VALUES IN (1)",
        "INSERT INTO event VALUES (1)",
        "SELECT pgtoaster.attach('event', 'audio')");
    PgToaster.create(fx.database().dataSource()).blobs("event", "audio").append(1, new byte[9]);
    fx.run("ALTER TABLE event DETACH PARTITION event_1", "DROP TABLE event");
    assertThat(dropOrphanedStores()).isEmpty();
    assertThat(fx.number("SELECT pgtoaster.blob_length(audio) FROM event_1")).isEqualTo(9);
    fx.run("DROP TABLE event_1");
    assertThat(dropOrphanedStores()).hasSize(1);
  }

  private List<String> dropOrphanedStores() {
    return fx.strings("SELECT pgtoaster.drop_orphaned_stores()");
  }

  @Test
  void contentWithoutItsForeignKey_isKept() {
    Object key = fx.row(Bytes.random(1, 20_000));
    fx.run("ALTER TABLE item DROP CONSTRAINT pgtoaster_" + fx.store() + "_head");
    Options.collect(fx.database());
    fx.assertContent(key, Bytes.random(1, 20_000));
  }

  @Test
  void truncate_leavesNothing() {
    fx.row(Bytes.random(1, 20_000));
    fx.row(Bytes.random(2, 10));
    fx.run("TRUNCATE item");
    assertThat(heads()).isZero();
    assertThat(fx.orphans()).isEmpty();
    assertThat(fx.number("SELECT count(*) FROM " + fx.table("garbage"))).isZero();
  }

  @Test
  void insertSelectOfHandles_isRefusedOnAnUnpartitionedTable() {
    Object key = fx.row(Bytes.random(1, 20_000));
    assertThatThrownBy(
            () ->
                Sql.run(fx.connect(), "INSERT INTO item SELECT id + 1000, name, content FROM item"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
    fx.assertContent(key, Bytes.random(1, 20_000));
  }

  @Test
  void contentOfADeletedRow_isReleasedWithoutAScanOfAllConstraints() throws SQLException {
    Object key = fx.row(Bytes.random(1, 20_000));
    Connection c = fx.begin();
    Sql.run(
        c,
        "CREATE TABLE much (a integer)",
        """
        DO $$ BEGIN
          FOR i IN 1..500 LOOP
            EXECUTE format('ALTER TABLE much ADD CONSTRAINT c%s CHECK (a <> %s) NOT VALID', i, i);
          END LOOP;
        END $$""");
    String scans = "SELECT seq_scan FROM pg_stat_xact_sys_tables WHERE relname = 'pg_constraint'";
    long before = Sql.number(c, scans);
    Sql.run(c, "DELETE FROM item" + fx.where(key), "SET CONSTRAINTS ALL IMMEDIATE");
    assertThat(Sql.number(c, scans)).isEqualTo(before);
    c.commit();
    assertThat(heads()).isZero();
  }

  @Test
  void veryLargeContent_isRemovedByGc() {
    Object key = fx.row();
    byte[] piece = Bytes.random(1, 35 << 20);
    fx.own().append(key, piece);
    fx.own().append(key, piece);
    fx.run("DELETE FROM item" + fx.where(key));
    assertThat(heads()).isZero();
    assertThat(fx.number("SELECT count(*) FROM " + fx.table("garbage"))).isEqualTo(1);
    Options.collect(fx.database());
    assertThat(fx.number("SELECT count(*) FROM " + fx.table("garbage"))).isZero();
    assertThat(fx.orphans()).isEmpty();
  }
}
