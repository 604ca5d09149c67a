package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Statements count a document's nodes only if there are at least 65,536. The results are also
 * complete for members with that many nodes.
 */
class ManyNodesIT {
  private static final int FAN_OUT = 257;
  private static final int LEAVES = FAN_OUT * FAN_OUT;

  private static final String LOWS =
      "ARRAY(SELECT CASE k WHEN 0 THEN '' ELSE pgtoaster.key_code('k' || 100000 + %s) END"
          + " FROM generate_series(0, %d) k)";
  private static final String STARTS = "ARRAY(SELECT k * %d FROM generate_series(0, %d) k)";

  /**
   * Creates a branch of one kind with 257 by 257 leaves.
   *
   * @param columns the value of a leaf, then starts and lows of the nodes above leaves and of the
   *     root
   */
  private static void branch(DocumentFixture fx, long branch, String kind, String... columns) {
    String document = "(SELECT id FROM " + fx.table("head") + ")";
    Stream<?> first = Stream.of(fx.table("node"), document, branch, FAN_OUT, kind);
    Object[] names = Stream.concat(first, Stream.of(columns)).toArray();
    fx.run(
        """
            INSERT INTO %1$s (doc, id, kind, bytes, value, kids, starts, lows)
            SELECT %2$s, %3$d + 1 + %4$d + i, '%5$s', pg_column_size(v.v), v.v, NULL, NULL, NULL
            FROM generate_series(0, %4$d * %4$d - 1) i, LATERAL (SELECT %6$s) v(v)
            UNION ALL
            SELECT %2$s, %3$d + 1 + n, '%5$s', 0, NULL, ARRAY(SELECT %3$d + 1 + %4$d + n * %4$d + l FROM generate_series(0, %4$d - 1) l),
                   %7$s, %8$s
            FROM generate_series(0, %4$d - 1) n
            UNION ALL
            SELECT %2$s, %3$d, '%5$s', 0, NULL, ARRAY(SELECT %3$d + 1 + n FROM generate_series(0, %4$d - 1) n),
                   %9$s, %10$s
            """
            .formatted(names));
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void slicesAndKeys_ofManyNodes_areComplete(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row("{}");
      Nodes nodes = new Nodes(fx.database(), 1);
      long document = nodes.head(key);
      branch(
          fx,
          1,
          "a",
          "jsonb_build_array(i)",
          STARTS.formatted(1, FAN_OUT),
          "CAST(NULL AS bytea[])",
          STARTS.formatted(FAN_OUT, FAN_OUT),
          "NULL");
      branch(
          fx,
          200_001,
          "o",
          "jsonb_build_object('k' || 100000 + i, i)",
          "CAST(NULL AS bigint[])",
          LOWS.formatted("n * " + FAN_OUT + " + k", FAN_OUT - 1),
          "NULL",
          LOWS.formatted("k * " + FAN_OUT, FAN_OUT - 1));
      fx.runWithoutTriggers(
          "UPDATE item SET doc = '{\"$pgtoaster\": [%d], \"list\": {\"$pgtoaster\": 1}, \"map\":"
                  .formatted(document)
              + " {\"$pgtoaster\": 200001}}'",
          "ANALYZE " + nodes.table("node"));
      DocumentColumn documents = fx.documents();
      assertThat(documents.at(key, "list").slice(3, LEAVES - 2L).orElseThrow())
          .extracting(JsonNode::intValue)
          .isEqualTo(IntStream.range(3, LEAVES - 2).boxed().toList());
      List<String> keys = IntStream.range(0, LEAVES).mapToObj(i -> "k" + (100_000 + i)).toList();
      assertThat(documents.at(key, "map").keys("k100004", LEAVES - 10))
          .hasValue(keys.subList(5, LEAVES - 5));
    }
  }
}
