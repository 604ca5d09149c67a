package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgtoaster.column.JsonRange;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.internal.column.SearchTexts;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Searches by a tenant who tries to read another tenant's documents. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class RowSecuritySearchIT extends TenantsSuite {
  private static final String IN_ROW = "{\"iban\": \"DE\"}";
  private static final String AWAY = "{\"secret\": [\"abcdefghij\"]}";
  private static final String NOWHERE = "{\"secret\": [\"klmnopqrst\"]}";

  @BeforeEach
  void indexes() throws SQLException {
    db.as(
        owner,
        "SELECT pgtoaster.create_index('item', 'doc', 'containment')",
        "SELECT pgtoaster.create_index('item', 'doc', 'text', '{\"config\": \"english\"}')",
        "SELECT pgtoaster.create_index('item', 'doc', 'path', '{\"paths\": [\"secret[*]\", \"iban\"]}')");
    searchAllRows("on");
    db.documents(thief).putJson(2, "{\"mine\": [%s1]}".formatted("\"hazel\", ".repeat(3000)));
  }

  private void searchAllRows(String value) throws SQLException {
    for (String role : List.of(victim, thief)) {
      db.database().run("ALTER ROLE " + role + " SET pgtoaster.search_all_rows = " + value);
    }
  }

  private List<String> found(String role, String arguments) throws SQLException {
    return db.rows(role, "SELECT id FROM pgtoaster.search(NULL::item, 'doc', " + arguments + ")");
  }

  @Test
  void search_findsOnlyVisibleRows() throws SQLException {
    for (String probe : List.of(IN_ROW, AWAY, "{\"iban\": \"DE\", \"secret\": [\"abcdefghij\"]}")) {
      assertThat(found(victim, "contains => '" + probe + "'")).as(probe).containsExactly("1");
      assertThat(found(thief, "contains => '" + probe + "'")).as(probe).isEmpty();
      assertThat(db.documents(victim).search(JsonSearch.containsJson(probe))).containsExactly(1);
      assertThat(db.documents(thief).search(JsonSearch.containsJson(probe))).isEmpty();
    }
    assertThat(found(victim, "matches => 'abcdefghij'")).containsExactly("1");
    assertThat(found(thief, "matches => 'abcdefghij'")).isEmpty();
    assertThat(db.documents(victim).search(JsonSearch.text("abcdefghij"))).containsExactly(1);
    assertThat(db.documents(thief).search(JsonSearch.text("abcdefghij"))).isEmpty();
    for (JsonRange range :
        List.of(
            JsonRange.of("secret[*]").equalTo("abcdefghij"),
            JsonRange.between("secret[*]", "a", "b"),
            JsonRange.of("iban").atLeast("D"))) {
      JsonSearch search = JsonSearch.range(range);
      String ranges = "ranges => '" + SearchTexts.ranges(search.ranges()) + "'";
      assertThat(found(victim, ranges)).containsExactly("1");
      assertThat(found(thief, ranges)).isEmpty();
      assertThat(db.documents(victim).search(search)).containsExactly(1);
      assertThat(db.documents(thief).search(search)).isEmpty();
    }
    assertThat(ranked(victim, "abcdefghij")).hasSize(1);
    assertThat(ranked(thief, "abcdefghij")).isEmpty();
    assertThat(ranked(thief, "hazel")).hasSize(1);
    assertThat(found(thief, "contains => '{\"mine\": [\"hazel\"]}'")).containsExactly("2");
    assertThat(found(thief, "matches => 'hazel'")).containsExactly("2");
    for (String role : List.of(victim, thief, owner)) {
      List<String> keys = role.equals(thief) ? List.of() : List.of("1");
      assertThat(found(role, "contains => '" + AWAY + "', matches => 'abcdefghij'"))
          .as(role)
          .isEqualTo(keys);
      assertThat(
              found(
                  role,
                  "contains => '" + IN_ROW + "', ranges => '{\"path\": \"iban\", \"=\": \"DE\"}'"))
          .as(role)
          .isEqualTo(keys);
      assertThat(found(role, "matches => 'abcdefghij', matches_at => '{secret}'")).isEqualTo(keys);
      assertThat(found(role, "matches => 'abcdefghij', matches_at => '{iban}'")).isEmpty();
      JsonSearch both = JsonSearch.containsJson(AWAY).withText("abcdefghij");
      assertThat(db.documents(role).searchMatches(both))
          .hasSize(keys.size())
          .allMatch(r -> r.matches().get(0).path().toString().equals("secret[0]"));
      assertThat(db.documents(role).searchRanked(both)).hasSize(keys.size());
      assertThat(db.documents(role).search(both)).hasSize(keys.size());
    }
    // No index supports this condition.
    assertThat(found(thief, "contains => '{}'")).containsExactly("2");
    assertThat(db.rows(thief, "SELECT id FROM item WHERE pgtoaster.contains(doc, '{}')"))
        .containsExactly("2");
  }

  /** Statements of the role cannot use the indexes. The function of the extension can. */
  @Test
  void indexes_areUsedByTheExtension_ifASuperuserAllowsIt() throws SQLException {
    assertIndexes(setting.extension());
    searchAllRows("off");
    assertIndexes(false);
    assertThat(found(victim, "contains => '" + AWAY + "'")).containsExactly("1");
    assertThat(found(thief, "contains => '" + AWAY + "'")).isEmpty();
    assertThat(ranked(victim, "abcdefghij")).hasSize(1);
    assertThat(ranked(thief, "abcdefghij")).isEmpty();
    if (setting.extension()) {
      assertThat(
              refused(
                  "toaster.search_visible('item', 'doc', '{}', NULL, NULL, NULL, NULL::int),"
                      + " set_config('pgtoaster.search_all_rows', 'on', false)"))
          .startsWith("42501 ");
    }
  }

  private void assertIndexes(boolean used) throws SQLException {
    for (String role : List.of(victim, thief)) {
      try (Connection c = db.database().connect(role)) {
        c.setAutoCommit(false);
        for (Map.Entry<String, String> search :
            Map.of(
                    "pgtoaster.search(NULL::item, 'doc', contains => '" + AWAY + "')",
                    "pgtoaster_2_containment, store_2_node_containment",
                    "pgtoaster.search_ranked(NULL::item, 'doc', 'abcdefghij')",
                    "pgtoaster_2_text, store_2_node_text",
                    "pgtoaster.search(NULL::item, 'doc', ranges => '{\"path\": \"iban\", \">\": \"C\"}')",
                    "pgtoaster_2_path, store_2_node_path")
                .entrySet()) {
          Sql.run(c, "SELECT FROM " + search.getKey());
          assertThat(
                  Sql.strings(
                      c,
                      "SELECT DISTINCT pg_stat_get_xact_numscans(oid) > 0 FROM pg_class"
                          + " WHERE relname = ANY (string_to_array('"
                          + search.getValue()
                          + "', ', '))"))
              .as(search.getKey())
              .containsExactly(used ? "t" : "f");
        }
      }
    }
  }

  @Test
  void functionOfTheExtension_returnsOnlyVisibleRows() throws SQLException {
    if (!setting.extension()) {
      assertThat(db.rows(owner, "SELECT to_regproc('toaster.search_visible')")).containsOnlyNulls();
      return;
    }
    String call = "toaster.search_visible('item', 'doc', '%s', NULL, NULL, NULL, NULL::int)";
    String words =
        "toaster.search_visible('item', 'doc', NULL, ARRAY[tsquery '%s'], 'pgtoaster_2_text', 'pgtoaster.store_2_node_text', NULL::int)";
    assertThat(db.rows(victim, "SELECT " + call.formatted(AWAY))).containsExactly("{1}");
    for (String probe : List.of(AWAY, NOWHERE, IN_ROW)) {
      assertThat(db.rows(thief, "SELECT coalesce(" + call.formatted(probe) + ", '{}')"))
          .containsExactly("{}");
    }
    assertThat(db.rows(victim, "SELECT " + words.formatted("abcdefghij"))).containsExactly("{1}");
    assertThat(db.rows(thief, "SELECT " + words.formatted("abcdefghij"))).containsOnlyNulls();
    assertThat(db.rows(owner, "SELECT " + words.formatted("abcdefghij"))).containsExactly("{1}");
    // Plans with the keys of others are not sent.
    try (Connection c = db.database().connect(thief)) {
      Sql.run(c, "SET client_min_messages = log", "SET debug_print_plan = on");
      try (Statement s = c.createStatement()) {
        s.execute("SELECT " + call.formatted(AWAY));
        int plans = 0;
        for (SQLWarning w = s.getWarnings(); w != null; w = w.getNextWarning()) {
          plans++;
        }
        assertThat(plans).as("only the plan of this statement").isEqualTo(1);
      }
    }
    // The index of a column that the role may not read.
    db.as(
        owner,
        "CREATE INDEX secrets ON item USING gin (to_tsvector('english', tenant::text))",
        "CREATE INDEX both_columns ON item USING gin (to_tsvector('english', tenant || doc::text))");
    for (String index : List.of("secrets", "both_columns")) {
      assertThat(
              db.rows(victim, "SELECT " + words.formatted("x").replace("pgtoaster_2_text", index)))
          .as("all rows that the role may see")
          .containsExactly("{1}");
    }
    db.as(owner, "REVOKE SELECT ON item FROM " + thief, "GRANT SELECT (id) ON item TO " + thief);
    assertThat(refused(call.formatted(AWAY)))
        .isEqualTo(refused(call.formatted(NOWHERE)))
        .startsWith("42501 ");
    assertThat(refused(words.formatted("abcdefghij")))
        .isEqualTo(refused(words.formatted("klmnopqrst")))
        .startsWith("42501 ");
  }

  private List<SearchHit> ranked(String role, String word) {
    return db.documents(role).searchRanked(JsonSearch.text(word));
  }

  /**
   * The planner calls the function first, because it is declared as very cheap. It stores its
   * argument.
   */
  @Test
  void functionOfTheRole_receivesOnlyItsOwnRows() throws SQLException {
    db.database().run("GRANT CREATE ON SCHEMA public TO " + thief);
    db.as(
        thief,
        "CREATE TABLE heard (what text)",
        "CREATE FUNCTION hear(what text) RETURNS boolean LANGUAGE plpgsql COST 0.000001 AS"
            + " 'BEGIN INSERT INTO heard VALUES (what); RETURN true; END'");
    for (String query :
        List.of(
            "pgtoaster.search(NULL::item, 'doc', contains => '"
                + AWAY
                + "') o WHERE hear(o.id::text)",
            "pgtoaster.search(NULL::item, 'doc', matches => 'abcdefghij') o WHERE hear(o.id::text)",
            "item o CROSS JOIN LATERAL pgtoaster.search_matches(o, 'doc', matches => 'abcdefghij') m"
                + " WHERE hear(o.id::text) AND hear(m.value::text)",
            "pgtoaster.search(NULL::item, 'doc', ranges => '{\"path\": \"secret[*]\", \"=\": \"abcdefghij\"}')"
                + " o WHERE hear(o.id::text)",
            "item o WHERE hear(o.id::text) AND pgtoaster.contains(o.doc, '" + AWAY + "')",
            "item o WHERE hear(o.id::text) AND pgtoaster.contains(o.doc, '" + IN_ROW + "')",
            "item o WHERE hear(o.id::text) AND pgtoaster.get_text(o.doc, '{secret,0}') = 'abcdefghij'",
            "pgtoaster.store_2_head h WHERE hear(h.owner_1::text)",
            "pgtoaster.store_2_head h JOIN pgtoaster.store_2_node n ON n.doc = h.id"
                + " WHERE hear(h.owner_1::text) AND n.value @> '\"abcdefghij\"'")) {
      db.as(thief, "SELECT FROM " + query);
      assertThat(db.rows(thief, "SELECT DISTINCT what FROM heard EXCEPT SELECT '2'"))
          .as(query)
          .isEmpty();
    }
    assertThat(db.rows(thief, "SELECT DISTINCT what FROM heard")).containsExactly("2");
  }

  /** Returns the error of a call with a document that the role does not see. */
  private String refused(String call) throws SQLException {
    try (Connection c = db.database().connect(thief)) {
      SQLException e = catchThrowableOfType(SQLException.class, () -> Sql.run(c, "SELECT " + call));
      return e.getSQLState() + " " + e.getMessage();
    }
  }

  @Test
  void forgedHeader_revealsNothingAboutItsDocument() throws SQLException {
    long document = number("SELECT doc->'$pgtoaster'->>0 FROM item WHERE id = 1");
    long branch = number("SELECT doc->'secret'->>'$pgtoaster' FROM item WHERE id = 1");
    String stub =
        "'{\"iban\": \"DE\", \"secret\": {\"$pgtoaster\": %d}, \"$pgtoaster\": [%d]}'::jsonb";
    long unused = document + 1_000_000;
    for (String call :
        List.of(
            "pgtoaster.contains(%s, '" + AWAY + "')",
            "pgtoaster.contains(%s, '" + NOWHERE + "')",
            "pgtoaster.get(%s, '{secret,0}')",
            "pgtoaster.get(%s, '{secret,100000}')",
            "pgtoaster.document_matches(%s, NULL, '" + AWAY + "', NULL, NULL, NULL, 1)",
            "pgtoaster.document_matches(%s, NULL, '" + NOWHERE + "', NULL, NULL, NULL, 1)",
            "pgtoaster.store_2_contains(1, NULL, %s, '" + AWAY + "')",
            "pgtoaster.store_2_contains(1, NULL, %s, '" + NOWHERE + "')",
            "pgtoaster.store_2_read(1, %s, '{secret,0}', 'text')")) {
      assertThat(refused(call.formatted(stub.formatted(branch, document))))
          .as(call)
          .isEqualTo(
              refused(call.formatted(stub.formatted(branch, unused)))
                  .replace(String.valueOf(unused), String.valueOf(document)));
    }
    // A tenant can also pass the number that the routine passes to itself after its check.
    for (String probe : List.of("[\"abcdefghij\"]", "[\"klmnopqrst\"]")) {
      assertThat(
              refused(
                  "pgtoaster.store_2_contains(1, %d, '{\"$pgtoaster\": %d}', '%s')"
                      .formatted(document, branch, probe)))
          .isEqualTo(
              refused(
                  "pgtoaster.store_2_contains(1, %d, '{\"$pgtoaster\": %d}', '%s')"
                      .formatted(document, branch + 1_000_000, probe)));
    }
  }

  @Test
  void plans_countOnlyVisibleRows() throws SQLException {
    for (String query :
        List.of(
            "pgtoaster.store_2_node WHERE value @> %s",
            "item WHERE doc @> %s", "item WHERE pgtoaster.contains(doc, %s)")) {
      assertThat(plan(query.formatted("'" + AWAY + "'")))
          .as(query)
          .isEqualTo(plan(query.formatted("'" + NOWHERE + "'")));
      assertThat(plan(query.formatted("'[\"abcdefghij\"]'")))
          .as(query)
          .isEqualTo(plan(query.formatted("'[\"klmnopqrst\"]'")));
    }
  }

  /** Returns the plan of a query without its constants. */
  private List<String> plan(String query) throws SQLException {
    try (Connection c = db.database().connect(thief)) {
      Sql.run(c, "SET enable_seqscan = off");
      List<String> plan =
          Sql.strings(
              c,
              "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) SELECT FROM "
                  + query);
      plan.replaceAll(line -> line.replaceAll("'[^']*'", "?"));
      return plan;
    }
  }
}
