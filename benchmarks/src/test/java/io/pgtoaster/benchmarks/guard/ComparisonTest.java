package io.pgtoaster.benchmarks.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ComparisonTest {
  private static final Line KEPT = line("append", 1, 10, 500, 3, 4000, 2);

  private static Line line(String operation, double... values) {
    Map<Count, Double> map = new EnumMap<>(Count.class);
    int next = 0;
    for (Count count : Count.values()) {
      map.put(count, values[next++]);
    }
    return new Line("extension", operation, map);
  }

  private static Line with(Count count, double value) {
    Map<Count, Double> values = new EnumMap<>(KEPT.values());
    values.put(count, value);
    return new Line(KEPT.executor(), KEPT.operation(), values);
  }

  private static Map<String, Line> lines(Line... lines) {
    return Stream.of(lines)
        .collect(Collectors.toMap(Line::name, line -> line, (a, b) -> b, LinkedHashMap::new));
  }

  private static Comparison comparison(Line... now) {
    return new Comparison(lines(KEPT), lines(now), name -> true);
  }

  @Test
  void equalCosts_matchTheCommittedOnes() {
    Comparison same = comparison(KEPT);

    assertThat(same.failed()).isFalse();
    assertThat(same.text(false)).isEqualTo("1 operations, 0 counts worse, 0 better: passed\n");
  }

  @ParameterizedTest
  @CsvSource({
    "TRIPS, 1.05, 'round trips, saved 1.00, now 1.05'",
    "PAGES, 11, 'pages, saved 10.0, now 11.0'",
    "WAL, 530, 'WAL bytes, saved 500, now 530'",
    "RECORDS, 3.25, 'WAL records, saved 3.00, now 3.25'",
    "ALLOCATED, 4700, 'allocated, saved 4000, now 4700'",
    "CPU, 5, 'CPU, saved 2.00, now 5.00'",
  })
  void higherCost_isReported_andFails(Count count, double now, String told) {
    Comparison worse = comparison(with(count, now));

    assertThat(worse.failed()).isTrue();
    assertThat(worse.text(false))
        .startsWith("worse: extension | append: " + told + "\n")
        .contains("1 counts worse, 0 better: FAILED", "--accept");
  }

  @ParameterizedTest
  @EnumSource(Count.class)
  void improvement_isReported_andDoesNotFail(Count count) {
    Comparison better = comparison(with(count, 0));

    assertThat(better.failed()).isFalse();
    assertThat(better.text(false)).startsWith("better: ").contains("1 better: passed", "--accept");
  }

  @Test
  void normalVariation_matchesTheCommittedCosts() {
    assertThat(comparison(line("append", 1, 10.2, 505, 3.05, 4300, 4.4)).failed()).isFalse();
  }

  @Test
  void operationWithoutCommittedCosts_fails() {
    assertThat(comparison(KEPT, line("read", 1, 1, 1, 1, 1, 1)).text(false))
        .contains("worse: extension | read: has no saved counts", "FAILED");
  }

  @Test
  void committedOperationThatWasNotCounted_fails_ifItWasRequested() {
    assertThat(comparison().text(false)).contains("append: has saved counts, but was not counted");
    assertThat(new Comparison(lines(KEPT), lines(), name -> false).failed()).isFalse();
  }

  @Test
  void accept_replacesChangedCosts_andKeepsTheOthers() {
    Line gone = line("gone", 1, 1, 1, 1, 1, 1);
    Line other = line("other", 1, 1, 1, 1, 1, 1);
    Line read = line("read", 2, 2, 2, 2, 2, 2);
    Line moved = with(Count.WAL, 900);
    Map<String, Line> kept = lines(KEPT, gone, other);
    List<String> names = List.of(read.name(), KEPT.name(), other.name());

    assertThat(new Comparison(kept, lines(moved, read), name -> true).accepted(names))
        .containsExactly(read, moved, other);
    assertThat(new Comparison(kept, lines(with(Count.WAL, 502)), name -> true).accepted(names))
        .containsExactly(KEPT, other);
  }

  @Test
  void line_isReadBack() {
    assertThat(Line.parse(KEPT.text())).isEqualTo(KEPT);
    assertThat(KEPT.text()).hasSameSizeAs(Line.header());
  }
}
