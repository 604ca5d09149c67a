package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectTest {
  @ParameterizedTest
  @CsvSource({
    "synthetic, 100, short, 1",
    "synthetic, 100, first, 1",
    "synthetic, 100, middle, 1",
    "synthetic, 100, key4, 21",
    "actors, 50, short, 6",
    "actors, 50, any, 0",
    "actors, 50, array, 0",
    "strings, 20, 1KiB, 1024",
    "nested, 64, 16, 6",
  })
  void eachPath_findsAValue_ofItsSize_theSameInEachRun(
      String set, int elements, String key, int size) {
    Subject subject = Subject.of(set, elements, key);
    assertThat(subject.paths()).isNotEmpty();
    assertThat(subject.paths()).allSatisfy(p -> assertThat(subject.expected(p)).isNotEmpty());
    if (size > 0) {
      assertThat(subject.expected(subject.paths().get(0))).hasSize(size);
    }
    Subject again = Subject.of(set, elements, key);
    assertThat(again.text()).isEqualTo(subject.text());
    assertThat(again.paths()).isEqualTo(subject.paths());
    assertThat(again.values().apply(new Random(1)))
        .isEqualTo(subject.values().apply(new Random(1)));
  }
}
