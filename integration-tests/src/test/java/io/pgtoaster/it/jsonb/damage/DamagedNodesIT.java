package io.pgtoaster.it.jsonb.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nodes that a role has changed with SQL: {@code verify} reports the damage, and other documents
 * stay intact.
 */
class DamagedNodesIT {
  private static final String DOCUMENT =
      IntStream.range(0, 100)
          .mapToObj(i -> "\"k%d\": \"%s\"".formatted(i, "x".repeat(20)))
          .collect(
              Collectors.collectingAndThen(
                  Collectors.joining(", "),
                  map ->
                      "{\"map\": {%s}, \"list\": [%s]}".formatted(map, map.replace(": ", ", "))));

  @AutoClose private static DocumentFixture fx;
  private Object key;

  @BeforeAll
  static void open() {
    fx =
        new DocumentFixture(
            Setting.newest().get(0),
            DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"));
  }

  @BeforeEach
  void split() {
    key = fx.row(DOCUMENT);
  }

  @AfterEach
  void leaveNothing() {
    fx.run("DELETE FROM item");
    assertThat(fx.orphans()).isEmpty();
  }

  private String stat(String figure) {
    return fx.string(
        "SELECT (pgtoaster.document_stat(doc))." + figure + " FROM item" + fx.where(key));
  }

  /** Changes the first node of the given kind and returns its number. */
  private String damage(boolean leaf, String kind, String change) {
    String node = fx.table("node");
    return fx.string(
        "UPDATE %s SET %s WHERE id = (SELECT min(id) FROM %s WHERE kind = '%s' AND value IS %s NULL) RETURNING id"
            .formatted(node, change, node, kind, leaf ? "NOT" : ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "false ; a ; kids[1] = NULL",
        "false ; a ; kids = ARRAY[kids, kids]",
        "false ; a ; kids = NULL",
        "false ; a ; starts[1] = NULL",
        "false ; a ; starts = starts || 9",
        "false ; o ; lows[2] = NULL",
        "false ; o ; kind = ''",
        "true ; a ; kids = '{NULL}'",
        "true ; a ; value = NULL",
        "true ; o ; value = CAST(repeat('[', 14000) || repeat(']', 14000) AS jsonb)",
      })
  void foreignNodes_areReported_andANewDocumentReplacesThem(
      boolean leaf, String kind, String change) {
    String node = damage(leaf, kind, change);
    Object other = fx.row(DOCUMENT);
    assertThat(fx.own().verify(key)).anyMatch(finding -> finding.contains(" " + node + " "));
    fx.own().putJson(key, "{}");
    fx.own().putJson(key, DOCUMENT);
    fx.assertDocument(key, DOCUMENT);
    fx.assertDocument(other, DOCUMENT);
  }

  /**
   * Each node refers to the next, to a depth beyond the limits of documents and of Java's stack.
   */
  @Test
  void chainOfNodes_isReported() {
    String node = fx.table("node");
    fx.run(
        "INSERT INTO %1$s (doc, id, kind, bytes, value, kids) SELECT h.id, n, 'o', 9, jsonb_build_object('$pgtoaster', n + 1), ARRAY[n + 1] FROM %2$s h, generate_series(1, 50000) n"
            .formatted(node, fx.table("head")),
        "UPDATE %1$s SET value = jsonb_set(value, '{0}', '{\"$pgtoaster\": 1}'), kids = '{1}' WHERE id = (SELECT min(id) FROM %1$s WHERE kind = 'a' AND value IS NOT NULL)"
            .formatted(node));
    assertThat(fx.own().verify(key)).anyMatch(finding -> finding.contains("nested too deeply"));
  }

  @Test
  void negativeSizes_countAsZero() {
    fx.run("UPDATE " + fx.table("node") + " SET bytes = -2000000000");
    DocumentStat stat = fx.own().stat(key).orElseThrow();
    assertThat(stat.rawBytes()).isPositive();
    assertThat(stat.largest()).isNotEmpty().allMatch(member -> member.bytes() >= 0);
    assertThat(Long.parseLong(stat("raw_bytes"))).isPositive();
    assertThat(stat("largest")).doesNotContain("-");
    assertThat(
            fx.string(
                "SELECT raw_bytes > 0 AND gain >= 0 FROM pgtoaster.column_stat('item', 'doc')"))
        .isEqualTo("t");
    assertThat(fx.number("SELECT bytes FROM pgtoaster.status()")).isNotNegative();
  }
}
