package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The SQL functions that read documents, over documents whose nodes the test has inserted. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class KeyedSqlIT {
  private static final List<String> PATHS =
      List.of(
          "{}",
          "{id}",
          "{list}",
          "{list,0}",
          "{list,-1}",
          "{list,2}",
          "{list,3,b}",
          "{list,-4,k}",
          "{list,1,$pgtoaster}",
          "{list,5}",
          "{list,-6}",
          "{list,x}",
          "{list,2,0}",
          "{in}",
          "{in,x}",
          "{in,y}",
          "{in,x,y}",
          "{cc}",
          "{z}",
          "{zz}",
          "{a}",
          "{ccc}",
          "{$pgtoaster}",
          "{$pgtoaster,q,0}",
          "{$$pgtoaster}",
          "{list,1,$$pgtoaster}",
          "{id,0}");

  private static final List<String> PROBES =
      List.of(
          "{\"list\": [5, {\"b\": 2}]}",
          "{\"list\": [5, 6]}",
          "{\"list\": [\"hello wor\\\"ld\"]}",
          "{\"list\": [{\"k\": 1}]}",
          "{\"list\": 5}",
          "{\"list\": []}",
          "{\"list\": {}}",
          "{\"in\": {\"x\": \"hello wor\\\"ld\"}}",
          "{\"in\": {\"x\": \"hello\"}}",
          "{\"in\": {\"x\": null}}",
          "{\"in\": {\"y\": [2]}}",
          "{\"cc\": 2, \"$pgtoaster\": {}}",
          "{\"$pgtoaster\": {\"q\": [1]}}",
          "{\"$pgtoaster\": {\"q\": 1}}",
          "{\"id\": 7}",
          "{\"absent\": 1}",
          "{}",
          "[]",
          "5",
          "null");

  private static final List<String> FORGED_HEADERS =
      List.of(
          "1",
          "\"x\"",
          "null",
          "{}",
          "[]",
          "[1]",
          "[\"x\"]",
          "[1e400]",
          "[1.5]",
          "[-1]",
          "[9223372036854775807]",
          "[1099511627776]",
          "[1099511627777, \"x\"]");

  private static final List<String> DAMAGED_LEAVES =
      List.of(
          "[{\"$pgtoaster\": \"x\"}]",
          "[{\"$pgtoaster\": 99}]",
          "[{\"$pgtoaster\": 4, \"more\": 1}]",
          "[{\"$pgtoaster\": [4]}]",
          "[{\"$pgtoaster\": 1.5}]",
          "[{\"$pgtoaster\": 1e40}]");

  @Parameter int version;

  private Database database;
  private Nodes nodes;
  private long document;

  @BeforeEach
  void split() {
    database = PostgresServers.shared(version).installed();
    database.run(
        "CREATE TABLE item (id int PRIMARY KEY, doc jsonb)",
        "INSERT INTO item VALUES (1, NULL), (2, CAST('%s' AS jsonb) - '$pgtoaster')"
            .formatted(Nodes.SAMPLE));
    nodes =
        new Nodes(
            database, (int) database.number("SELECT pgtoaster.attach('item', 'doc', 'keyed')"));
    document = nodes.sample("item", "doc", "id = 1", 1);
  }

  private String read(String expression) {
    return database.string("SELECT " + expression + " FROM item WHERE id = 1");
  }

  private void assertCorrupt(String expression) {
    try (Connection c = database.connect()) {
      assertThatThrownBy(() -> Sql.string(c, "SELECT " + expression + " FROM item WHERE id = 1"))
          .as(expression)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("XX001"));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void expand_returnsTheWholeDocument() {
    assertThat(read("pgtoaster.expand(doc)"))
        .isEqualTo(database.string("SELECT CAST('%s' AS jsonb)".formatted(Nodes.SAMPLE)));
    assertThat(read("pgtoaster.expand(doc)")).contains("1.00");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "5", "\"$pgtoaster\"", "null", "{\"$$pgtoaster\": 1}"})
  void expand_ofAPlainDocument_returnsIt(String plain) {
    assertThat(database.string("SELECT pgtoaster.expand('%s')".formatted(plain))).isEqualTo(plain);
    assertThat(database.string("SELECT pgtoaster.expand(NULL)")).isNull();
  }

  @Test
  void get_returnsTheSameAsTheOperatorOnThePlainDocument() {
    String plain = "CAST('%s' AS jsonb)".formatted(Nodes.SAMPLE);
    for (String path : PATHS) {
      assertThat(read("pgtoaster.get(doc, '%s')".formatted(path)))
          .as(path)
          .isEqualTo(read("%s #> '%s'".formatted(plain, path)));
      assertThat(read("pgtoaster.get_text(doc, '%s')".formatted(path)))
          .isEqualTo(read("%s #>> '%s'".formatted(plain, path)));
      assertThat(
              database.number(
                  "SELECT count(*) FROM item WHERE id = 2 AND pgtoaster.get(doc, '%1$s') IS DISTINCT FROM doc #> '%1$s'"
                      .formatted(path)))
          .isZero();
    }
  }

  @Test
  void get_readsOnlyTheNodesOnThePath() {
    database.run("DELETE FROM %s WHERE id IN (2, 8)".formatted(nodes.table("node")));
    assertThat(read("pgtoaster.get(doc, '{list,3,b}')")).isEqualTo("2");
    assertThat(read("pgtoaster.get(doc, '{cc}')")).isEqualTo("2");
    assertThat(read("pgtoaster.get(doc, '{in,x}')")).isEqualTo("\"hello wor\\\"ld\"");
    assertCorrupt("pgtoaster.get(doc, '{list,0}')");
    assertCorrupt("pgtoaster.get(doc, '{z}')");
  }

  @Test
  void contains_returnsTheSameAsTheOperatorOnThePlainDocument() {
    for (String probe : PROBES) {
      String plain = "CAST('%s' AS jsonb) @> '%s'".formatted(Nodes.SAMPLE, probe);
      assertThat(read("pgtoaster.contains(doc, '%s')".formatted(probe)))
          .as(probe)
          .isEqualTo(read(plain));
      assertThat(
              database.string(
                  "SELECT count(*) FROM item WHERE id = 2 AND pgtoaster.contains(doc, '%1$s') <> (doc @> '%1$s')"
                      .formatted(probe)))
          .isEqualTo("0");
    }
  }

  @Test
  void contains_readsOnlyTheMembersOfTheProbe() {
    database.run("DELETE FROM %s WHERE id IN (2, 3, 9)".formatted(nodes.table("node")));
    assertThat(read("pgtoaster.contains(doc, '{\"z\": 1, \"id\": 7}')")).isEqualTo("t");
    assertCorrupt("pgtoaster.contains(doc, '{\"list\": [5]}')");
  }

  @Test
  void rootsThatAreNotObjects_areReadCompletely() {
    long array = nodes.head(2);
    nodes
        .array(array, 1, new long[] {2, 3}, 0, 2, 3)
        .leaf(array, 2, "[1, \"a\"]")
        .leaf(array, 3, "[{\"b\": [2]}]");
    database.run("UPDATE item SET doc = '{\"$pgtoaster\": [%d, 1]}' WHERE id = 2".formatted(array));
    String row = " FROM item WHERE id = 2";
    assertThat(database.string("SELECT pgtoaster.expand(doc)" + row))
        .isEqualTo("[1, \"a\", {\"b\": [2]}]");
    assertThat(database.string("SELECT pgtoaster.get(doc, '{-1,b,0}')" + row)).isEqualTo("2");
    assertThat(database.string("SELECT pgtoaster.get(doc, '{b}')" + row)).isNull();
    assertThat(database.string("SELECT pgtoaster.contains(doc, '\"a\"')" + row)).isEqualTo("t");
    assertThat(database.string("SELECT pgtoaster.contains(doc, '[{\"b\": []}, 1]')" + row))
        .isEqualTo("t");
    assertThat(database.string("SELECT pgtoaster.contains(doc, '{}')" + row)).isEqualTo("f");
    long string = nodes.head(2);
    nodes.string(string, 1, 2, 3).leaf(string, 2, "\"$pgtoas\"").leaf(string, 3, "\"ter\\u00fc\"");
    database.run(
        "UPDATE item SET doc = '{\"$pgtoaster\": [%d, 1]}' WHERE id = 2".formatted(string));
    assertThat(database.string("SELECT pgtoaster.get_text(doc, '{}')" + row))
        .isEqualTo("$pgtoasterü");
    assertThat(database.string("SELECT pgtoaster.contains(doc, '\"$pgtoasterü\"')" + row))
        .isEqualTo("t");
  }

  @Test
  void objectWithOnlyMovedMembers_isReadCompletely() {
    long d = nodes.head(2);
    nodes.leaf(d, 1, "{\"a\": 1}");
    database.run("UPDATE item SET doc = '{\"$pgtoaster\": [%d, 1]}' WHERE id = 2".formatted(d));
    String row = " FROM item WHERE id = 2";
    assertThat(database.string("SELECT pgtoaster.expand(doc)" + row)).isEqualTo("{\"a\": 1}");
    assertThat(database.string("SELECT pgtoaster.get(doc, '{a}')" + row)).isEqualTo("1");
    assertThat(database.string("SELECT pgtoaster.contains(doc, '{\"a\": 1}')" + row))
        .isEqualTo("t");
    database.runWithoutTriggers(
        "UPDATE item SET doc = '{\"$pgtoaster\": [%d]}' WHERE id = 2".formatted(d));
    assertThat(database.string("SELECT pgtoaster.expand(doc)" + row)).isEqualTo("{}");
  }

  @Test
  void forgedHeader_isRefused() {
    for (String header : FORGED_HEADERS) {
      database.runWithoutTriggers(
          "UPDATE item SET doc = '{\"$pgtoaster\": %s}' WHERE id = 1".formatted(header));
      assertCorrupt("pgtoaster.expand(doc)");
      assertCorrupt("pgtoaster.get(doc, '{list}')");
      assertCorrupt("pgtoaster.contains(doc, '{}')");
      assertCorrupt("pgtoaster.document_stat(doc)");
    }
  }

  @Test
  void headerMissingFromItsOwner_isRefused() {
    database.runWithoutTriggers(
        "UPDATE item SET doc = '{\"$pgtoaster\": [%d, 9]}' WHERE id = 2".formatted(document));
    try (Connection c = database.connect()) {
      assertThatThrownBy(() -> Sql.string(c, "SELECT pgtoaster.expand(doc) FROM item WHERE id = 2"))
          .hasMessageContaining("the row that owns it does not contain");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    assertThat(read("pgtoaster.get(doc, '{cc}')")).isEqualTo("2");
  }

  @Test
  void damagedMarker_isRefused() {
    for (String leaf : DAMAGED_LEAVES) {
      database.run(
          "UPDATE %s SET value = '%s', kids = '{99}' WHERE id = 3"
              .formatted(nodes.table("node"), leaf));
      assertCorrupt("pgtoaster.expand(doc)");
      if (!leaf.contains("more")) { // as with the API, it refers to a branch
        assertCorrupt("pgtoaster.get(doc, '{list,3}')");
        assertCorrupt("pgtoaster.contains(doc, '{\"list\": [77]}')");
      }
      assertThat(read("pgtoaster.get(doc, '{list,0}')")).isEqualTo("\"x\"");
    }
  }

  @Test
  void documentStat_measuresStoredContent() {
    assertThat(
            read(
                "(SELECT concat_ws(' ', split, inline_members, split_members, leaves, inner_nodes,"
                    + " depth) FROM pgtoaster.document_stat(doc))"))
        .isEqualTo("t 2 4 6 3 4");
    assertThat(read("(SELECT largest->0->>'key' FROM pgtoaster.document_stat(doc))"))
        .isEqualTo("list");
    assertThat(
            database.string(
                "SELECT concat_ws(' ', split, inline_members, split_members, leaves, depth, largest)"
                    + " FROM item, pgtoaster.document_stat(doc) WHERE id = 2"))
        .isEqualTo("f 5 0 0 0 []");
  }

  @Test
  void columnStat_addsUp() {
    assertThat(
            database.string(
                "SELECT concat_ws(' ', documents, split, leaves, inner_nodes, gain > 0) FROM"
                    + " pgtoaster.column_stat('item', 'doc')"))
        .isEqualTo("2 1 6 3 t");
    assertThat(
            database.string(
                "SELECT concat_ws(' ', contents, stored_rows, bytes > 0, warnings) FROM"
                    + " pgtoaster.status()"))
        .isEqualTo("1 9 t {}");
  }

  @ParameterizedTest
  @CsvSource({"50, 800", "300, 4000"})
  void compressibleLeaves_areStoredInLine(int members, int atMost) {
    database.run(
        ("INSERT INTO %s (doc, id, kind, bytes, value) SELECT 1, 100, 'a', 0, jsonb_agg(jsonb_build_object("
                + "'name', 'person ' || i, 'mail', 'p' || i || '@example.org')) FROM"
                + " generate_series(1, %d) i")
            .formatted(nodes.table("node"), members));
    assertThat(
            database.number(
                "SELECT pg_column_size(value) FROM %s WHERE id = 100"
                    .formatted(nodes.table("node"))))
        .isBetween(100L, (long) atMost);
    assertThat(
            database.number(
                "SELECT pg_relation_size(reltoastrelid) FROM pg_class WHERE oid = '%s'::regclass"
                    .formatted(nodes.table("node"))))
        .isZero();
  }
}
