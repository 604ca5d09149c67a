package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.Catalog;
import io.pgtoaster.ColumnStatus;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Upgrades a catalog of the previous version with stores that contain data. */
@ParameterizedClass(name = "{0}")
@MethodSource("settings")
class UpgradeIT {
  static final String DOCUMENT =
      IntStream.range(0, 200)
          .mapToObj(i -> "\"k%d\": {\"n\": %d, \"text\": \"%s\"}".formatted(i, i, "x".repeat(60)))
          .collect(Collectors.joining(", ", "{\"map\": {", "}, \"list\": [1, 2, 3]}"));

  private static final String FUNCTIONS =
      "SELECT CAST(oid::regprocedure AS text) FROM pg_proc WHERE proname !~ '^store_[0-9]+_'"
          + " AND pronamespace = 'pgtoaster'::regnamespace ORDER BY 1";

  @Parameter Setting setting;

  @AutoClose private Database database;
  private PgToaster toaster;

  static List<Setting> settings() {
    return Setting.edgesByBoth();
  }

  @BeforeEach
  void makeAndFill() {
    database = PostgresServers.shared(setting.version()).installedOlder();
    database.run(
        "CREATE SCHEMA app",
        "CREATE TABLE app.item (tenant bigint, id bigint, content bigint, doc jsonb, PRIMARY KEY (tenant, id))",
        "SELECT pgtoaster.attach('app.item', 'content', 'appendable', '{\"leading_key\": \"tenant\", \"crc32c\": true}')",
        "SELECT pgtoaster.attach('app.item', 'doc', 'keyed', '{\"store_schema\": \"owner\", \"row_budget\": 256, \"leaf_size\": 512}')",
        "INSERT INTO app.item SELECT 1, i FROM generate_series(1, 3) i",
        "SELECT pgtoaster.blob_append('app.item', 'content', '{1,3}', 'written by version 13')",
        "SELECT pgtoaster.blob_append('app.item', 'content', '{1,1}', decode('%s', 'hex'))"
            .formatted(HexFormat.of().formatHex(Bytes.random(1, 50_000))),
        "UPDATE app.item SET doc = pgtoaster.set('{}', '{a}', '13') WHERE id = 3",
        // This library fills the store of documents, whose tables are the same in both versions.
        "UPDATE pgtoaster.version SET version = " + ColumnLookup.CATALOG_VERSION);
    setting.prepare(database);
    toaster = PgToaster.create(database.dataSource());
    List<Object> key = List.of(1, 1);
    PgToaster executor = setting.extension() ? toaster : toaster.withoutExtension();
    executor.documents(ColumnName.of("app", "item", "doc")).putJson(key, DOCUMENT);
    database.run("UPDATE pgtoaster.version SET version = " + Server.OLDER_VERSION);
  }

  private void assertContent() {
    List<Object> key = List.of(1, 1);
    for (PgToaster executor : List.of(toaster, toaster.withoutExtension())) {
      BlobColumn blobs = executor.blobs(ColumnName.of("app", "item", "content"));
      assertThat(blobs.read(key, 0, 50_000)).isEqualTo(Bytes.random(1, 50_000));
      assertThat(blobs.verify(key)).isEmpty();
      DocumentColumn documents = executor.documents(ColumnName.of("app", "item", "doc"));
      assertThat(documents.text(key).map(Documents::canonical))
          .hasValue(
              Documents.canonical(
                  database.string("SELECT CAST(" + Sql.literal(DOCUMENT) + " AS jsonb)")));
      assertThat(documents.verify(key)).isEmpty();
    }
    assertThat(
            database.string("SELECT pgtoaster.get(doc, '{map,k7,n}') FROM app.item WHERE id = 1"))
        .isEqualTo("7");
    assertThat(
            database.string(
                "SELECT convert_from(pgtoaster.bytes(content), 'UTF8') || doc FROM app.item WHERE id = 3"))
        .isEqualTo("written by version 13{\"a\": 13}");
  }

  @Test
  void install_upgrades_andKeepsEveryByte() {
    assertThat(
            Expect.refused(
                CatalogException.class,
                () -> toaster.blobs(ColumnName.of("app", "item", "content")).length(List.of(1, 1))))
        .hasMessageContaining("Catalog.install()");
    Catalog catalog = toaster.catalog();
    catalog.install();
    assertThat(catalog.installedVersion()).isEqualTo(ColumnLookup.CATALOG_VERSION);
    assertContent();
    assertThat(
            database.number(
                "SELECT count(*) FROM pg_proc WHERE proname ~ '^store_[0-9]+_release$'"
                    + " AND prosrc LIKE '%was rewritten after this transaction took its snapshot%'"))
        .as("trigger functions of this version")
        .isEqualTo(2);
    assertThat(database.strings(FUNCTIONS))
        .as("no functions remain that only the older catalog has")
        .isEqualTo(PostgresServers.shared(setting.version()).installed().strings(FUNCTIONS));
    assertThat(catalog.status()).flatExtracting(ColumnStatus::warnings).isEmpty();
    BlobColumn blobs = toaster.blobs(ColumnName.of("app", "item", "content"));
    DocumentColumn documents = toaster.documents(ColumnName.of("app", "item", "doc"));
    blobs.append(List.of(1, 1), Bytes.random(2, 9000));
    blobs.append(List.of(1, 2), Bytes.random(3, 9000));
    documents.at(List.of(1, 1), "map.k7").set("changed");
    documents.putJson(List.of(1, 2), DOCUMENT);
    assertThat(blobs.verify(List.of(1, 1))).isEmpty();
    assertThat(documents.verify(List.of(1, 1))).isEmpty();
    assertThat(blobs.discardBefore(List.of(1, 1), 20_000)).isEqualTo(20_000);
    assertThat(blobs.verify(List.of(1, 1))).isEmpty();
    database.run("DELETE FROM app.item");
    Options.collect(database);
    assertThat(catalog.status()).extracting(ColumnStatus::contents).containsOnly(0L);
    for (String column : List.of("content", "doc")) {
      catalog.detach(ColumnName.of("app", "item", column));
    }
  }

  /** A session that has read the catalog's views prevents their replacement. */
  @Test
  void install_thatFails_leavesTheOlderCatalog() throws SQLException {
    try (Connection reader = database.connect();
        Connection c = database.connect()) {
      reader.setAutoCommit(false);
      Sql.strings(reader, "SELECT column_name FROM pgtoaster.attached_column");
      Sql.run(c, "SET lock_timeout = '100ms'");
      assertThat(
              Expect.refused(PgToasterException.class, () -> PgToaster.on(c).catalog().install()))
          .extracting(PgToasterException::sqlState)
          .isEqualTo("55P03");
    }
    assertThat(toaster.catalog().installedVersion()).isEqualTo(Server.OLDER_VERSION);
    toaster.catalog().install();
    assertContent();
  }
}
