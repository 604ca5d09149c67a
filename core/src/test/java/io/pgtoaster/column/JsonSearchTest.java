package io.pgtoaster.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.internal.column.SearchTexts;
import io.pgtoaster.jsonb.JsonIndex;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Searches, ranges and indexes are compared by their contents. */
class JsonSearchTest {
  private static void assertDistinct(List<Supplier<Object>> values) {
    for (Supplier<Object> one : values) {
      assertThat(values.stream().filter(v -> v.get().equals(one.get())))
          .as("equal to %s", one.get())
          .containsExactly(one);
      assertThat(one.get()).hasSameHashCodeAs(one.get()).hasToString(one.get().toString());
    }
    assertThat(values).extracting(v -> v.get().toString()).doesNotHaveDuplicates();
  }

  @Test
  void searches_areEqualIfAllConditionsAre() {
    JsonRange range = JsonRange.of("a").above(1);
    assertDistinct(
        List.of(
            () -> JsonSearch.contains(Map.of("a", 1)),
            () -> JsonSearch.containsJson("{\"a\": 2}"),
            () -> JsonSearch.text("a"),
            () -> JsonSearch.text("a").withTextAt("b"),
            () -> JsonSearch.text("a").withTextAt("b").withText("c"),
            () -> JsonSearch.range(range),
            () -> JsonSearch.range(range).withRange(range),
            () -> JsonSearch.range(range).withLimit(7),
            () -> JsonSearch.range(range).withAfter(7)));
  }

  @Test
  void ranges_areEqualIfPathAndBoundsAre() {
    assertDistinct(
        List.of(
            () -> JsonRange.of("a"),
            () -> JsonRange.of("b"),
            () -> JsonRange.of("a").above(1),
            () -> JsonRange.of("a").atLeast(1),
            () -> JsonRange.between("a", 1, 2)));
  }

  @Test
  void indexes_areEqualIfAllOptionsAre() {
    assertDistinct(
        List.of(
            JsonIndex::containment,
            () -> JsonIndex.containment().withOnline(true),
            () -> JsonIndex.containment().withFastUpdate(false),
            () -> JsonIndex.text("english"),
            () -> JsonIndex.text("simple"),
            () -> JsonIndex.path("a"),
            () -> JsonIndex.path("a", "b")));
    assertThat(JsonIndex.path("a").withOnline(true).withOnline(false))
        .isEqualTo(JsonIndex.path("a"));
    assertThatThrownBy(JsonIndex::path).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void arguments_areJson() {
    JsonRange range = JsonRange.between("a", 1, "z").above(0);
    assertThat(SearchTexts.ranges(List.of())).isNull();
    assertThat(SearchTexts.ranges(List.of(range, JsonRange.of("b"))))
        .isEqualTo("[{\">\": 0, \"<=\": \"z\", \">=\": 1, \"path\": \"a\"}, {\"path\": \"b\"}]");
    assertThat(SearchTexts.indexOptions(null, List.of(), null)).isEqualTo("{}");
    assertThat(SearchTexts.indexOptions("simple", List.of("a"), true))
        .isEqualTo("{\"paths\": [\"a\"], \"config\": \"simple\", \"fastupdate\": true}");
  }
}
