package io.pgtoaster.it.jsonb.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.SearchIndex;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.JsonIndex;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Search indexes are created, used and dropped. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edges")
class SearchIndexIT {
  @Parameter Setting setting;

  @AutoClose private DocumentFixture fx;

  @BeforeEach
  void open() {
    fx =
        new DocumentFixture(
            setting,
            DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512}", ColumnSpec.Key.NUMBER));
  }

  private void index(String kind, String options) {
    fx.run("SELECT pgtoaster.create_index('item', 'doc', '%s', '%s')".formatted(kind, options));
  }

  @Test
  void pendingList_isShort_unlessFastUpdateIsGiven() {
    assertSettings("{}", "gin_pending_list_limit=1024");
    assertSettings("{\"fastupdate\": true}", "fastupdate=true");
    assertSettings("{\"fastupdate\": false}", "fastupdate=false");
  }

  private void assertSettings(String options, String expected) {
    index("containment", options);
    assertThat(
            fx.strings(
                "SELECT array_to_string(c.reloptions, ', ') FROM pgtoaster.attached_column a"
                    + " CROSS JOIN LATERAL pgtoaster.search_index(a.store) i"
                    + " JOIN pg_class c ON c.oid IN (i.rows, i.leaves)"))
        .as(options)
        .containsExactly(expected, expected);
    fx.run("SELECT pgtoaster.drop_index('item', 'doc', 'containment')");
  }

  @Test
  void search_usesAnIndexWithManyPendingChanges() throws SQLException {
    index("containment", "{}");
    fx.row(
        IntStream.range(0, 3000)
            .mapToObj("{\"n\": %d}"::formatted)
            .collect(Collectors.joining(", ", "{\"a\": [", "]}")));
    assertUsesIndex("one", "jsonb[], text[], jsonb, text[], bigint");
    assertUsesIndex(
        "many", "text[], jsonb[], boolean[], text, text, jsonb, text[], bigint, jsonb, text[]");
  }

  private void assertUsesIndex(String kind, String types) throws SQLException {
    try (Connection c = fx.database().dataSource().getConnection();
        Statement s = c.createStatement()) {
      String search =
          Sql.strings(
                  c, "SELECT s." + kind + " FROM pgtoaster.search_statements('item', 'doc', '$') s")
              .get(0);
      s.execute("PREPARE search (" + types + ") AS " + search);
      String nulls = types.replaceAll("[a-z\\[\\]]+", "NULL");
      assertThat(Sql.strings(c, "EXPLAIN EXECUTE search (" + nulls + ")"))
          .as(kind)
          .anyMatch(l -> l.matches(".*Bitmap Index Scan on store_[0-9]+_node_containment.*"))
          .noneMatch(l -> l.matches(".*Seq Scan on store_[0-9]+_node .*"));
    }
  }

  @Test
  void index_isListedCheckedAndDropped() {
    index("containment", "{}");
    index("containment", "{}");
    index("text", "{\"config\": \"simple\"}");
    assertThat(fx.strings("SELECT kind || ' ' || complete FROM pgtoaster.indexes()"))
        .containsExactly("containment true", "text true");
    assertThatThrownBy(() -> index("text", "{\"config\": \"english\"}"))
        .hasStackTraceContaining("has a text index with the configuration simple");
    assertThatThrownBy(() -> index("text", "{}"))
        .hasStackTraceContaining("needs the option config");
    assertThatThrownBy(() -> index("gin", "{}"))
        .hasStackTraceContaining("not one of containment, path, text");
    assertThatThrownBy(() -> fx.run("SELECT pgtoaster.create_index('item', 'doc', NULL)"))
        .hasStackTraceContaining("not one of containment, path, text");
    assertThatThrownBy(() -> index("containment", "{\"config\": \"simple\"}"))
        .hasStackTraceContaining("unknown option");
    fx.run(
        "SELECT pgtoaster.drop_index('item', 'doc', 'containment')",
        "SELECT pgtoaster.drop_index('item', 'doc', 'text')");
    assertThat(fx.strings("SELECT kind FROM pgtoaster.indexes()")).isEmpty();
    assertThatThrownBy(() -> fx.run("SELECT pgtoaster.drop_index('item', 'doc', 'text')"))
        .hasStackTraceContaining("has no search index");
  }

  @Test
  void catalog_createsListsAndDropsAnIndexWithoutBlockingWriters() {
    Catalog catalog = PgToaster.create(fx.database().dataSource()).catalog();
    ColumnName column = ColumnName.of("item", "doc");
    Object key = fx.row("{\"t\": [\"%s dog\"]}".formatted(Documents.words(1, 900)));
    catalog.createIndex(column, JsonIndex.containment().withFastUpdate(false).withOnline(true));
    catalog.createIndex(column, JsonIndex.text("english").withOnline(true));
    assertThat(
            catalog.indexes().stream().map(i -> i.kind() + " " + i.config() + " " + i.complete()))
        .containsExactly("CONTAINMENT null true", "TEXT english true");
    assertThat(fx.documents().search(JsonSearch.text("dogs"))).containsExactly(key);
    catalog.dropIndex(column, JsonIndex.Kind.CONTAINMENT);
    assertThat(catalog.indexes().stream().map(SearchIndex::kind))
        .containsExactly(JsonIndex.Kind.TEXT);
    assertThatThrownBy(() -> catalog.dropIndex(column, JsonIndex.Kind.CONTAINMENT))
        .hasMessageContaining("has no search index");
  }

  @Test
  void concurrentCreateAndDrop_waitForEachOther() throws SQLException {
    fx.row("{\"a\": \"dog\"}");
    ColumnName column = ColumnName.of("item", "doc");
    Catalog catalog = PgToaster.create(fx.database().dataSource()).catalog();
    try (Connection first = fx.database().connect()) {
      first.setAutoCommit(false);
      Sql.run(first, "SELECT pgtoaster.create_index('item', 'doc', 'containment')");
      CompletableFuture<Void> creates =
          CompletableFuture.runAsync(() -> catalog.createIndex(column, JsonIndex.containment()));
      fx.database().awaitLockWaiters(1);
      first.commit();
      creates.join();
      Sql.run(first, "SELECT pgtoaster.drop_index('item', 'doc', 'containment')");
      CompletableFuture<Void> drops =
          CompletableFuture.runAsync(() -> catalog.dropIndex(column, JsonIndex.Kind.CONTAINMENT));
      fx.database().awaitLockWaiters(1);
      first.commit();
      assertThatThrownBy(drops::join).hasStackTraceContaining("has no search index");
    }
  }

  @Test
  void detach_keepsAnOrdinaryIndex() {
    index("containment", "{}");
    fx.row("{\"a\": [\"%s\"], \"n\": 1}".formatted(Documents.words(1, 900)));
    fx.run("SELECT pgtoaster.detach('item', 'doc')");
    assertThat(
            fx.strings(
                "SELECT indexdef FROM pg_indexes WHERE tablename = 'item' AND indexdef LIKE '%gin%'"))
        .hasSize(1)
        .allMatch(d -> d.contains("doc jsonb_path_ops"));
    fx.run("SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    assertThat(fx.strings("SELECT kind || ' ' || complete FROM pgtoaster.indexes()"))
        .containsExactly("containment true");
    fx.run("SELECT pgtoaster.drop_index('item', 'doc', 'containment')");
    assertThat(
            fx.strings(
                "SELECT indexname FROM pg_indexes WHERE tablename = 'item' AND indexdef LIKE '%gin%'"))
        .as("an index that existed before attach is kept")
        .hasSize(1);
  }
}
