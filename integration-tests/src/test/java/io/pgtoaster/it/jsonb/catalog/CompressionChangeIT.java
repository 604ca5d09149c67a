package io.pgtoaster.it.jsonb.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests changes of a column's compression. Existing documents use the new method after they are
 * compacted.
 */
class CompressionChangeIT {
  private static final String COMPRESSIBLE = document(i -> "x".repeat(400));

  private interface Text {
    String of(int i);
  }

  private static String document(Text text) {
    return IntStream.range(0, 300)
        .mapToObj(i -> "\"%d %s\"".formatted(i, text.of(i)))
        .collect(Collectors.joining(",", "{\"id\": 1, \"items\": [", "]}"));
  }

  private static void set(DocumentFixture fx, String compression) {
    fx.string(
        "SELECT pgtoaster.set_options('item', 'doc', '{\"compression\": \"%s\"}')"
            .formatted(compression));
  }

  /** Returns the number of compressed leaves. */
  private static long compressed(DocumentFixture fx) {
    return fx.number("SELECT count(pg_column_compression(value)) FROM " + fx.table("node"));
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void compact_usesTheColumnsCurrentCompression(Setting setting) throws Exception {
    ColumnSpec spec = DocumentSpec.keyed("{\"compression\": \"none\", \"leaf_size\": 4096}");
    try (DocumentFixture fx = new DocumentFixture(setting, spec)) {
      Object key = fx.row(COMPRESSIBLE);
      assertThat(compressed(fx)).isZero();
      set(fx, "pglz");
      assertThat(fx.own().compact(key)).isGreaterThan(25);
      long leaves = compressed(fx);
      assertThat(leaves).isGreaterThan(25);
      assertThat(fx.own().compact(key)).isZero();
      set(fx, "none");
      assertThat(fx.own().compact(key)).isEqualTo(leaves);
      assertThat(compressed(fx)).isZero();
      fx.assertDocument(key, COMPRESSIBLE);
      fx.afterTest();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void compact_ofIncompressibleContent_endsSoon(Setting setting) throws Exception {
    Random random = new Random(1);
    String json =
        document(
            i ->
                random
                    .ints(400, 33, 126)
                    .mapToObj(c -> c == '"' || c == '\\' ? " " : Character.toString(c))
                    .collect(Collectors.joining()));
    ColumnSpec spec = DocumentSpec.keyed("{\"compression\": \"none\", \"leaf_size\": 4096}");
    try (DocumentFixture fx = new DocumentFixture(setting, spec)) {
      Object key = fx.row(json);
      set(fx, "pglz");
      assertThat(fx.own().compact(key)).isZero();
      assertThat(
              fx.number(
                  "SELECT count(*) FROM %s WHERE xmin::text::bigint > (SELECT min(xmin::text::bigint) FROM %1$s)"
                      .formatted(fx.table("node"))))
          .as("leaves rewritten to find out whether they compress")
          .isLessThanOrEqualTo(16);
      fx.assertDocument(key, json);
    }
  }
}
