package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.Attachment;
import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading a short key of every document reads only the owner's table; the test counts pages. */
@Tag("ci")
@Tag("turn-1")
class DocumentPagesIT {
  private static final int ROWS = 500;
  private static final int SMALL = 1_000;
  private static final int LARGE = 100_000;
  private static final Pattern PAGES = Pattern.compile("\"Shared (?:Hit|Read) Blocks\": (\\d+)");

  @ParameterizedTest
  @ValueSource(strings = {"", ", body text NOT NULL DEFAULT repeat('0123456789abcdef', 64)"})
  void shortKeyOfLargeDocuments_takesNoMorePagesThanThatOfSmallOnes(String beside)
      throws Exception {
    Database database = PostgresServers.shared(PostgresServers.newest()).installed();
    try (HikariDataSource pool = database.pool(2)) {
      long small = pagesOf(database, pool, "small", SMALL, beside);
      long large = pagesOf(database, pool, "large", LARGE, beside);

      assertThat(large).isBetween(1L, small + small / 20);
    } finally {
      database.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 600, 1_500, 1_800})
  void documentsThatFitInTheirRows_takeTheSameNumberOfPagesAsPlainJsonb(int bytes)
      throws Exception {
    Database database = PostgresServers.shared(PostgresServers.newest()).installed();
    try (HikariDataSource pool = database.pool(2)) {
      database.run(
          "CREATE TABLE plain (id bigint PRIMARY KEY, doc jsonb)",
          "CREATE TABLE keyed (id bigint PRIMARY KEY, doc jsonb)");
      PgToaster toaster = PgToaster.create(pool);
      Attachment unused = toaster.catalog().attach("keyed", "doc", JsonOptions.defaults());
      DocumentColumn documents = toaster.documents("keyed", "doc");
      for (long id = 0; id < 200; id++) {
        String document = document(bytes);
        database.run("INSERT INTO plain VALUES (%d, '%s')".formatted(id, document));
        documents.insertJson(id, document);
      }
      database.run("VACUUM ANALYZE plain", "VACUUM ANALYZE keyed");
      String scan = "SELECT doc ->> 'id', doc ->> 'price' FROM ";
      assertThat(pages(database, scan + "keyed")).isEqualTo(pages(database, scan + "plain"));
      String sizes = "SELECT CAST(sum(pg_column_size(doc)) AS text) FROM ";
      assertThat(database.string(sizes + "keyed")).isEqualTo(database.string(sizes + "plain"));
    } finally {
      database.close();
    }
  }

  private static long pagesOf(
      Database database, HikariDataSource pool, String table, int bytes, String beside) {
    database.run("CREATE TABLE %s (id bigint PRIMARY KEY%s)".formatted(table, beside));
    PgToaster toaster = PgToaster.create(pool);
    int store = toaster.catalog().attach(table, "doc", JsonOptions.defaults()).store();
    DocumentColumn documents = toaster.documents(table, "doc");
    String document = document(bytes);
    database.run("INSERT INTO %s (id) VALUES (1)".formatted(table));
    documents.putJson(1L, document);
    copy(database, table, store);
    database.run("VACUUM ANALYZE " + table);

    long copied = ROWS / 2 + 1;
    assertThat(documents.text(copied)).isEqualTo(documents.text(1L));
    assertThat(documents.text(copied).orElseThrow()).hasSizeGreaterThan(bytes * 9 / 10);
    assertThat(documents.verify(copied)).isEmpty();
    return pages(database, "SELECT doc ->> 'id' FROM " + table);
  }

  private static String document(int bytes) {
    StringBuilder lines = new StringBuilder("\"a line\"");
    while (lines.length() < bytes - 80) {
      lines.append(", \"a line of text that is like the others\"");
    }
    return "{\"id\": \"d000001\", \"name\": \"document\", \"lines\": [%s], \"price\": 12.50}"
        .formatted(lines);
  }

  /** Copies the document of row 1 to all rows, each with separate nodes, as put stores it. */
  private static void copy(Database database, String table, int store) {
    String head = "pgtoaster.store_" + store + "_head";
    String node = "pgtoaster.store_" + store + "_node";
    boolean split =
        database.string("SELECT CAST(doc ? '$pgtoaster' AS text) FROM " + table).equals("true");
    if (!split) {
      database.run(
          "INSERT INTO %1$s (id, doc) SELECT i, doc FROM %1$s, generate_series(2, %2$d) i"
              .formatted(table, ROWS));
      return;
    }
    database.run(
        "INSERT INTO %s (owner_1) SELECT i FROM generate_series(2, %d) i".formatted(head, ROWS),
        """
        INSERT INTO %s (doc, id, version, kind, bytes, value, kids, starts, lows)
        SELECT h.id, n.id, n.version, n.kind, n.bytes, n.value, n.kids, n.starts, n.lows
        FROM %s h, %s n WHERE h.owner_1 > 1\
        """
            .formatted(node, head, node),
        """
        INSERT INTO %1$s (id, doc) SELECT h.owner_1, jsonb_set(o.doc, '{$pgtoaster,0}', to_jsonb(h.id))
        FROM %2$s h, %1$s o WHERE h.owner_1 > 1\
        """
            .formatted(table, head));
  }

  private static long pages(Database database, String sql) {
    String plan =
        String.join(
            "\n", database.strings("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) " + sql));
    Matcher found = PAGES.matcher(plan);
    long pages = 0;
    for (int i = 0; i < 2; i++) {
      assertThat(found.find()).as(plan).isTrue();
      pages += Long.parseLong(found.group(1));
    }
    return pages;
  }
}
