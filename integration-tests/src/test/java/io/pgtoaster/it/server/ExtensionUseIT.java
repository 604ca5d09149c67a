package io.pgtoaster.it.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.Catalog;
import io.pgtoaster.ExtensionStatus;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.NeedsExtension;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.jsonb.DocumentColumn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks which calls use the extension, and which use plain SQL. */
@NeedsExtension
class ExtensionUseIT {
  private final Recorder recorder = new Recorder();
  @AutoClose private Database database;
  private PgToaster pgToaster;

  @BeforeEach
  void open() {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    database.run(
        "CREATE TABLE item (id bigint PRIMARY KEY, content bigint, doc jsonb)",
        "INSERT INTO item (id) VALUES (1)",
        "SELECT pgtoaster.attach('item', 'content')",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    pgToaster = PgToaster.create(recorder.record(database.dataSource()));
  }

  private BlobColumn blobs() {
    return pgToaster.blobs("item", "content");
  }

  /** Returns whether the work calls functions of the extension. */
  private boolean usesExtension(Runnable work) {
    recorder.clear();
    work.run();
    return recorder.statements().stream().anyMatch(s -> s.sql().contains("toaster.try_"));
  }

  private boolean appendUsesExtension(BlobColumn blobs) {
    long before = blobs.info(1L).map(BlobInfo::length).orElse(0L);
    boolean used = usesExtension(() -> blobs.append(1L, "abc".getBytes(UTF_8)));
    assertThat(blobs.length(1L)).isEqualTo(before + 3);
    return used;
  }

  @Test
  void createdExtension_isUsedByNewHandles_andAllContinueAfterItIsDropped() {
    BlobColumn early = blobs();
    assertThat(appendUsesExtension(early)).isFalse();
    database.run("CREATE EXTENSION pgtoaster");
    assertThat(appendUsesExtension(early)).isFalse();
    BlobColumn late = blobs();
    assertThat(appendUsesExtension(late)).isTrue();
    DocumentColumn documents = pgToaster.documents("item", "doc");
    documents.putJson(1L, "{\"name\": \"a\"}");
    assertThat(usesExtension(() -> documents.at(1L, "/name").set("b"))).isTrue();
    database.run("DROP EXTENSION pgtoaster");
    assertThat(appendUsesExtension(late)).isTrue();
    assertThat(appendUsesExtension(late)).isFalse();
    assertThat(documents.text(1L)).contains("{\"name\": \"b\"}");
    documents.at(1L, "/name").set("c");
  }

  /** Each operation is one call of a function that does not fall back to plain SQL. */
  @Test
  void operations_areExecutedOnlyByTheExtension() {
    database.run("CREATE EXTENSION pgtoaster");
    BlobColumn blobs = blobs();
    DocumentColumn documents = pgToaster.documents("item", "doc");
    String big = "x".repeat(900);
    documents.putJson(
        1L,
        "{\"n\": 1, \"list\": ["
            + IntStream.range(0, 60).mapToObj(i -> "\"" + i + big + "\"").collect(joining(", "))
            + "]}");
    assertThat(documents.stat(1L).orElseThrow().split()).isTrue();
    AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
    assertThat(blobs.info(1L)).isEmpty();
    assertAlone("first append", () -> blobs.append(1L, new byte[10]));
    assertAlone("append", () -> blobs.append(1L, new byte[30_000]));
    assertAlone(
        "append with a token",
        () -> blobs.append(1L, new byte[5], AppendOptions.defaults().withToken(token)));
    assertAlone(
        "append at",
        () -> blobs.append(1L, new byte[5], AppendOptions.defaults().withExpectedOffset(30_015)));
    assertAlone("read", () -> blobs.read(1L, 8_000, 20_000));
    assertAlone("write", () -> blobs.write(1L, 100, new byte[10_000]));
    assertAlone("truncate", () -> blobs.truncate(1L, 12_345));
    assertAlone("get", () -> documents.at(1L, "list[40]").get());
    assertAlone("size", () -> documents.at(1L, "list").size());
    assertAlone("slice", () -> documents.at(1L, "list").slice(3, 9));
    assertAlone("set in the row", () -> documents.at(1L, "n").set(2));
    assertAlone("set in a leaf", () -> documents.at(1L, "list[7]").set("y"));
    assertAlone("set of a branch", () -> documents.at(1L, "list[8]").set(big.repeat(20)));
    assertAlone("insert", () -> documents.at(1L, "list[0]").insert("z"));
    assertAlone("append of elements", () -> documents.at(1L, "list").append("z", big));
    assertAlone("remove", () -> documents.at(1L, "list[9]").remove());
    assertAlone("increment", () -> documents.at(1L, "n").increment(5));
    assertThat(documents.verify(1L)).isEmpty();
    assertThat(blobs.verify(1L)).isEmpty();
  }

  private void assertAlone(String operation, Runnable work) {
    recorder.clear();
    work.run();
    assertThat(recorder.statements()).as(operation).isNotEmpty();
    assertThat(recorder.statements()).as(operation).allMatch(s -> s.sql().contains("toaster.try_"));
  }

  @Test
  void withoutExtension_neverCallsIt() {
    database.run("CREATE EXTENSION pgtoaster");
    assertThat(appendUsesExtension(pgToaster.withoutExtension().blobs("item", "content")))
        .isFalse();
    assertThat(appendUsesExtension(blobs())).isTrue();
  }

  @Test
  void moduleForAnotherCatalog_isNotUsed_andBothVersionsAreReported() {
    database.run(
        "CREATE EXTENSION pgtoaster",
        "CREATE OR REPLACE FUNCTION toaster.catalog_version() RETURNS integer LANGUAGE sql STABLE"
            + " STRICT PARALLEL SAFE AS 'SELECT 2'");
    assertThat(appendUsesExtension(blobs())).isFalse();
    ExtensionStatus status = pgToaster.catalog().extension();
    assertThat(status.used()).isFalse();
    assertThat(status.advice())
        .contains(
            "catalog version 2",
            "the catalog has version " + pgToaster.catalog().installedVersion())
        .contains("ALTER EXTENSION");
  }

  @Test
  void schemaWithTheExtensionsName_isNotCalled() {
    database.run(
        "CREATE SCHEMA toaster",
        "CREATE FUNCTION toaster.catalog_version() RETURNS integer LANGUAGE plpgsql AS"
            + " 'BEGIN RAISE EXCEPTION ''called''; END'");
    assertThat(appendUsesExtension(blobs())).isFalse();
  }

  @Test
  void storeWithRowSecurity_isServedByPlainSql() {
    database.run(
        "CREATE EXTENSION pgtoaster",
        "ALTER TABLE pgtoaster.store_1_piece ENABLE ROW LEVEL SECURITY");
    assertThat(appendUsesExtension(blobs())).isFalse();
  }

  @Test
  void install_upgradesTheExtensionWithTheCatalog() throws Exception {
    Catalog catalog = pgToaster.catalog();
    Path folder =
        Path.of(
            database.string("SELECT setting FROM pg_config WHERE name = 'SHAREDIR'"), "extension");
    String now =
        database.string(
            "SELECT default_version FROM pg_available_extensions WHERE name = 'pgtoaster'");
    Path old = folder.resolve("pgtoaster--0.0.1.sql");
    Path delta = folder.resolve("pgtoaster--0.0.1--" + now + ".sql");
    try {
      Files.writeString(old, "CREATE SCHEMA toaster;\n");
      Files.writeString(
          delta,
          Files.readString(folder.resolve("pgtoaster--" + now + ".sql"))
              .replace("CREATE SCHEMA toaster;", ""));
      database.run("CREATE EXTENSION pgtoaster VERSION '0.0.1'");
      assertThat(catalog.extension().installed()).isEqualTo("0.0.1");
      assertThat(catalog.extension().isOutdated()).isTrue();
      assertThat(appendUsesExtension(blobs())).isFalse();
      catalog.install();
      ExtensionStatus status = catalog.extension();
      assertThat(status.installed()).isEqualTo(now);
      assertThat(status.available()).isEqualTo(now);
      assertThat(status.used()).isTrue();
      assertThat(status.advice()).isNull();
      assertThat(appendUsesExtension(blobs())).isTrue();
    } finally {
      Files.deleteIfExists(old);
      Files.deleteIfExists(delta);
    }
  }
}
