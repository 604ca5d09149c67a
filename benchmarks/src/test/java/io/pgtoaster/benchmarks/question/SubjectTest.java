package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pgtoaster.jsonb.DocumentPath;
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
    "actors, 50, short",
    "actors, 50, any",
    "actors, 50, middle",
    "strings, 20, 1KB",
    "nested, 20, 4",
  })
  void eachPlace_isThere(String set, int elements, String key) {
    Subject subject = Subject.of(set, elements, key);

    assertThat(subject.paths()).isNotEmpty();
    assertThat(subject.paths()).allSatisfy(p -> assertThat(subject.expected(p)).isNotEmpty());
  }

  @Test
  void aString_hasTheSizeThatIsAskedFor() {
    Subject subject = Subject.of(Subject.STRINGS, 10, "10KB");

    assertThat(subject.expected(subject.paths().get(0))).hasSize(10 << 10);
    assertThat(subject.values().apply(new Random(1)).toString()).hasSize(10 << 10);
  }

  @Test
  void aValue_isAsDeepAsIsAskedFor() {
    assertThat(Subject.of(Subject.NESTED, 64, "16").paths())
        .extracting(DocumentPath::steps)
        .extracting(List::size)
        .containsExactly(16);
  }

  @Test
  void documents_areTheSameAtEachRun() {
    assertThat(Subject.of(Subject.ACTORS, 30, "any"))
        .usingRecursiveComparison()
        .ignoringFields("values")
        .isEqualTo(Subject.of(Subject.ACTORS, 30, "any"));
  }

  @ParameterizedTest
  @CsvSource({"1B, 1", "10KB, 10240", "100MB, 104857600", "1GB, 1073741824"})
  void sizes_areRead(String text, long bytes) {
    assertThat(Size.parse(text)).isEqualTo(bytes);
  }

  @Test
  void whatIsNoSize_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Size.parse("many"));
  }
}
