package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Leaves are large if a document was written as a whole, and small after edits. */
@ParameterizedClass
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class AdaptiveLeavesIT {
  private static final int LARGE = 16_384;
  private static final int SMALL = LARGE / 4;
  private static final String ROLES =
      document(1000, i -> "{\"year\": %d, \"title\": \"a title of some length\"}".formatted(i));

  @Parameter Setting setting;

  @AutoClose private DocumentFixture fx;

  @BeforeEach
  void open() throws Exception {
    fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"));
  }

  private static String document(int elements, IntFunction<String> element) {
    return IntStream.range(0, elements)
        .mapToObj(element)
        .collect(Collectors.joining(", ", "{\"id\": 7, \"roles\": [", "]}"));
  }

  private DocumentColumn documents() {
    return fx.documents();
  }

  private long number(String expression) {
    return fx.number("SELECT " + expression + " FROM " + fx.table("node"));
  }

  private long leaves() {
    return number("count(*) FILTER (WHERE value IS NOT NULL)");
  }

  /** Returns the size of the leaf with the element of that year. */
  private long leafOf(int year) {
    return number(
        "max(bytes) FILTER (WHERE value @> CAST('[{\"year\": %d}]' AS jsonb))".formatted(year));
  }

  @Test
  void edit_splitsOnlyTheLeafThatItChanges() {
    Object key = fx.row(ROLES);
    long before = leaves();
    assertThat(number("sum(bytes)") / before).isGreaterThan(LARGE / 2);
    documents().at(key, "roles[500].year").set(5000);
    assertThat(leafOf(5000)).isLessThanOrEqualTo(SMALL + SMALL / 2);
    assertThat(leaves() - before).isBetween(1L, 5L);
    long cut = leaves();
    documents().at(key, "roles[500].title").set("another");
    documents().at(key, "roles[500].year").increment(1);
    assertThat(leaves()).isEqualTo(cut);
    assertThat(documents().at(key, "roles[500]").get().toString()).contains("5001", "another");
    assertThat(documents().at(key, "roles").size()).hasValue(1000);
    assertThat(documents().verify(key)).isEmpty();
  }

  @Test
  void largeEntriesOfALeaf_moveOutWithItsFirstEdit() {
    Object key =
        fx.row(
            document(
                12,
                i ->
                    "{\"year\": %d, \"names\": [%s]}"
                        .formatted(
                            i,
                            IntStream.range(0, 100)
                                .mapToObj(n -> "\"a name " + n + "\"")
                                .collect(Collectors.joining(", ")))));
    assertThat(leaves()).isLessThan(6);
    for (int i = 0; i < 12; i++) {
      documents().at(key, "roles[" + i + "].year").set(1000 + i);
      documents().at(key, "roles[" + i + "].names[50]").set("changed");
    }
    assertThat(number("max(bytes)")).isLessThanOrEqualTo(SMALL + SMALL / 2);
    assertThat(documents().at(key, "roles[11].names[50]").get().toString()).contains("changed");
    assertThat(documents().at(key, "roles[3].year").get().toString()).contains("1003");
    assertThat(documents().verify(key)).isEmpty();
  }

  @Test
  void put_keepsSplitLeaves_butCompactMergesThem() {
    Object key = fx.row(ROLES);
    long before = leaves();
    Random random = new Random(7);
    for (int i = 0; i < 10; i++) {
      documents().at(key, "roles[" + random.nextInt(1000) + "].year").set(i);
    }
    long cut = leaves();
    assertThat(cut).isGreaterThan(before + 5);
    String text = documents().text(key).orElseThrow();
    assertThat(documents().putJson(key, text).written()).isZero();
    assertThat(leaves()).isEqualTo(cut);
    // Writes at most one leaf, the inner nodes above it and the row.
    String changed = text.replace("{\"year\": 444, ", "{\"year\": 4444, ");
    assertThat(changed).isNotEqualTo(text);
    assertThat(documents().putJson(key, changed).written()).isBetween(1L, 6L);
    fx.assertDocument(key, changed);
    documents().compact(key);
    assertThat(leaves()).isLessThanOrEqualTo(before + 1);
    fx.assertDocument(key, changed);
  }

  @Test
  void manyMembersOfMediumSize_shareLeaves() {
    String json =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    "\"section %d\": {\"n\": %d, \"text\": \"%s\"}"
                        .formatted(i, i, "x".repeat(1500)))
            .collect(Collectors.joining(", ", "{", "}"));
    Object key = fx.row(json);
    assertThat(leaves()).isLessThan(10);
    documents().at(key, "section 20.n").set(2000);
    documents().at(key, "status").set("new");
    assertThat(documents().at(key, "section 21").remove()).isTrue();
    assertThat(documents().at(key, "").keys()).hasValueSatisfying(k -> assertThat(k).hasSize(40));
    assertThat(documents().at(key, "section 20.n").get().toString()).contains("2000");
    assertThat(documents().verify(key)).isEmpty();
  }
}
