package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.Catalog;
import io.pgtoaster.ColumnStatus;
import io.pgtoaster.GcOptions;
import io.pgtoaster.Migration;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.UnusualSettings;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A database with settings that change how the server parses, prints and plans. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UnusualSettingsIT {
  @AutoClose
  private final Database database = PostgresServers.shared(PostgresServers.newest()).database();

  private PgToaster toaster;
  private Catalog catalog;

  @BeforeAll
  void install() throws SQLException {
    String alter = "ALTER DATABASE " + database.name() + " SET ";
    database.run(
        alter + "search_path = ''", alter + "default_transaction_isolation = 'repeatable read'");
    UnusualSettings.set(database);
    toaster = PgToaster.create(database.dataSource()).withoutExtension();
    catalog = toaster.catalog();
    catalog.install();
    database.run(
        "CREATE TABLE public.item (day date PRIMARY KEY, content bigint, doc jsonb)",
        "CREATE INDEX ON public.item ((doc ->> 'name'))",
        "INSERT INTO public.item VALUES ('2024-03-04'), ('2024-04-03')");
    catalog.attach(ColumnName.of("public", "item", "content"), ToasterOptions.of("appendable"));
    catalog.attach(
        ColumnName.of("public", "item", "doc"),
        ToasterOptions.of("keyed", Map.of("row_budget", "256", "leaf_size", "512")));
  }

  @Test
  void blobs_areWrittenAndRead() {
    BlobColumn blobs = toaster.blobs(ColumnName.of("public", "item", "content"));
    byte[] all = Bytes.text(1, 40_000);
    String key = "2024-03-04";
    blobs.append(key, Bytes.slice(all, 0, 10));
    blobs.append(key, Bytes.slice(all, 10, 10));
    AppendOptions once =
        AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1));
    blobs.append(key, Bytes.slice(all, 20, 19_980), once);
    blobs.append(key, Bytes.slice(all, 20, 19_980), once);
    blobs.append(key, Bytes.slice(all, 20_000, 20_000));
    assertThat(blobs.read(key, 0, all.length)).isEqualTo(all);
    blobs.write(key, 5, Bytes.slice(all, 5, 9000));
    blobs.truncate(key, 30_000);
    assertThat(blobs.length(key)).isEqualTo(30_000);
    blobs.copy(key, "2024-04-03");
    blobs.compact(key);
    assertThat(blobs.read(key, 0, 30_000)).isEqualTo(Bytes.slice(all, 0, 30_000));
    assertThat(blobs.verify(key)).isEmpty();
    assertThat(
            database.number(
                "SELECT pgtoaster.blob_length('public.item', 'content', CAST('2024-04-03' AS"
                    + " date))"))
        .isEqualTo(30_000);
  }

  @Test
  void documents_areWrittenAndRead() throws IOException {
    DocumentColumn documents = toaster.documents(ColumnName.of("public", "item", "doc"));
    String members =
        IntStream.range(0, 200)
            .mapToObj(i -> "\"k%d\": \"value \\\\ %d '\"".formatted(i, i))
            .collect(Collectors.joining(", "));
    String key = "2024-03-04";
    documents.putJson(key, "{\"name\": \"n\", \"list\": [1, 2, null], \"o\": {" + members + "}}");
    documents.at(key, "o.k7").set("a\\b'c");
    documents.at(key, "o[\"a\\\\b\"]").set(1);
    documents.at(key, "list").append(4);
    documents.merge(key, Map.of("o", Map.of("k8", "merged")));
    assertThat(documents.at(key, "o.k7").get(String.class)).contains("a\\b'c");
    assertThat(documents.at(key, "o.k8").get(String.class)).contains("merged");
    assertThat(documents.at(key, "o.k199").get(String.class)).contains("value \\ 199 '");
    assertThat(documents.text(key)).hasValueSatisfying(t -> assertThat(t).contains("null, 4]"));
    // The statement for a part passes an array with missing elements.
    assertThat(documents.at(key, "list").slice(0, 2))
        .hasValueSatisfying(s -> assertThat(s).hasSize(2));
    assertThat(documents.at(key, "o").keys()).hasValueSatisfying(k -> assertThat(k).hasSize(201));
    try (InputStream in = documents.at(key, "o").stream().orElseThrow()) {
      assertThat(in.readAllBytes()).hasSizeGreaterThan(4000);
    }
    assertThat(documents.verify(key)).isEmpty();
    database.run(
        "UPDATE public.item SET doc = pgtoaster.set(doc, '{o,k9}', '\"by SQL\"') WHERE doc IS NOT"
            + " NULL");
    assertThat(documents.at(key, "o.k9").get(String.class)).contains("by SQL");
    assertThat(database.strings("SELECT key FROM pgtoaster.repair('public.item', 'doc')"))
        .isEmpty();
    assertThat(
            database.string(
                "SELECT options -> 'keep_inline' FROM pgtoaster.attached_column WHERE toaster ="
                    + " 'keyed'"))
        .isEqualTo("[\"/name\"]");
  }

  @Test
  void catalog_canBeQueried() {
    assertThat(catalog.status()).extracting(ColumnStatus::warnings).containsOnly(List.of());
    assertThat(catalog.gc(GcOptions.defaults()).failures()).isEmpty();
  }

  @Test
  void columns_areMigratedAndDetached() throws InterruptedException {
    database.run(
        "CREATE TABLE public.old (id bigint PRIMARY KEY, content bytea)",
        "INSERT INTO public.old VALUES (1, E'\\\\x00ff5c27')");
    Migration migration = catalog.migration(ColumnName.of("public", "old", "content"));
    migration.begin(ToasterOptions.of("appendable"));
    migration.run(Migration.Limits.none(), progress -> {});
    migration.finish();
    migration.drop();
    assertThat(toaster.blobs(ColumnName.of("public", "old", "content")).read(1L, 0, 9))
        .isEqualTo(new byte[] {0, (byte) 0xff, 0x5c, 0x27});
    database.run("DELETE FROM public.old");
    catalog.detach(ColumnName.of("public", "old", "content"));
  }
}
