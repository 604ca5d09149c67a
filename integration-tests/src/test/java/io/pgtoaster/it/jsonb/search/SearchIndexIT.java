package io.pgtoaster.it.jsonb.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The changes that wait in the pending list of a search index. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edges")
class SearchIndexIT {
  @Parameter Setting setting;

  private DocumentFixture fx;

  @BeforeEach
  void open() {
    fx =
        new DocumentFixture(
            setting,
            DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512}", ColumnSpec.Key.NUMBER));
  }

  @AfterEach
  void close() {
    fx.close();
  }

  @Test
  void pendingList_isShort_unlessFastUpdateIsGiven() {
    assertSettings("{}", "gin_pending_list_limit=1024");
    assertSettings("{\"fastupdate\": true}", "fastupdate=true");
    assertSettings("{\"fastupdate\": false}", "fastupdate=false");
  }

  private void assertSettings(String options, String expected) {
    fx.database()
        .run("SELECT pgtoaster.create_index('item', 'doc', 'containment', '" + options + "')");
    assertThat(
            fx.database()
                .strings(
                    "SELECT array_to_string(c.reloptions, ', ') FROM pgtoaster.attached_column a"
                        + " CROSS JOIN LATERAL pgtoaster.search_index(a.store) i"
                        + " JOIN pg_class c ON c.oid IN (i.rows, i.leaves)"))
        .as(options)
        .containsExactly(expected, expected);
    fx.database().run("SELECT pgtoaster.drop_index('item', 'doc', 'containment')");
  }

  @Test
  void search_usesAnIndexWithManyPendingChanges() throws SQLException {
    fx.database().run("SELECT pgtoaster.create_index('item', 'doc', 'containment', '{}')");
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
}
