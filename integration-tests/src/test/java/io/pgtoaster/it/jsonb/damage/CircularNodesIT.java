package io.pgtoaster.it.jsonb.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every call on a document ends, even if nodes refer to themselves. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CircularNodesIT {
  private static final String DOCUMENT =
      IntStream.range(0, 200)
          .mapToObj(i -> "\"k%d\": {\"n\": \"%s\"}".formatted(i, "x".repeat(60)))
          .collect(
              Collectors.collectingAndThen(
                  Collectors.joining(", ", "{", "}"),
                  map -> "{\"id\": 1, \"map\": %s, \"list\": [%1$s, %1$s]}".formatted(map)));

  /** This is far longer than any call takes, so only an endless call reaches this limit. */
  private static final String LIMIT = "SET statement_timeout = '20s'";

  @Parameter Setting setting;
  private DocumentFixture fixture;

  private DocumentFixture fx() {
    if (fixture == null) {
      fixture =
          new DocumentFixture(
              setting,
              DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"));
    }
    return fixture;
  }

  @AfterEach
  void empty() {
    fx().run("DELETE FROM item");
  }

  @AfterParameterizedClassInvocation
  void close() {
    if (fixture != null) {
      fixture.close();
      fixture = null;
    }
  }

  private static Map<String, ThrowingCallable> calls(DocumentColumn d, Object key) {
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("text", () -> d.text(key));
    calls.put("load", () -> d.load(key, OutputStream.nullOutputStream()));
    for (String path : List.of("map", "list", "map.k7", "map.k7.n", "list[1]", "list[1].k7.n")) {
      calls.put("text of " + path, () -> d.at(key, path).text());
      calls.put("texts of " + path, () -> d.textAll(List.of(key, 0L), path));
      calls.put("type of " + path, () -> d.at(key, path).type());
      calls.put("size of " + path, () -> d.at(key, path).size());
      calls.put("keys of " + path, () -> d.at(key, path).keys());
    }
    calls.put("slice", () -> d.at(key, "list").slice(0, 2));
    calls.put(
        "stream",
        () -> {
          try (InputStream in = d.stream(key).orElseThrow()) {
            in.transferTo(OutputStream.nullOutputStream());
          }
        });
    calls.put("stat", () -> d.stat(key));
    calls.put("verify", () -> d.verify(key));
    calls.put("set", () -> d.at(key, "map.k7.n").set(1));
    calls.put("append", () -> d.at(key, "list").append(1));
    calls.put("remove", () -> d.at(key, "map.k7").remove());
    calls.put("remove of a branch", () -> d.at(key, "map").remove());
    calls.put("compact", () -> d.compact(key));
    return calls;
  }

  private static List<String> queries() {
    return List.of(
        "pgtoaster.expand(doc)",
        "pgtoaster.get(doc, '{map}')",
        "pgtoaster.get(doc, '{list,1,k7,n}')",
        "pgtoaster.contains(doc, '{\"map\": {\"k7\": {\"n\": 1}}}')",
        "pgtoaster.contains(doc, '{\"list\": [7]}')",
        "pgtoaster.document_stat(doc)");
  }

  /** Runs every call in a transaction that is rolled back. */
  private void assertEveryCallEnds(Object key) throws SQLException {
    Connection connection = fx().connect();
    Sql.run(connection, LIMIT);
    connection.setAutoCommit(false);
    for (DocumentColumn documents : fx().executorsOn(connection)) {
      for (Map.Entry<String, ThrowingCallable> call : calls(documents, key).entrySet()) {
        assertEnds(call.getKey(), call.getValue());
        connection.rollback();
      }
    }
    for (String query : queries()) {
      String all = "SELECT " + query + " FROM item" + fx().where(key);
      assertEnds(query, () -> Sql.string(connection, all));
      connection.rollback();
    }
  }

  private static void assertEnds(String what, ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      String state =
          t instanceof SQLException sql
              ? sql.getSQLState()
              : t instanceof PgToasterException known ? known.sqlState() : null;
      assertThat(state).as(what).isNotEqualTo("57014");
      assertThat(t).as(what).isNotInstanceOf(Error.class);
    }
  }

  private Object document(String tampering) {
    Object key = fx().row(DOCUMENT);
    fx().run(tampering.replace("{node}", fx().table("node")));
    return key;
  }

  @Test
  void innerNodesThatAreTheirOwnChildren_causeNoEndlessCall() throws Exception {
    assertEveryCallEnds(
        document(
            "UPDATE {node} SET kids = array_fill(id, ARRAY[cardinality(kids)]) WHERE value IS"
                + " NULL"));
  }

  @Test
  void innerNodesThatReferToTheirParents_causeNoEndlessCall() throws Exception {
    assertEveryCallEnds(
        document(
            """
            UPDATE {node} n SET kids = array_fill(p.id, ARRAY[cardinality(n.kids)])
            FROM {node} p WHERE p.doc = n.doc AND n.id = ANY (p.kids) AND n.value IS NULL AND p.value IS NULL\
            """));
  }

  @Test
  void markersThatReferToTheirOwnBranch_causeNoEndlessCall() throws Exception {
    assertEveryCallEnds(
        document(
            """
            UPDATE {node} n SET kids = ARRAY[p.id, p.id],
              value = (SELECT jsonb_object_agg(e.key, jsonb_build_object('$pgtoaster', p.id)) FROM jsonb_each(n.value) e)
            FROM {node} p WHERE p.doc = n.doc AND n.id = ANY (p.kids) AND n.kind = 'o' AND n.value IS NOT NULL\
            """));
  }

  /** Sixty levels with one node each, which is every child of the node above it. */
  @Test
  void innerNodesThatShareTheirChildren_causeNoEndlessCall() throws Exception {
    assertEveryCallEnds(
        document(
            """
            WITH inner_node AS (
              SELECT n.*, row_number() OVER (ORDER BY n.id) * 1000 AS first FROM {node} n WHERE n.value IS NULL
            ), shared AS (
              INSERT INTO {node} (doc, id, version, kind, bytes, value, kids, starts, lows)
              SELECT doc, -first - level, version, kind, bytes,
                CASE WHEN level = 60 THEN CASE kind WHEN 'a' THEN '[]'::jsonb ELSE '{}' END END,
                CASE WHEN level < 60 THEN array_fill(-first - level - 1, ARRAY[cardinality(kids)]) END,
                CASE WHEN level < 60 THEN starts END, CASE WHEN level < 60 THEN lows END
              FROM inner_node, generate_series(1, 60) level
            )
            UPDATE {node} n SET kids = array_fill(-i.first - 1, ARRAY[cardinality(n.kids)])
            FROM inner_node i WHERE i.doc = n.doc AND i.id = n.id\
            """));
  }
}
