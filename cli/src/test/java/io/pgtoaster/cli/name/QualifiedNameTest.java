package io.pgtoaster.cli.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.cli.exit.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QualifiedNameTest {
  @Test
  void table_followsTheRulesOfSql() {
    assertThat(QualifiedName.table("Recording")).isEqualTo(new QualifiedName(null, "recording"));
    assertThat(QualifiedName.table("Media.x")).isEqualTo(new QualifiedName("media", "x"));
    assertThat(QualifiedName.table("\"We.ird\".\"Na\"\"me\""))
        .isEqualTo(new QualifiedName("We.ird", "Na\"me"));
    assertThat(QualifiedName.column("\"a.b\"")).isEqualTo("a.b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "a.", ".a", "a.b.c", "\"a", "\"\"", "a\"b", "\"a\"b"})
  void namesThatSqlRefuses_areRefused(String text) {
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> QualifiedName.table(text))
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(2));
  }

  @Test
  void toString_canBeParsed() {
    for (String text : List.of("a", "\"A\"", "s.t", "\"x.y\".\"\"\"\"")) {
      assertThat(QualifiedName.table(text)).hasToString(text);
    }
  }

  @Test
  void key_ofOneColumnIsUsedUnchanged() {
    assertThat(KeyText.parse("a,\"b", 1)).containsExactly("a,\"b");
    assertThat(KeyText.format(List.of("a,b"))).isEqualTo("a,b");
  }

  @Test
  void key_ofSeveralColumnsIsCsv() {
    List<String> values = List.of("7", "a, \"b\"", "");
    assertThat(KeyText.format(values)).isEqualTo("7,\"a, \"\"b\"\"\",\"\"");
    assertThat(KeyText.parse(KeyText.format(values), 3)).isEqualTo(values);
    assertThatExceptionOfType(Failure.class).isThrownBy(() -> KeyText.parse("7", 2));
    assertThatExceptionOfType(Failure.class).isThrownBy(() -> KeyText.parse("7,\"x", 2));
  }
}
