package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.Catalog;
import io.pgtoaster.DetachOptions;
import io.pgtoaster.GcOptions;
import io.pgtoaster.Migration;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.blob.StreamOptions;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Traps;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Other roles can create objects in a schema of the search path, or in the schema of a table with a
 * store. The code in these objects must not run with the rights of the library's user. This test
 * runs every call once, over rows with an enum and a varchar in their key. With the property
 * pgtoaster.test.traps all tests have the traps.
 */
@TestInstance(Lifecycle.PER_CLASS)
class SearchPathIT {
  private Database database;
  private HikariDataSource pool;
  private PgToaster whole;
  private Path log;
  private long since;
  private long traps;

  @BeforeAll
  void setTraps() throws Exception {
    Setting setting = Setting.newestByBoth().get(Setting.newestByBoth().size() - 1);
    boolean extension = PostgresServers.offersExtension(setting.version());
    database = (extension ? setting.withExtension() : setting).installed();
    database.run(
        "CREATE TYPE mood AS ENUM ('good', 'bad')",
        "CREATE SCHEMA owned",
        "CREATE TABLE item (mood mood, code varchar(40), PRIMARY KEY (mood, code))",
        "INSERT INTO item SELECT 'good', 'row ' || g FROM generate_series(1, 9) g",
        "CREATE TABLE owned.item (LIKE item INCLUDING ALL)",
        "INSERT INTO owned.item SELECT * FROM item");
    try (Connection c = database.connect()) {
      traps = Traps.set(c, false);
    }
    database.close();
    pool = database.pool(4);
    whole = PgToaster.create(pool);
    log = database.server().postgres().logFile();
  }

  @AfterAll
  void close() throws Exception {
    pool.close();
    database.close();
  }

  @BeforeEach
  void listen() {
    since = Traps.end(log);
  }

  @AfterEach
  void noTrapFires() {
    assertThat(Traps.fired(log, since)).isEmpty();
  }

  private List<PgToaster> executors() {
    return List.of(whole.withoutExtension(), whole);
  }

  private static List<String> key(int row) {
    return List.of("good", "row " + row);
  }

  private void column(String schema, String name, String type) {
    database.run("ALTER TABLE " + schema + ".item ADD COLUMN " + name + " " + type);
    since = Traps.end(log);
  }

  @Test
  void blobs_callOnlyTheServersFunctions() throws Exception {
    Catalog catalog = whole.catalog();
    for (String schema : List.of("public", "owned")) {
      boolean own = schema.equals("owned");
      BlobOptions options =
          BlobOptions.defaults().withChunkSize(512).withTail(16).withInOwnerSchema(own);
      column(schema, "plain", "bigint");
      column(schema, "led", "bigint");
      catalog.attach(ColumnName.of(schema, "item", "plain"), options.withNotifyFollowers(true));
      catalog.attach(
          ColumnName.of(schema, "item", "led"),
          options.withTail(0).withLeadingKey("code").withCrc32c(true));
      for (PgToaster executor : executors()) {
        for (String column : List.of("plain", "led")) {
          use(executor.blobs(ColumnName.of(schema, "item", column)));
        }
      }
      catalog.setOptions(
          ColumnName.of(schema, "item", "plain"), BlobOptions.defaults().withTail(32));
      catalog.detach(
          ColumnName.of(schema, "item", "led"), DetachOptions.defaults().withDropContent(true));
    }
    tend(catalog);
    Figures.add("SearchPathIT#blobs_callOnlyTheServersFunctions", "traps", traps);
  }

  private void use(BlobColumn blobs) throws Exception {
    Object key = key(1);
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    blobs.append(key, Bytes.text(1, 3));
    blobs.append(key, Bytes.text(2, 40));
    blobs.append(key, Bytes.text(3, 9), AppendOptions.defaults().withToken(token));
    blobs.append(key, Bytes.text(3, 9), AppendOptions.defaults().withToken(token));
    blobs.append(key, Bytes.text(4, 4000), AppendOptions.defaults().withExpectedOffset(52));
    blobs.append(key, new ByteArrayInputStream(Bytes.text(5, 300_000)));
    blobs.length(key);
    blobs.info(key);
    blobs.read(key, 500, 20);
    blobs.read(key, 0, 300_000);
    try (BlobReader reader = blobs.open(key)) {
      assertThat(reader.read(100, new byte[5000], 0, 5000)).isEqualTo(5000);
    }
    try (InputStream in = blobs.inputStream(key, 3, 9000)) {
      assertThat(in.readAllBytes()).hasSize(9000);
    }
    try (var out =
        blobs.appendStream(
            key,
            StreamOptions.defaults().withCommitEvery(1024).withWriter(AppendToken.newWriter()))) {
      out.write(Bytes.text(6, 3000));
    }
    try (InputStream in =
        blobs.follow(key, FollowOptions.defaults().withTimeout(Duration.ofMillis(1)))) {
      assertThat(in.readNBytes(10)).hasSize(10);
    }
    blobs.write(key, 520, Bytes.text(7, 20));
    blobs.write(key, 100, Bytes.text(7, 9000));
    blobs.truncate(key, 6000);
    blobs.truncate(key, 5990);
    try (var channel = blobs.channel(key)) {
      channel.position(10);
      channel.write(java.nio.ByteBuffer.wrap(Bytes.text(8, 10)));
    }
    for (int i = 0; i < 70; i++) {
      blobs.append(key, Bytes.text(9, 20));
    }
    blobs.compact(key);
    blobs.verify(key);
    blobs.copy(key, key(2));
    blobs.append(key(3), Bytes.text(1, 100));
    blobs.copy(key(3), key(4));
    blobs.replace(key, Bytes.text(10, 10));
    blobs.keys(2);
    blobs.keys(ColumnAccess.column(blobs).rowKey(key), 5);
    blobs.seal(key);
    try (Connection c = database.connect()) {
      c.setAutoCommit(false);
      BlobColumn on = blobs.on(c);
      if (ColumnAccess.column(blobs).leadingKey() == null) {
        on.create(2);
      }
      on.append(key(5), Bytes.text(1, 10));
      on.open(key(5)).close();
      on.append(key(5), Bytes.text(1, 1000));
      c.commit();
    }
    for (int row = 1; row <= 5; row++) {
      blobs.delete(key(row));
    }
  }

  @Test
  void documents_callOnlyTheServersFunctions() throws Exception {
    Catalog catalog = whole.catalog();
    for (String schema : List.of("public", "owned")) {
      JsonOptions options =
          JsonOptions.defaults()
              .withRowBudget(256)
              .withLeafSize(512)
              .withFanOut(4)
              .withInOwnerSchema(schema.equals("owned"));
      column(schema, "doc", "jsonb");
      catalog.attach(ColumnName.of(schema, "item", "doc"), options);
      for (PgToaster executor : executors()) {
        use(executor.documents(ColumnName.of(schema, "item", "doc")));
      }
      catalog.setOptions(
          ColumnName.of(schema, "item", "doc"), JsonOptions.defaults().withRowBudget(300));
    }
    tend(catalog);
    catalog.detach(ColumnName.of("owned", "item", "doc"));
  }

  private void use(DocumentColumn documents) throws Exception {
    Object key = key(1);
    String list =
        IntStream.range(0, 200).mapToObj(i -> "\"entry no. " + i + "\"").toList().toString();
    String document =
        "{\"n\": 1, \"s\": \"x\", \"deep\": {\"a\": [1, 2]}, \"list\": %s, \"many\": %s}"
            .formatted(list, Documents.big(25));
    for (Object row : List.of(key, key(2))) {
      documents.putJson(
          row, row.equals(key) ? document : "{\"n\": 1, \"s\": \"x\", \"a\": [1], \"o\": {}}");
      for (String path :
          List.of("n", "s", "list", "list[3]", "many", "deep.a", "gone.x", "a", "o")) {
        var at = documents.at(row, path);
        at.get();
        at.text();
        at.exists();
        at.type();
        at.size();
        at.keys();
        at.keys("m", 3);
        at.slice(1, 3);
        at.stream().ifPresent(SearchPathIT::drain);
      }
      documents.at(row, "n").set(2);
      documents.at(row, "n").increment(5);
      documents.at(row, "s").replaceIf("x", "y");
      documents.at(row, "s").set("long ".repeat(100));
      documents.at(row, "t").setIfAbsent("t");
      documents.at(row, "t").removeIf("t");
      documents.at(row, "new").set(Map.of("a", List.of(1, 2)));
      documents.at(row, "new.a").append(3);
      documents.at(row, "new.a[0]").insert("first");
      documents.at(row, "new.a[0]").insertAfter("second");
      documents.at(row, "new.a[1]").remove();
      documents.merge(row, Map.of("deep", Map.of("b", 3), "n", 7));
      documents.patchJson(row, "[{\"op\": \"replace\", \"path\": \"/n\", \"value\": 8}]");

      documents.load(row);
      documents.load(row, new ByteArrayOutputStream());
      documents.stream(row).ifPresent(SearchPathIT::drain);
      documents.stat(row);
      documents.verify(row);
      documents.compact(row);
    }
    documents.at(key, "list[3]").set("changed");
    documents.at(key, "list").append("last");
    documents.at(key, "list[0]").insert("first");
    documents.at(key, "list[1]").remove();
    documents.at(key, "many.new").set("more");
    documents.at(key, "list").set("short");
    documents.getAll(List.of(key, key(2)), DocumentPath.of("n"));
    documents.getAll(List.of(key, key(2)), DocumentPath.of("many"));
    documents.putJson(key, document);
    documents.putJson(key, "{\"plain\": true}");
    documents.insertJson(List.of("bad", "new"), document);
    try (Connection c = database.connect()) {
      c.setAutoCommit(false);
      c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      documents.on(c).lock(key);
      documents.on(c).putJson(key, document);
      documents.on(c).at(key, "list").append(1);
      documents.on(c).putJson(key, document);
      c.commit();
    }
    for (Object row : List.of(key, key(2), List.of("bad", "new"))) {
      documents.clear(row);
    }
    database.run(
        "DELETE FROM "
            + ColumnAccess.column(documents).quotedTable()
            + " WHERE code OPERATOR(pg_catalog.=) 'new'");
  }

  private static void drain(InputStream in) {
    try (in) {
      in.readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void stockColumns_callOnlyTheServersFunctions() throws Exception {
    column("public", "bytes", "bytea");
    column("public", "words", "text");
    column("public", "stock", "jsonb");
    for (String column : List.of("bytes", "words")) {
      BlobColumn blobs = whole.blobs("item", column);
      blobs.append(key(1), Bytes.text(1, 3));
      blobs.append(key(1), Bytes.text(1, 3), AppendOptions.defaults().withExpectedOffset(3));
      blobs.append(key(1), new ByteArrayInputStream(Bytes.text(5, 3000)));
      blobs.length(key(1));
      blobs.read(key(1), 1, 3);
      blobs.open(key(1)).close();
      blobs.write(key(1), 1, Bytes.text(4, 2));
      blobs.truncate(key(1), 4);
      blobs.copy(key(1), key(2));
      blobs.verify(key(1));
      blobs.keys(3);
      blobs.delete(key(1));
    }
    use(whole.documents("item", "stock"));
  }

  @Test
  void migration_callsOnlyTheServersFunctions() throws Exception {
    database.run(
        "ALTER TABLE item ADD COLUMN old bytea, ADD COLUMN olddoc jsonb",
        "UPDATE item SET old = pg_catalog.convert_to(repeat(code, 1000), 'UTF8'),"
            + " olddoc = jsonb_build_object('a', repeat(code, 1000), 'b', 1)");
    since = Traps.end(log);
    for (String column : List.of("old", "olddoc")) {
      String toaster = column.equals("old") ? "appendable" : "keyed";
      Migration migration = whole.catalog().migration(ColumnName.of("item", column));
      migration.plan(ToasterOptions.of(toaster));
      migration.begin(ToasterOptions.of(toaster));
      migration.state();
      migration.run(Migration.Limits.none(), progress -> {});
      migration.finish();
      if (column.equals("old")) {
        migration.drop();
      }
      migration.beginBack(null);
      migration.run(Migration.Limits.none(), progress -> {});
      migration.finish();
    }
  }

  @Test
  void relationOfAnotherRole_isNotReadAsMigrationState() {
    column("owned", "moved", "bigint");
    int store =
        whole
            .catalog()
            .attach(
                ColumnName.of("owned", "item", "moved"),
                BlobOptions.defaults().withInOwnerSchema(true))
            .store();
    database.run(
        "CREATE ROLE attacker",
        "GRANT USAGE, CREATE ON SCHEMA owned TO attacker",
        "SET ROLE attacker",
        "CREATE FUNCTION owned.run() RETURNS name LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE EXCEPTION 'run as %', current_user; END $$",
        "CREATE VIEW owned.store_" + store + "_migration AS SELECT owned.run() AS source",
        "RESET ROLE");
    since = Traps.end(log);
    assertThat(whole.catalog().migration(ColumnName.of("owned", "item", "moved")).state())
        .isEmpty();
  }

  /** Runs the maintenance of stores. */
  private static void tend(Catalog catalog) {
    catalog.extension();
    catalog.status();
    catalog.orphanedObjects();
    catalog.gc(GcOptions.defaults());
    catalog.gc(
        GcOptions.defaults()
            .withDryRun(false)
            .withGrace(Duration.ZERO)
            .withTokenHorizon(Duration.ZERO));
  }
}
