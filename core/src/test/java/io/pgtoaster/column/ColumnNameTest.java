package io.pgtoaster.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.error.ColumnNotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnNameTest {
  @Test
  void toString_isTheNameInSql() {
    assertThat(ColumnName.of("recording", "audio")).hasToString("recording.audio");
    assertThat(ColumnName.of("media", "recording", "audio")).hasToString("media.recording.audio");
    assertThat(ColumnName.of("We.ird", "Na\"me", "a b"))
        .hasToString("\"We.ird\".\"Na\"\"me\".\"a b\"");
  }

  @Test
  void of_withoutASchema_usesTheSearchPath() {
    assertThat(ColumnName.of("recording", "audio"))
        .isEqualTo(new ColumnName(null, "recording", "audio"))
        .isNotEqualTo(ColumnName.of("public", "recording", "audio"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "zero\0character", "ääääääääääääääääääääääääääääääää"})
  void namesThatNoServerCanHave_areRefused(String name) {
    assertThatExceptionOfType(ColumnNotFoundException.class)
        .isThrownBy(() -> ColumnName.of(name, "t", "c"));
    assertThatExceptionOfType(ColumnNotFoundException.class)
        .isThrownBy(() -> ColumnName.of(name, "c"));
    assertThatExceptionOfType(ColumnNotFoundException.class)
        .isThrownBy(() -> ColumnName.of("t", name));
  }
}
