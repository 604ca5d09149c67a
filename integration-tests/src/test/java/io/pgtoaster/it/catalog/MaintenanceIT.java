package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Setting;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Administrators' changes to tables. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class MaintenanceIT {
  @Parameter int version;

  @AutoClose private Fixture fx;
  private Object key;
  private byte[] content;

  @BeforeEach
  void open() {
    fx = new Fixture(new Setting(version, true), ColumnSpec.appendable("{}"));
    key = fx.row(Bytes.random(1, 100_000));
    fx.own().append(key, Bytes.random(2, 3000));
    fx.own().append(key, Bytes.random(3, 10));
    content = fx.read(key);
  }

  @Test
  void vacuumFull_keepsTheContentAndOpenHandles() {
    BlobColumn blobs = fx.own();
    try (BlobReader reader = blobs.open(key)) {
      for (String part : new String[] {"head", "chunk", "piece", "token", "garbage"}) {
        fx.run("VACUUM FULL " + fx.table(part), "REINDEX TABLE " + fx.table(part));
      }
      fx.run("VACUUM FULL item", "CLUSTER item USING item_pkey", "ANALYZE");
      byte[] read = new byte[content.length];
      assertThat(reader.read(0, read, 0, read.length)).isEqualTo(content.length);
      assertThat(read).isEqualTo(content);
    }
    blobs.append(key, Bytes.random(4, 20_000));
    fx.assertContent(key, Bytes.concat(content, Bytes.random(4, 20_000)));
  }

  @Test
  void renames_areFollowed() {
    fx.run(
        "CREATE SCHEMA elsewhere",
        "ALTER TABLE item RENAME TO thing",
        "ALTER TABLE thing RENAME COLUMN content TO bytes",
        "ALTER TABLE thing RENAME COLUMN id TO number",
        "ALTER TABLE thing SET SCHEMA elsewhere");
    PgToaster toaster = PgToaster.create(fx.pool());
    BlobColumn blobs = toaster.blobs(ColumnName.of("elsewhere", "thing", "bytes"));
    assertThat(blobs.read(key, 0, 200_000)).isEqualTo(content);
    blobs.append(key, Bytes.random(4, 20_000));
    assertThat(blobs.verify(key)).isEmpty();
    assertThat(toaster.catalog().status().get(0).warnings()).isEmpty();
    assertThat(toaster.catalog().status().get(0).column())
        .isEqualTo(ColumnName.of("elsewhere", "thing", "bytes"));
    Options.collect(fx.database());
    assertThat(blobs.length(key)).isEqualTo(content.length + 20_000);
    fx.run("DELETE FROM elsewhere.thing");
    assertThat(toaster.catalog().status().get(0).contents()).isZero();
  }

  @Test
  void renameWithAnOpenHandle_isNoticedOrFollowed() {
    BlobColumn blobs = fx.own();
    blobs.append(key, Bytes.random(4, 10));
    fx.run("ALTER TABLE item RENAME TO thing");
    Expect.refused(PgToasterException.class, () -> blobs.length(key));
    fx.run("ALTER TABLE thing RENAME TO item");
    assertThat(blobs.length(key)).isEqualTo(content.length + 10);
  }

  @Test
  void addedAndDroppedColumns_haveNoEffect() {
    BlobColumn blobs = fx.own();
    blobs.append(key, Bytes.random(4, 10));
    fx.run("ALTER TABLE item ADD COLUMN more text", "ALTER TABLE item DROP COLUMN name");
    blobs.append(key, Bytes.random(5, 20_000));
    fx.assertContent(key, Bytes.concat(content, Bytes.random(4, 10), Bytes.random(5, 20_000)));
    fx.run("DELETE FROM item");
    assertThat(fx.orphans()).isEmpty();
  }

  /** The names of two columns are swapped, so that cached metadata is wrong for both. */
  @Test
  void columnsThatSwapNamesWithAnOpenHandle_areLookedUpAgain() {
    fx.run("ALTER TABLE item ADD COLUMN other bigint");
    fx.string("SELECT pgtoaster.attach('item'::regclass, 'other')");
    PgToaster toaster = PgToaster.create(fx.pool());
    BlobColumn blobs = toaster.blobs(Fixture.TABLE, Fixture.COLUMN);
    BlobColumn others = toaster.blobs(Fixture.TABLE, "other");
    byte[] other = Bytes.random(8, 30_000);
    others.append(key, other);
    assertThat(blobs.length(key)).isEqualTo(content.length);
    fx.run(
        "INSERT INTO item (id) VALUES (1000000)",
        "ALTER TABLE item RENAME COLUMN content TO aside",
        "ALTER TABLE item RENAME COLUMN other TO content",
        "ALTER TABLE item RENAME COLUMN aside TO other");
    assertThat(blobs.append(1_000_000, other).offset()).isZero();
    assertThat(blobs.read(1_000_000, 0, 50_000)).isEqualTo(other);
    assertThat(others.append(key, new byte[10_000]).offset()).isEqualTo(content.length);
    BlobColumn swapped = PgToaster.create(fx.pool()).blobs(Fixture.TABLE, Fixture.COLUMN);
    assertThat(swapped.length(key)).isEqualTo(other.length);
    assertThat(swapped.verify(key)).isEmpty();
    assertThat(others.verify(key)).isEmpty();
  }
}
