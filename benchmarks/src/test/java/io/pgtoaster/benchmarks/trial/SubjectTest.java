package io.pgtoaster.benchmarks.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.pgtoaster.column.DocumentPath;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectTest {
  @ParameterizedTest
  @CsvSource({
    "synthetic, 100, short",
    "synthetic, 100, last",
    "synthetic, 100, key2",
    "synthetic, 100, key3",
    "synthetic, 100, key4",
    "synthetic, 100, array",
    "actors, 50, array",
    "actors, 50, short",
    "actors, 50, any",
    "actors, 50, middle",
    "strings, 20, 1KB",
    "nested, 20, 4",
  })
  void eachPath_findsAValue(String set, int elements, String key) {
    Subject subject = Subject.of(set, elements, key);

    assertThat(subject.paths()).isNotEmpty();
    assertThat(subject.paths()).allSatisfy(p -> assertThat(subject.expected(p)).isNotEmpty());
  }

  @Test
  void longKeys_haveTheRequestedNames() {
    assertThat(Subject.of(Subject.SYNTHETIC, 100, "key4").paths())
        .containsExactly(DocumentPath.of("key4"));
    Subject array = Subject.of(Subject.SYNTHETIC, 100, "key2");
    assertThat(array.expected(array.paths().get(0))).hasSize(2 * 100 + 1);
  }

  @Test
  void spacesBetweenElements_areIgnored() {
    assertThat(Subject.withoutBlanks("[0, {\"a\": \"b, c\"}]")).isEqualTo("[0,{\"a\":\"b, c\"}]");
    assertThat(Subject.withoutBlanks("The [last], night")).isEqualTo("The [last], night");
    assertThat(Subject.withoutBlanks(null)).isNull();
  }

  @Test
  void appendedElement_isAsLongAsTheExistingOnes() {
    Object role = Subject.of(Subject.ACTORS, 50, Subject.ARRAY).values().apply(new Random(1));

    assertThat(role).asInstanceOf(MAP).containsOnlyKeys("year", "title", "series", "characters");
    assertThat(Subject.of(Subject.SYNTHETIC, 50, Subject.ARRAY).values().apply(new Random(1)))
        .isInstanceOf(Integer.class);
  }

  @Test
  void string_hasTheRequestedSize() {
    Subject subject = Subject.of(Subject.STRINGS, 10, "10KB");

    assertThat(subject.expected(subject.paths().get(0))).hasSize(10 << 10);
    assertThat(subject.values().apply(new Random(1)).toString()).hasSize(10 << 10);
  }

  @Test
  void value_hasTheRequestedDepth() {
    assertThat(Subject.of(Subject.NESTED, 64, "16").paths())
        .extracting(DocumentPath::steps)
        .extracting(List::size)
        .containsExactly(16);
  }

  @Test
  void documents_areTheSameInEachRun() {
    assertThat(Subject.of(Subject.ACTORS, 30, "any"))
        .usingRecursiveComparison()
        .ignoringFields("values")
        .isEqualTo(Subject.of(Subject.ACTORS, 30, "any"));
  }

  @ParameterizedTest
  @CsvSource({"1B, 1", "10KB, 10240", "100MB, 104857600", "1GB, 1073741824"})
  void sizes_areParsed(String text, long bytes) {
    assertThat(Size.parse(text)).isEqualTo(bytes);
  }

  @Test
  void invalidSize_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Size.parse("many"));
  }
}
