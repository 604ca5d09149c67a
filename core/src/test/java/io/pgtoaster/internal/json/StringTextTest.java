package io.pgtoaster.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StringTextTest {
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 3);
  private static final int STRINGS = 20_000;
  private static final int MAX_PARTS = 6;
  private static final String[] PARTS = {
    "\\n",
    "\\\\",
    "\\\"",
    "\\u0001",
    "\\u001f",
    "\\u00e9",
    "\\u0000",
    "\\ud800",
    "\\q",
    "\\",
    "\\b\\f\\r\\t",
    "/",
    "\\/",
    "a",
    "é",
    "𝄞",
    "\"",
    "\uFFFD",
    "u00"
  };

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static @Nullable String read(String text) {
    return StringText.read(utf8(text));
  }

  @Test
  void textPrintedByPostgresql_isParsed() {
    assertThat(read("\"\"")).isEmpty();
    assertThat(read("\"Ann \\\"é\\\" \\\\ \\n\\u001f/\"")).isEqualTo("Ann \"é\" \\ \n\u001f/");
  }

  @Test
  void otherText_isLeftToTheParser() {
    for (String text : new String[] {"7", "", "\"", "{}", "\"a\" \"b\"", "\"\\\"", "\"\\u00e9\""}) {
      assertThat(read(text)).as(text).isNull();
    }
  }

  @Test
  void strings_areParsedAsTheParserDoes() {
    Random random = new Random(SEED);
    for (int i = 0; i < STRINGS; i++) {
      StringBuilder text = new StringBuilder("\"");
      for (int part = random.nextInt(MAX_PARTS); part > 0; part--) {
        text.append(PARTS[random.nextInt(PARTS.length)]);
      }
      String string = read(text.append('"').toString());
      if (string != null) {
        assertThat(string)
            .as("seed %d, %s", SEED, text)
            .isEqualTo(Json.readTree(text.toString()).stringValue());
      }
    }
  }

  @Test
  void printedValues_areParsed() throws IOException {
    for (String text :
        new String[] {"7.00", "null", "[1]", "{\"a\": \"b\"}", "\"a\\nb\"", "\"é\""}) {
      assertThat(Json.readPrinted(new ByteArrayInputStream(utf8(text))))
          .isEqualTo(Json.readTree(text));
    }
  }
}
