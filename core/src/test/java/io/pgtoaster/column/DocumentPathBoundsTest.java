package io.pgtoaster.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.error.InvalidPathException;
import org.junit.jupiter.api.Test;

/** Paths with keys that only just need quotes, or only just do not. */
class DocumentPathBoundsTest {
  @Test
  void everyCharacter_isReadBackFromAStep() {
    for (char c = 1; c < 0x100; c++) {
      for (String step : new String[] {"" + c, "a" + c, c + "a", "1" + c}) {
        DocumentPath path = DocumentPath.of("x", step);
        assertThat(DocumentPath.parse(path.toString()).steps())
            .as("character %d in %s", (int) c, path)
            .containsExactly("x", step);
      }
    }
  }

  @Test
  void charactersBelowASpace_areEscaped() {
    assertThat(DocumentPath.of("a b")).hasToString("a b");
    assertThat(DocumentPath.of(" ")).hasToString(" ");
    for (char c = 1; c < ' '; c++) {
      String text = DocumentPath.of("a" + c).toString();
      assertThat(text).startsWith("[\"a\\");
      assertThat(text.chars()).allMatch(shown -> shown >= ' ');
    }
  }

  @Test
  void positions_haveUpTo18Digits() {
    for (String digits : new String[] {"9", "0", "10", "909", "9".repeat(18)}) {
      assertThat(DocumentPath.parse("a[" + digits + "]").steps()).containsExactly("a", digits);
      assertThat(DocumentPath.of(digits)).hasToString("[" + digits + "]");
    }
    String tooMany = "9".repeat(19);
    assertThat(DocumentPath.of(tooMany)).hasToString(tooMany);
    assertThatExceptionOfType(InvalidPathException.class)
        .isThrownBy(() -> DocumentPath.parse("[" + tooMany + "]"));
    for (String beside : new String[] {"/", ":", "1/", "1:"}) {
      assertThatExceptionOfType(InvalidPathException.class)
          .isThrownBy(() -> DocumentPath.parse("a[" + beside + "]"));
    }
  }

  @Test
  void digitsOfOtherScripts_areNotHexadecimalDigits() {
    assertThat(DocumentPath.parse("['\\u00e9\\u007A']").steps()).containsExactly("éz");
    assertThatExceptionOfType(InvalidPathException.class)
        .isThrownBy(() -> DocumentPath.parse("['\\u006\u0661']"))
        .withMessageContaining("four hexadecimal digits");
  }
}
