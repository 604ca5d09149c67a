package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An updatable view that shows whole documents and blobs. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edges")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlViewIT extends SqlEditsSuite {
  @BeforeEach
  void makeView() {
    if (fx().string("SELECT to_regclass('item_view')") == null) {
      fx().run(
              "ALTER TABLE item ADD COLUMN twice int GENERATED ALWAYS AS (changed * 2) STORED",
              "SELECT pgtoaster.attach('item', 'photo')",
              "SELECT pgtoaster.create_view('item')");
    }
  }

  @AfterEach
  void dropTrigger() {
    fx().run("DROP FUNCTION IF EXISTS skip CASCADE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jsonb_set(doc, '{list,7,t}', '\"new\"')",
        "jsonb_insert(doc, '{list,3}', '{\"i\": -1}')",
        "jsonb_insert(doc #- '{list,100}', '{list,-1}', '[1]', true)",
        "doc #- '{list,0}' #- '{list,0}' #- '{map,k7}'",
        "jsonb_set(doc, '{list}', (doc->'list') || (doc->'list'))",
        "jsonb_set(doc, '{list}', (SELECT jsonb_agg(e ORDER BY e->'i' DESC) FROM jsonb_array_elements(doc->'list') e))",
        "doc || '{\"deep\": null, \"new\": {\"a\": [1.0, 1.00]}}'",
        "doc - 'deep' - 'name' - 'odd'",
        "jsonb_set(doc, '{odd,$pgtoaster}', '8')",
        "jsonb_set(doc, '{deep,a,0,b,50,t}', to_jsonb(repeat('long ', 3000)))",
        "jsonb_set(doc, '{text}', to_jsonb((doc->>'text') || '!'))",
        "jsonb_set(doc, '{n}', '1.0')",
        "to_jsonb(7)",
        "'[1, 2]'",
        "'{}'",
        "NULL",
      })
  void anyOperator_worksLikeOnAPlainColumn(String expression) throws SQLException {
    Object key = row(DOCUMENT.replace("\"$$pgtoaster\": {", "\"other\": {"));
    Object other = row(PLAIN);
    for (Object k : List.of(key, other)) {
      fx().run("UPDATE item_view SET doc = " + expression + fx().where(k));
      fx().run("UPDATE item SET plain = " + expression.replace("doc", "plain") + fx().where(k));
      assertSame(k);
    }
    assertThat(fx().orphans()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "doc->'list'->7->>'t'",
        "doc#>>'{deep,a,0,b,50,t}'",
        "doc['list'][3]['i']",
        "doc @> '{\"name\": \"Ada\", \"list\": [{\"i\": 7}]}'",
        "doc ?& ARRAY['name', 'list']",
        "doc @? '$.list[*] ? (@.i == 7)'",
        "jsonb_path_query_array(doc, '$.list[*].i')",
        "(SELECT jsonb_agg(e.value ORDER BY e.key) FROM jsonb_each(doc) e)",
        "doc::text"
      })
  void anyQuery_findsTheSameAsInAPlainColumn(String expression) {
    row(DOCUMENT.replace("\"$$pgtoaster\": {", "\"other\": {"));
    row(PLAIN);
    String plain = expression.replace("doc", "plain");
    assertThat(
            fx().strings(
                    "SELECT (%s) IS NOT DISTINCT FROM (%s) FROM item_view"
                        .formatted(expression, plain)))
        .containsExactly("t", "t");
    assertThat(fx().number("SELECT count(%s) FROM item_view".formatted(expression))).isPositive();
  }

  @Test
  void edit_rewritesOnlyLeaves() {
    Object key = row(DOCUMENT);
    long before = nodes();
    fx().run(
            "CREATE TABLE kept AS SELECT ctid AS place, xmin AS xmin_, id FROM "
                + fx().table("node"));
    try {
      fx().run("UPDATE item_view SET doc = jsonb_set(doc, '{list,7,i}', '-7')" + fx().where(key));
      assertThat(
              fx().number(
                      "SELECT count(*) FROM kept k JOIN "
                          + fx().table("node")
                          + " n ON n.ctid = k.place AND n.xmin = k.xmin_"))
          .isGreaterThan(before - 8);
      assertThat(fx().own().at(key, "list[7].i").get(Integer.class)).contains(-7);
    } finally {
      fx().run("DROP TABLE kept");
    }
  }

  @Test
  void insertUpdateDelete_andTheirReturning() throws SQLException {
    String key = fx().string("SELECT max(CAST(id AS bigint)) + 1 FROM item_view");
    key = key == null ? "1" : key;
    String columns = fx().where(Long.valueOf(key)).contains(" AND ") ? null : "id";
    assertThat(columns).isEqualTo("id");
    assertThat(
            fx().strings(
                    "INSERT INTO item_view (id, doc, photo, changed) VALUES (%s, '%s', 'first', 4)"
                            .formatted(key, PLAIN)
                        + " RETURNING concat_ws(' ', doc->>'name', convert_from(photo, 'UTF8'), changed, twice, plain IS NULL)"))
        .containsExactly("Ada first 4 8 t");
    assertThat(
            fx().strings(
                    "UPDATE item_view SET photo = photo || ' and more', changed = changed + 1, doc = doc || '{\"n\": 2}' WHERE id = "
                        + key
                        + " RETURNING concat_ws(' ', doc->>'n', convert_from(photo, 'UTF8'), changed, twice)"))
        .containsExactly("2 first and more 5 10");
    fx().run(
            "UPDATE item_view SET photo = overlay(photo PLACING 'F' FROM 1), id = id + 1000 WHERE id = "
                + key);
    assertThat(
            fx().strings(
                    "SELECT convert_from(photo, 'UTF8') || (doc->>'n') FROM item_view WHERE id = %s + 1000"
                        .formatted(key)))
        .containsExactly("First and more2");
    fx().run("UPDATE item_view SET photo = NULL, doc = NULL");
    assertThat(fx().number("SELECT count(*) FROM item WHERE photo IS NULL AND doc IS NULL"))
        .isEqualTo(1);
    assertThat(fx().strings("DELETE FROM item_view WHERE changed = 5 RETURNING twice"))
        .containsExactly("10");
    assertThat(fx().strings("SELECT id FROM item")).isEmpty();
  }

  @Test
  void unselectedColumns_costNothing() {
    assertThat(
            String.join("\n", fx().strings("EXPLAIN (VERBOSE) SELECT id, changed FROM item_view")))
        .doesNotContain("expand")
        .doesNotContain("bytes(");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET changed = changed + 1",
        "UPDATE item SET doc = pgtoaster.set(doc, '{list,9,t}', '#')",
        "UPDATE item SET doc = doc || '{\"name\": \"Eve#\"}'",
        "SELECT pgtoaster.blob_write('item', 'photo', id, 2, '#') FROM item"
      })
  void rowChangedSinceItWasRead_isNotWritten(String change) throws Exception {
    Object key = row(DOCUMENT);
    fx().run("SELECT pgtoaster.blob_append('item', 'photo', id, 'abcdef') FROM item");
    int time = 0;
    for (String statement :
        List.of(
            "DELETE FROM item_view WHERE doc->>'name' = 'Ada' AND changed < 100",
            "UPDATE item_view SET changed = 77 WHERE doc->>'name' = 'Ada'",
            "UPDATE item_view SET photo = NULL",
            "UPDATE item_view SET photo = photo || 'Y'",
            "UPDATE item_view SET doc = jsonb_set(doc, '{list,0,t}', '2')")) {
      try (Connection first = fx().database().connect();
          Connection second = fx().database().connect()) {
        first.setAutoCommit(false);
        Sql.run(first, change.replace("#", "" + ++time), "SELECT FROM item FOR UPDATE");
        Future<String> waiting = Wait.start(() -> outcome(second, statement));
        fx().database().awaitLockWaiters(1);
        first.commit();
        assertThat(Wait.get(waiting))
            .as(statement)
            .startsWith("40001")
            .contains("has changed since it was read");
        Sql.run(
            first,
            "UPDATE item SET doc = doc || '{\"name\": \"Ada\"}' WHERE doc->>'name' <> 'Ada'");
        first.commit();
      }
    }
    assertThat(fx().own().at(key, "list[0].t").get(String.class)).isNotEqualTo("2");
    assertThat(
            fx().string("SELECT convert_from(pgtoaster.bytes(photo), 'UTF8') || changed FROM item"))
        .doesNotContain("Y")
        .doesNotContain("77");
  }

  private static String outcome(Connection connection, String sql) {
    try {
      Sql.run(connection, sql);
      return "done";
    } catch (SQLException e) {
      return e.getSQLState() + " " + e.getMessage();
    }
  }

  @Test
  void keys_areFoundByTheirIndex_underAnySessionSettings() throws SQLException {
    fx().run(
            "CREATE DOMAIN whole AS int",
            "CREATE TABLE odd_key (k float8, at timestamptz, d whole, doc jsonb, n int, PRIMARY KEY (k, at, d))",
            "SELECT pgtoaster.attach('odd_key', 'doc', 'keyed'), pgtoaster.attach('odd_key', 'photo')",
            "SELECT pgtoaster.create_view('odd_key')",
            "CREATE SCHEMA other",
            "CREATE FUNCTION other.yes(whole, whole) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
            "CREATE OPERATOR other.= (LEFTARG = whole, RIGHTARG = whole, FUNCTION = other.yes)");
    try (Connection c = fx().database().connect()) {
      Sql.run(
          c,
          "SET search_path = other, public",
          "SET extra_float_digits = 0",
          "SET timezone = 'Asia/Kolkata'",
          "INSERT INTO odd_key_view SELECT k, '2026-11-23 10:00:00.123456', d, '{}', 0, 'x'"
              + " FROM unnest(ARRAY[0.3, 0.1::float8 + 0.2]) k, generate_series(1, 2) d",
          "UPDATE odd_key_view SET n = 7, photo = photo || 'y' WHERE k > 0.3 AND d::int = 2");
      assertThat(
              Sql.strings(
                  c,
                  "SELECT concat(d::int, k > 0.3, n, convert_from(photo, 'UTF8')) FROM odd_key_view ORDER BY k, d::int"))
          .containsExactly("1f0x", "2f0x", "1t0x", "2t7xy");
    } finally {
      fx().run(
              "DROP TABLE odd_key CASCADE",
              "DROP SCHEMA other CASCADE",
              "DROP DOMAIN whole CASCADE");
    }
  }

  @Test
  void foreignDocument_isRefused_andGeneratedColumnsCannotBeSet() throws SQLException {
    Object key = row(DOCUMENT);
    assertThat(
            refused(
                    "UPDATE item_view v SET doc = p.doc || '{\"x\": 1}' FROM item p WHERE p.id = v.id")
                .getSQLState())
        .isEqualTo("23514");
    assertThat(refused("UPDATE item_view SET twice = 3").getSQLState()).isEqualTo("428C9");
    assertThat(refused("UPDATE item_view SET changed = 1 FROM generate_series(1, 2)").getSQLState())
        .isEqualTo("21000");
    assertSame(key);
  }

  @Test
  void viewOfAnotherRole_isNotAdopted() throws SQLException {
    fx().run(
            "CREATE TABLE seized (id int PRIMARY KEY, doc jsonb)",
            "SELECT pgtoaster.attach('seized', 'doc', 'keyed')",
            "SELECT pgtoaster.create_view('seized')",
            "CREATE ROLE view_thief",
            "ALTER VIEW seized_view OWNER TO view_thief");
    try {
      assertThat(refused("SELECT pgtoaster.create_view('seized')").getSQLState())
          .isEqualTo("42P07");
    } finally {
      fx().run("DROP TABLE seized CASCADE", "DROP ROLE view_thief");
    }
  }

  @Test
  void rowsThatTriggersSkip_areNotCounted() throws SQLException {
    Object key = row(DOCUMENT);
    fx().run(
            "CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER skip BEFORE INSERT OR UPDATE OR DELETE ON item FOR EACH ROW EXECUTE FUNCTION skip()");
    try (Connection c = fx().database().connect();
        var statement = c.createStatement()) {
      for (String sql :
          List.of(
              "UPDATE item_view SET doc = doc || '{\"n\": 9}'",
              "DELETE FROM item_view",
              "INSERT INTO item_view (id) VALUES (4711)")) {
        assertThat(statement.executeUpdate(sql)).as(sql).isZero();
      }
    }
    assertSame(key);
  }

  @Test
  void errorsOfPlainSql_nameTheView() throws SQLException {
    row(DOCUMENT);
    assertThat(refused("UPDATE item SET doc = jsonb_set(doc, '{list,0}', '1')").getMessage())
        .contains("through the view public.item_view");
  }

  @Test
  void view_isRecreated_afterChangesOfTheTable() throws SQLException {
    Object key = row(DOCUMENT);
    fx().run(
            "ALTER TABLE item ADD COLUMN extra text DEFAULT 'more', ADD COLUMN second jsonb",
            "SELECT pgtoaster.create_view('item')",
            "SELECT pgtoaster.attach('item', 'second', 'keyed', '{\"row_budget\": 256}')",
            "SELECT pgtoaster.create_view('item')",
            "UPDATE item_view SET second = doc, extra = extra || '!'");
    try {
      fx().own().compact(key);
      assertThat(fx().string("SELECT (second = doc)::text || extra FROM item_view"))
          .isEqualTo("truemore!");
      assertThat(
              fx().strings(
                      "SELECT name FROM pgtoaster.column_uses('item', 'doc') WHERE kind = 'view'"))
          .isEmpty();
    } finally {
      fx().run(
              "DROP VIEW item_view",
              "SELECT pgtoaster.detach('item', 'second', true)",
              "ALTER TABLE item DROP COLUMN extra, DROP COLUMN second",
              "SELECT pgtoaster.create_view('item')");
    }
  }

  @Test
  void otherViews_areRefused() throws SQLException {
    fx().run("CREATE TABLE bare (id int PRIMARY KEY)");
    try {
      assertThat(refused("SELECT pgtoaster.create_view('bare')").getSQLState()).isEqualTo("42704");
      assertThat(refused("SELECT pgtoaster.create_view('item', 'bare')").getSQLState())
          .isEqualTo("42P07");
      assertThat(refused("SELECT pgtoaster.create_view('item', 'a.b.c')").getSQLState())
          .isEqualTo("42602");
      assertThat(refused("SELECT pgtoaster.create_view(NULL)").getSQLState()).isEqualTo("22004");
      fx().run(
              "CREATE VIEW strange AS SELECT id, doc, 1 AS one FROM item",
              "CREATE TRIGGER write INSTEAD OF UPDATE ON strange FOR EACH ROW EXECUTE FUNCTION pgtoaster.write_view()");
      row(PLAIN);
      assertThat(refused("UPDATE strange SET id = 1").getMessage())
          .contains("column \"one\" of view public.strange is not a column of");
    } finally {
      fx().run("DROP VIEW IF EXISTS strange", "DROP TABLE bare");
    }
  }

  @Test
  void hostileNames_work() throws SQLException {
    fx().run(
            "CREATE SCHEMA \"o'dd \"\"one\"",
            "CREATE TABLE \"o'dd \"\"one\".\"t %I $1\" (\"k;\" text PRIMARY KEY, \"d''oc\" jsonb)",
            "SELECT pgtoaster.attach('\"o''dd \"\"one\".\"t %I $1\"', 'd''''oc', 'keyed')",
            "SELECT pgtoaster.attach('\"o''dd \"\"one\".\"t %I $1\"', 'b\\x')",
            "SELECT pgtoaster.create_view('\"o''dd \"\"one\".\"t %I $1\"')",
            "INSERT INTO \"o'dd \"\"one\".\"t %I $1_view\" VALUES ('a''\"\\', '{\"a\": 1}', 'b')",
            "UPDATE \"o'dd \"\"one\".\"t %I $1_view\" SET \"k;\" = '%s', \"d''oc\" = '{\"a\": [\"''\"]}', \"b\\x\" = \"b\\x\" || 'c'");
    try {
      assertThat(
              fx().string(
                      "SELECT concat(\"k;\", \"d''oc\", convert_from(\"b\\x\", 'UTF8')) FROM \"o'dd \"\"one\".\"t %I $1_view\""))
          .isEqualTo("%s{\"a\": [\"'\"]}bc");
    } finally {
      fx().run("DROP SCHEMA \"o'dd \"\"one\" CASCADE");
    }
  }
}
