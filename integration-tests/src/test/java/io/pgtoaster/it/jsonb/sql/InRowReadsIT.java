package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** SQL functions read values in the row with the server's operators. */
class InRowReadsIT {
  private static final String SPLIT =
      "{\"name\": \"Ada\", \"in\": {\"n\": 1, \"list\": [1, 2]}, \"none\": null, \"big\": \"%s\"}"
          .formatted(Documents.words(1, 5_000));

  private static final List<String> IN_ROW =
      List.of(
          "get_text(%s, '{name}')",
          "get(%s, '{name}')",
          "get(%s, '{in}')",
          "get_text(%s, '{in,n}')",
          "get(%s, '{in,list,-1}')",
          "get_text(%s, '{none}')",
          "get(%s, '{none}')",
          "get(%s, '{missing}')",
          "get_text(%s, '{missing}')",
          "contains(%s, '{\"name\": \"Ada\"}')",
          "contains(%s, '{\"name\": \"Bob\", \"big\": \"x\"}')",
          "contains(%s, '{\"in\": {\"list\": [2]}, \"none\": null}')");

  private static String read(Connection c, String function) throws SQLException {
    return Sql.string(
        c, "SELECT CAST(pgtoaster." + function.formatted("doc") + " AS text) FROM item");
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void valuesInTheRow_areReadWithoutAWalk(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row(SPLIT);
      try (Connection c = fx.database().connect()) {
        assertThat(read(c, "get_text(%s, '{big}')")).hasSizeGreaterThan(4_000);
        // Reading a value out of line needs the header.
        Sql.run(
            c,
            "CREATE OR REPLACE FUNCTION pgtoaster.document_row(document jsonb, call text DEFAULT NULL,"
                + " path text[] DEFAULT NULL, probe jsonb DEFAULT NULL, OUT id bigint, OUT rest bigint,"
                + " OUT called boolean, OUT answer text)"
                + " LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''walked''; END'");
        for (String function : IN_ROW) {
          String expected =
              Sql.string(
                  c,
                  "SELECT CAST(pgtoaster.%s AS text)"
                      .formatted(function.formatted("CAST(" + Sql.literal(SPLIT) + " AS jsonb)")));
          assertThat(read(c, function)).as(function).isEqualTo(expected);
        }
        for (String function :
            List.of(
                "get(%s, '{big}')",
                "get_text(%s, '{$pgtoaster}')", "get(%s, '{big,$pgtoaster}')")) {
          assertThatThrownBy(() -> read(c, function)).as(function).hasMessageContaining("walked");
        }
      }
      assertThat(fx.own().at(key, "name").get(String.class)).contains("Ada");
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void readsAreInlined_intoOperators(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      for (String function : List.of("get(doc, '{a}')", "get_text(doc, '{a}')", "expand(doc)")) {
        assertThat(
                String.join(
                    "\n",
                    fx.strings(
                        "EXPLAIN (VERBOSE, COSTS OFF) SELECT pgtoaster."
                            + function
                            + " FROM item")))
            .as(function)
            .contains("CASE WHEN")
            .doesNotContain("in_row", "pgtoaster." + function);
      }
      assertThat(
              String.join(
                  "\n",
                  fx.strings(
                      "EXPLAIN (VERBOSE, COSTS OFF) SELECT pgtoaster.contains(doc, '{\"a\": 1}') FROM item")))
          .contains("doc ->> 'a'", "doc @>")
          .doesNotContain("pgtoaster.contains(", "jsonb_path_query_array");
      fx.afterTest();
    }
  }
}
