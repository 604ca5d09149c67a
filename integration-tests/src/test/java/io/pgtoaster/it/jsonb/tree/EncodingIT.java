package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases with encodings other than UTF8. */
class EncodingIT {
  private static final JsonOptions SMALL =
      JsonOptions.defaults().withLeafSize(512).withRowBudget(256);

  private Database database;
  private PgToaster toaster;

  private void install(String encoding) {
    database = PostgresServers.shared(PostgresServers.newest()).databaseIn(encoding);
    toaster = PgToaster.create(database.dataSource());
    toaster.catalog().install();
    database.run("CREATE TABLE item (id int PRIMARY KEY, doc jsonb)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"LATIN1", "WIN1252", "KOI8R", "SQL_ASCII"})
  void documents_areRefused(String encoding) {
    install(encoding);
    PgToasterException e =
        Expect.refused(
            PgToasterException.class, () -> toaster.catalog().attach("item", "doc", SMALL));
    assertThat(e)
        .hasMessageContaining(
            "documents need a database with encoding UTF8, but this one has " + encoding);
    assertThat(e.sqlState()).isEqualTo("0A000");
  }

  @Test
  void blobs_work() {
    install("LATIN1");
    toaster.catalog().attach("item", "content", BlobOptions.defaults());
    database.run("INSERT INTO item VALUES (1)");
    toaster.blobs("item", "content").append(1, new byte[10_000]);
    assertThat(toaster.blobs("item", "content").verify(1)).isEmpty();
  }

  @Test
  void verify_findsMembersThatAreInTheWrongLeaf() {
    install("LATIN1");
    database.run(
        "CREATE OR REPLACE FUNCTION pgtoaster.require_utf8(owner regclass, column_name name)"
            + " RETURNS void LANGUAGE sql AS ''");
    toaster.catalog().attach("item", "doc", SMALL);
    database.run("INSERT INTO item VALUES (1)");
    DocumentColumn documents = toaster.documents("item", "doc");
    documents.putJson(
        1,
        IntStream.range(0, 8)
            .mapToObj(i -> "\"k%d\": \"%s\"".formatted(i, "x".repeat(100 + i)))
            .collect(Collectors.joining(", ", "{\"o\": {", "}}")));
    for (int i = 0; i < 22; i++) {
      String key = (i % 2 == 0 ? "k\u00e9" : "key") + i;
      documents.at(1, "o." + key).set("x".repeat(100 + i));
    }
    assertThat(documents.verify(1))
        .anySatisfy(f -> assertThat(f).contains("contains keys that belong to another leaf"));
  }
}
