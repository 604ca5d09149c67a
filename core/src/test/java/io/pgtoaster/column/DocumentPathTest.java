package io.pgtoaster.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.InvalidPathException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentPathTest {
  private static List<String> parsed(String text) {
    return DocumentPath.parse(text).steps();
  }

  @Test
  void dotsAndBrackets_areSteps() {
    assertThat(parsed("roles[5].title")).containsExactly("roles", "5", "title");
    assertThat(parsed("roles[-1]")).containsExactly("roles", "-1");
    assertThat(parsed("[0][1]")).containsExactly("0", "1");
    assertThat(parsed("a.5.b")).containsExactly("a", "5", "b");
    assertThat(parsed("first name.$ref.it/self.ä😀"))
        .containsExactly("first name", "$ref", "it/self", "ä😀");
  }

  @Test
  void quotedKeys_mayContainAnyCharacter() {
    assertThat(parsed("a[\"key with.dots\"]")).containsExactly("a", "key with.dots");
    assertThat(parsed("['x']['']")).containsExactly("x", "");
    assertThat(parsed("['it\\'s \"x\"'].y")).containsExactly("it's \"x\"", "y");
    assertThat(parsed("[\"a]\\\\\\\"\\/\\b\\f\\n\\r\\t\\u20aC\"]"))
        .containsExactly("a]\\\"/\b\f\n\r\t€");
    assertThat(parsed("['5']")).containsExactly("5");
  }

  @Test
  void pointers_areSteps() {
    assertThat(parsed("")).isEmpty();
    assertThat(parsed("/")).containsExactly("");
    assertThat(parsed("/roles/5/title")).containsExactly("roles", "5", "title");
    assertThat(parsed("/a~1b/m~0n/~01//")).containsExactly("a/b", "m~n", "~1", "", "");
    assertThat(parsed("/a.b[0]/ /\"")).containsExactly("a.b[0]", " ", "\"");
  }

  @Test
  void root_isTheEmptyText() {
    assertThat(DocumentPath.parse("")).isEqualTo(DocumentPath.root());
    assertThat(DocumentPath.root().toString()).isEmpty();
    assertThat(DocumentPath.root().toPointer()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        ".|1",
        ".a|1",
        "a.|3",
        "a..b|3",
        "a.[0]|3",
        "a[|3",
        "a[]|3",
        "a[0|4",
        "a[ 0]|3",
        "a[01]|3",
        "a[-0]|3",
        "a[-]|3",
        "a[+1]|3",
        "a[x]|3",
        "a[1.5]|3",
        "a]|2",
        "]|1",
        "[|2",
        "[0]a|4",
        "[0]]|4",
        "a\"b|2",
        "a'b|2",
        "\"a\"|1",
        "[\"a]|5",
        "[\"a\"|5",
        "[\"a\"x]|5",
        "['a\"]|6",
        "['\\x']|4",
        "['\\|4",
        "['\\u12']|7",
        "['\\u12é4']|7",
        "['a'b']|5",
        "a[9999999999999999999]|3",
        "/~|3",
        "/a~2|4",
        "/a/~x|5",
        "a[\u0661]|3"
      })
  void invalidPath_isRefused_andTheCharacterIsNamed(String text, int character) {
    assertThatThrownBy(() -> DocumentPath.parse(text))
        .isInstanceOf(InvalidPathException.class)
        .hasMessageStartingWith("the path cannot be read at character " + character + ":");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/roles/5/title|roles[5].title",
        "/0|[0]",
        "/-1|[-1]",
        "/a b|a b",
        "/a.b/c|[\"a.b\"].c",
        "/|[\"\"]",
        "/~1x|[\"/x\"]",
        "/x~1|x/",
        "/01|01",
        "/-|-",
        "/\"\\|[\"\\\"\\\\\"]"
      })
  void text_hasTheShortestForm(String pointer, String expected) {
    DocumentPath path = DocumentPath.parse(pointer);
    assertThat(path).hasToString(expected);
    assertThat(path.toPointer()).isEqualTo(pointer);
  }

  @Test
  void anySteps_areReadBackFromBothForms() {
    long seed = Long.getLong("pgtoaster.test.seed", 20_261_120);
    Random random = new Random(seed);
    String alphabet = "ab05-+.[]\"'\\/~u \n\u0000é\ud83d\ude00{}*$";
    for (int i = 0; i < 50_000; i++) {
      List<String> steps = new ArrayList<>();
      for (int n = random.nextInt(4); n > 0; n--) {
        StringBuilder step = new StringBuilder();
        for (int c = random.nextInt(5); c > 0; c--) {
          step.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        steps.add(step.toString());
      }
      DocumentPath path = new DocumentPath(steps);
      assertThat(DocumentPath.parse(path.toString())).as("seed " + seed).isEqualTo(path);
      assertThat(DocumentPath.parse(path.toPointer())).as("seed " + seed).isEqualTo(path);
    }
  }

  @Test
  void anyText_isParsedOrRefusedAsAPath() {
    long seed = Long.getLong("pgtoaster.test.seed", 20_261_120);
    Random random = new Random(seed);
    String alphabet = "ab05-.[[]]\"'\\/~u12é";
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int c = random.nextInt(9); c > 0; c--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        DocumentPath path = DocumentPath.parse(text.toString());
        assertThat(DocumentPath.parse(path.toString()))
            .as("seed " + seed + ": " + text)
            .isEqualTo(path);
      } catch (InvalidPathException e) {
        assertThat(e).hasMessageStartingWith("the path cannot be read at character ");
      }
    }
  }

  @Test
  void pathWithTooManySteps_isRefused() {
    DocumentPath longest = new DocumentPath(Collections.nCopies(DocumentPath.MAX_STEPS, "a"));
    assertThat(DocumentPath.parse(longest.toPointer())).isEqualTo(longest);
    assertThatThrownBy(() -> longest.key("a"))
        .isInstanceOf(InvalidPathException.class)
        .hasMessageContaining("DocumentPath.MAX_STEPS");
    for (String step : List.of("[0]", "/~0", ".b")) {
      String path = (step.equals(".b") ? "a" : "") + step.repeat(1_000_000);
      assertThatThrownBy(() -> DocumentPath.parse(path))
          .isInstanceOf(InvalidPathException.class)
          .hasMessageContaining("DocumentPath.MAX_STEPS");
    }
  }

  @Test
  void jsonPath_isRefusedWithAHint() {
    for (String path : List.of("$", "$.a", "$[0]")) {
      assertThatThrownBy(() -> DocumentPath.parse(path))
          .isInstanceOf(InvalidPathException.class)
          .hasMessageContaining("does not begin with $: write roles[5].title");
    }
    assertThat(DocumentPath.parse("$a.$b").steps()).containsExactly("$a", "$b");
    assertThat(DocumentPath.parse("[\"$\"].a")).isEqualTo(DocumentPath.of("$", "a"));
  }
}
