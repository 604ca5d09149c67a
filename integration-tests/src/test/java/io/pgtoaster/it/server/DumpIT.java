package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.NeedsDistribution;
import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** pg_dump and pg_restore, on the version whose client tools are installed. */
@NeedsDistribution
class DumpIT {
  @TempDir Path directory;

  @Test
  void restoredDatabase_hasItsContent_andAcceptsAppends() throws Exception {
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    try (Fixture fx = new Fixture(new Setting(15, true), ColumnSpec.appendable("{}"))) {
      Object key = fx.row(Bytes.random(1, 100_000));
      fx.own().append(key, Bytes.random(2, 3000));
      fx.own().append(key, Bytes.random(3, 10), AppendOptions.defaults().withToken(token));
      byte[] content = fx.read(key);

      Database fresh = copy(fx.database());
      PgToaster toaster = PgToaster.create(fresh.dataSource());
      BlobColumn blobs = toaster.blobs("item", "content");
      assertThat(blobs.read(key, 0, content.length + 1)).isEqualTo(content);
      assertThat(blobs.append(key, Bytes.random(3, 10), AppendOptions.defaults().withToken(token)))
          .extracting(r -> r.repeated())
          .isEqualTo(true);
      blobs.append(key, Bytes.random(4, 20_000));
      assertThat(blobs.verify(key)).isEmpty();
      fresh.run("INSERT INTO item (id) VALUES (1000)");
      blobs.append(1000, Bytes.random(5, 20_000));
      assertThat(blobs.read(1000, 0, 30_000)).isEqualTo(Bytes.random(5, 20_000));
      assertThat(toaster.catalog().status().get(0).warnings()).isEmpty();
      fresh.run("DELETE FROM item");
      assertThat(toaster.catalog().status().get(0).contents()).isZero();
      toaster.catalog().install();
      fx.assertContent(key, content);
    }
  }

  @Test
  void restoredDatabase_hasItsDocuments_andCleansUp() throws Exception {
    Database database = PostgresServers.shared(15).installed();
    database.run(
        "CREATE TABLE item (id int PRIMARY KEY, doc jsonb CHECK (doc->>'id' <> ''))",
        "INSERT INTO item VALUES (1)");
    int store = (int) database.number("SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    new Nodes(database, store).sample("item", "doc", "id = 1", 1);
    Database fresh = copy(database);
    assertThat(fresh.string("SELECT pgtoaster.expand(doc) FROM item"))
        .isEqualTo(database.string("SELECT CAST('%s' AS jsonb)".formatted(Nodes.SAMPLE)));
    assertThat(fresh.string("SELECT warnings FROM pgtoaster.status()")).isEqualTo("{}");
    fresh.run("UPDATE item SET id = 2");
    assertThat(fresh.string("SELECT pgtoaster.get(doc, '{cc}') FROM item")).isEqualTo("2");
    Nodes nodes = new Nodes(fresh, store);
    assertThat(nodes.head(3))
        .isGreaterThan(fresh.number("SELECT pgtoaster.document_id(doc) FROM item"));
    fresh.run("DELETE FROM item");
    assertThat(nodes.heads()).isEqualTo(1);
    PgToaster.create(fresh.dataSource()).catalog().install();
  }

  @Test
  void restoredDatabase_findsStoresInTheSchemaOfTheirTable() throws Exception {
    Database database = PostgresServers.shared(15).installed();
    database.run(
        "CREATE SCHEMA app",
        "CREATE TABLE app.item (id int PRIMARY KEY, doc jsonb)",
        "INSERT INTO app.item VALUES (1)",
        "SELECT pgtoaster.attach('app.item', 'content', 'appendable', '{\"store_schema\":"
            + " \"owner\"}')",
        "SELECT pgtoaster.attach('app.item', 'doc', 'keyed', '{\"store_schema\": \"owner\"}')",
        "ALTER TABLE app.item ENABLE ROW LEVEL SECURITY",
        "SELECT pgtoaster.mirror_privileges('app.item')",
        "ALTER SCHEMA app RENAME TO renamed",
        "SELECT pgtoaster.mirror_privileges('renamed.item')");
    byte[] content = Bytes.random(1, 100_000);
    String document = "{\"a\": \"" + "x".repeat(9000) + "\"}";
    PgToaster before = PgToaster.create(database.dataSource());
    before.blobs(ColumnName.of("renamed", "item", "content")).append(1, content);
    before.documents(ColumnName.of("renamed", "item", "doc")).putJson(1, document);
    Database fresh = copy(database);
    PgToaster after = PgToaster.create(fresh.dataSource());
    assertThat(after.blobs(ColumnName.of("renamed", "item", "content")).read(1, 0, 200_000))
        .isEqualTo(content);
    assertThat(after.documents(ColumnName.of("renamed", "item", "doc")).text(1)).hasValue(document);
    assertThat(after.catalog().status()).allMatch(s -> s.warnings().isEmpty());
    fresh.run("DELETE FROM renamed.item");
    assertThat(after.catalog().status()).extracting(s -> s.contents()).containsOnly(0L);
    after.catalog().detach(ColumnName.of("renamed", "item", "content"));
    after.catalog().detach(ColumnName.of("renamed", "item", "doc"));
    assertThat(fresh.number("SELECT count(*) FROM pg_class WHERE relname ~ '^store_[0-9]'"))
        .isZero();
  }

  @Test
  void restoredDatabase_keepsRowSecurityOfItsStores() throws Exception {
    Database database = PostgresServers.shared(15).installed();
    String role = database.name() + "_tenant";
    database.run(
        "CREATE ROLE " + role + " LOGIN",
        "CREATE TABLE item (id int PRIMARY KEY, tenant name, content bigint)",
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON item USING (tenant = current_user)",
        "GRANT SELECT, UPDATE ON item TO " + role,
        "SELECT pgtoaster.attach('item', 'content')",
        "INSERT INTO item VALUES (1, '" + role + "'), (2, 'other')");
    byte[] content = Bytes.random(1, 100_000);
    for (int id : new int[] {1, 2}) {
      PgToaster.create(database.dataSource()).blobs("item", "content").append(id, content);
    }
    Database fresh = copy(database);
    assertThat(fresh.string("SELECT warnings FROM pgtoaster.status()")).isEqualTo("{}");
    BlobColumn blobs = PgToaster.create(fresh.dataSource(role)).blobs("item", "content");
    blobs.append(1, Bytes.random(2, 3));
    assertThat(blobs.read(1, 0, content.length)).isEqualTo(content);
    try (Connection c = fresh.connect(role)) {
      assertThat(Sql.strings(c, "SELECT DISTINCT blob_id FROM pgtoaster.store_1_chunk")).hasSize(1);
    }
    for (Database each : new Database[] {fresh, database}) {
      each.run("DROP OWNED BY " + role);
    }
    fresh.run("DROP ROLE " + role);
  }

  private Database copy(Database database) throws Exception {
    Server server = database.server();
    PostgresBinaries tools = PostgresServers.binaries(15);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    String dump = directory.resolve("dump").toString();
    String port = Integer.toString(server.postgres().port());
    Map<String, String> at =
        Map.of(
            "PGHOST",
            "127.0.0.1",
            "PGPORT",
            port,
            "PGUSER",
            server.postgres().user(),
            "PGPASSWORD",
            server.postgres().password());
    tools.run(directory, at, "pg_dump", List.of("-Fc", "-f", dump, database.name()));
    Database fresh = server.database();
    tools.run(directory, at, "pg_restore", List.of("--exit-on-error", "-d", fresh.name(), dump));
    return fresh;
  }
}
