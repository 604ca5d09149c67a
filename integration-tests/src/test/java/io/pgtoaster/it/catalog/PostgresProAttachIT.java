package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.GcOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Postgres Pro's server, in addition to the contracts; see docs/postgrespro.md. */
class PostgresProAttachIT {
  private static final String BYTEA = "postgrespro-bytea";
  private static final String JSONB = "postgrespro-jsonb";

  @AutoClose private Fixture fx;
  private PgToaster toaster;

  @BeforeEach
  void open() {
    fx = new Fixture(new Setting(PostgresServers.POSTGRES_PRO, true), ColumnSpec.postgresPro());
    toaster = PgToaster.create(fx.database().dataSource());
  }

  private Object appendedTo() {
    Object key = fx.row(Bytes.random(1, 20_000));
    fx.own().append(key, Bytes.random(2, 5000));
    return key;
  }

  @Test
  void attach_isDisabledByDefault() {
    Database database = fx.database();
    database.run(
        "ALTER DATABASE " + database.name() + " RESET pgtoaster.postgrespro",
        "CREATE TABLE other (id int PRIMARY KEY, content bytea)");
    Expect.refused(
        UnsupportedCapabilityException.class,
        () -> toaster.catalog().attach("other", "content", ToasterOptions.of(BYTEA)));
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isEqualTo(1);
  }

  @Test
  void attach_ofAnUnsuitableColumn_isRefused() {
    fx.run(
        "CREATE TABLE other (id int PRIMARY KEY, content text)",
        "CREATE TABLE parted (id int PRIMARY KEY, content bytea) PARTITION BY RANGE (id)");
    for (String table : List.of("other", "parted")) {
      Expect.refused(
          ColumnNotFoundException.class,
          () -> toaster.catalog().attach(table, "content", ToasterOptions.of(BYTEA)));
    }
  }

  @Test
  void populatedColumn_isAttachedWithoutRewriting() {
    fx.run(
        "CREATE TABLE other (id int PRIMARY KEY, content bytea)",
        "INSERT INTO other VALUES (1, repeat('a', 20000)::bytea), (2, 'b'), (3, NULL)");
    toaster.catalog().attach("other", "content", ToasterOptions.of(BYTEA));
    BlobColumn blobs = toaster.blobs("other", "content");
    for (int key = 1; key <= 3; key++) {
      long before = blobs.length(key);
      blobs.append(key, Bytes.random(key, 3000));
      assertThat(blobs.length(key)).isEqualTo(before + 3000);
      assertThat(blobs.read(key, before, 5000)).isEqualTo(Bytes.random(key, 3000));
      assertThat(blobs.verify(key)).isEmpty();
    }
  }

  @Test
  void length_isCorrect_afterWritesByAnyClient() {
    Object key = appendedTo();
    String stale = "SELECT octet_length(content) FROM item" + fx.where(key);
    assertThat(fx.number(stale)).isEqualTo(20_000);
    assertThat(fx.own().length(key)).isEqualTo(25_000);
    fx.run("UPDATE item SET content = content || repeat('x', 3000)::bytea");
    assertThat(fx.own().length(key)).isEqualTo(28_000);
    assertThat(fx.own().append(key, new byte[7]).offset()).isEqualTo(28_000);
    fx.run("UPDATE item SET name = 'other'");
    assertThat(fx.own().length(key)).isEqualTo(28_007);
    fx.run("UPDATE item SET content = 'short'");
    assertThat(fx.own().length(key)).isEqualTo(5);
    fx.run("UPDATE item SET content = NULL");
    assertThat(fx.own().info(key)).isEmpty();
    assertThat(fx.own().append(key, new byte[7]).offset()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1500, 2500, 3976, 3977, 20_000})
  void snapshot_fromBeforeAppends_readsTheContentOfThatTime(int size) throws Exception {
    Object key = fx.row(Bytes.random(1, size));
    fx.own().append(key, Bytes.random(2, 500));
    byte[] before = fx.read(key);
    Connection old = fx.begin(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(fx.on(old).length(key)).isEqualTo(before.length);
    for (int i = 0; i < 20; i++) {
      fx.own().append(key, Bytes.random(i, 100 + 300 * i));
    }
    Connection writer = fx.begin();
    fx.on(writer).append(key, Bytes.random(3, 9000));
    fx.run("VACUUM item");
    assertThat(fx.on(old).read(key, 0, 100_000)).isEqualTo(before);
    assertThat(fx.on(old).verify(key)).isEmpty();
    assertThat(fx.own().verify(key)).isEmpty();
    old.rollback();
    writer.rollback();
    assertThat(fx.own().verify(key)).isEmpty();
  }

  /** A wide row moves even a short value out of line, into one chunk. */
  @Test
  void snapshotFromBeforeAnAppendToOneChunk_isRefused_andANewOneCanRead() throws Exception {
    fx.run("ALTER TABLE item ALTER COLUMN name SET STORAGE PLAIN");
    Object key = fx.row(Bytes.random(1, 1500));
    fx.run("UPDATE item SET name = repeat('wide', 400)" + fx.where(key));
    Connection old = fx.begin(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(fx.on(old).read(key, 0, 9000)).isEqualTo(Bytes.random(1, 1500));
    fx.own().append(key, Bytes.random(2, 9000));
    Expect.refused(ConcurrencyException.class, () -> fx.on(old).read(key, 0, 9000));
    old.rollback();
    assertThat(fx.on(old).length(key)).isEqualTo(10_500);
    assertThat(fx.on(old).verify(key)).isEmpty();
    old.rollback();
  }

  @Test
  void wrongLength_isFoundByVerify() {
    Object key = appendedTo();
    fx.run("UPDATE item SET pgtoaster_" + fx.store() + "_length = 24999");
    assertThat(fx.own().verify(key))
        .containsExactly("there are 25000 bytes, but the stored length is 24999");
  }

  @Test
  void append_beyondOneBillionBytes_isRefused() {
    Object key = appendedTo();
    fx.run("UPDATE item SET pgtoaster_" + fx.store() + "_length = 999999999");
    fx.own().append(key, new byte[1]);
    Expect.refused(InvalidOffsetException.class, () -> fx.own().append(key, new byte[1]));
    fx.run("UPDATE item SET content = content");
    assertThat(fx.own().length(key)).isEqualTo(25_001);
  }

  @Test
  void renamedColumn_isFollowed() {
    Object key = appendedTo();
    fx.run("ALTER TABLE item RENAME content TO audio");
    BlobColumn blobs = toaster.blobs("item", "audio");
    assertThat(blobs.describe().toaster()).isEqualTo(BYTEA);
    assertThat(blobs.append(key, new byte[5000]).end()).isEqualTo(30_000);
  }

  @Test
  void columnWithAnotherServerToaster_isRefused() {
    Object key = appendedTo();
    fx.run("ALTER TABLE item ALTER COLUMN content SET TOASTER deftoaster");
    BlobColumn blobs = toaster.blobs("item", "content");
    Expect.refused(CatalogException.class, () -> blobs.append(key, new byte[1]));
    Expect.refused(CatalogException.class, () -> blobs.length(key));
  }

  @Test
  void detach_leavesOrdinaryValues() {
    Object key = appendedTo();
    toaster.catalog().detach(ColumnName.of("item", "content"));
    assertThat(fx.number("SELECT octet_length(content) FROM item")).isEqualTo(25_000);
    assertThat(toaster.blobs("item", "content").describe().toaster()).isEqualTo("default");
    assertThat(toaster.blobs("item", "content").read(key, 20_000, 9000))
        .isEqualTo(Bytes.random(2, 5000));
    assertThat(
            fx.strings(
                "SELECT attname FROM pg_attribute WHERE attrelid = 'item'::regclass"
                    + " AND attname LIKE 'pgtoaster%' UNION ALL SELECT tgname FROM pg_trigger"
                    + " WHERE tgrelid = 'item'::regclass"))
        .isEmpty();
    toaster.catalog().attach("item", "content", ToasterOptions.of(BYTEA));
    assertThat(toaster.blobs("item", "content").append(key, new byte[1]).end()).isEqualTo(25_001);
  }

  @Test
  void gc_dropsTheRemainsOfADroppedTable() {
    fx.run("DROP TABLE item");
    toaster
        .catalog()
        .gc(
            GcOptions.defaults()
                .withDryRun(false)
                .withGrace(Duration.ZERO)
                .withTokenHorizon(Duration.ZERO));
    assertThat(fx.number("SELECT count(*) FROM pg_proc WHERE proname ~ '^store_[0-9]+_update$'"))
        .isZero();
    assertThat(toaster.catalog().status()).isEmpty();
  }

  @Test
  void documents_areAttachedAndDetachedUnchanged() {
    fx.run(
        "CREATE TABLE person (id int PRIMARY KEY, doc jsonb)",
        "INSERT INTO person SELECT 1, jsonb_build_object('a', jsonb_build_object('b',"
            + " jsonb_object_agg('k' || i, repeat(md5(i::text), 200))))"
            + " FROM generate_series(1, 300) i");
    String before = fx.string("SELECT doc FROM person");
    toaster.catalog().attach("person", "doc", ToasterOptions.of(JSONB));
    DocumentColumn documents = toaster.documents("person", "doc");
    documents.at(1, "b").set(7);
    documents.at(1, "b").remove();
    assertThat(toaster.catalog().status().get(1).warnings())
        .anyMatch(warning -> warning.contains("VACUUM FULL"));
    toaster.catalog().detach(ColumnName.of("person", "doc"));
    fx.run("VACUUM FULL person");
    assertThat(fx.string("SELECT doc FROM person")).isEqualTo(before);
  }

  /** Returns the setting only if the server supports logical replication slots. */
  static List<Setting> decoding() {
    return PostgresServers.shared(PostgresServers.POSTGRES_PRO)
            .database()
            .string("SHOW wal_level")
            .equals("logical")
        ? List.of(new Setting(PostgresServers.POSTGRES_PRO, true))
        : List.of();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("decoding")
  void writes_whileALogicalSlotExists_areRefused(Setting setting) {
    Object key = appendedTo();
    fx.run(
        "CREATE TABLE person (id int PRIMARY KEY, doc jsonb)",
        "INSERT INTO person VALUES (1, '{}')");
    toaster.catalog().attach("person", "doc", ToasterOptions.of(JSONB));
    DocumentColumn documents = toaster.documents("person", "doc");
    String slot = "slot_of_" + fx.database().name();
    fx.string("SELECT pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
    try {
      for (ThrowingCallable write :
          List.<ThrowingCallable>of(
              () -> fx.own().append(key, new byte[1]),
              () -> fx.own().append(key, new byte[5_000_000]),
              () -> fx.own().write(key, 0, new byte[1]),
              () -> fx.own().truncate(key, 1),
              () -> documents.at(1, "a").set(1),
              () -> documents.putJson(1, "{}"),
              () -> documents.at(1, "a").remove())) {
        Expect.refused(UnsupportedCapabilityException.class, write);
      }
      assertThat(fx.own().length(key)).isEqualTo(25_000);
      assertThat(toaster.catalog().status())
          .allMatch(s -> s.warnings().stream().anyMatch(w -> w.contains("logical")));
    } finally {
      fx.string("SELECT pg_drop_replication_slot('" + slot + "')");
    }
    assertThat(fx.own().append(key, new byte[1]).end()).isEqualTo(25_001);
    documents.at(1, "a").set(1);
  }
}
