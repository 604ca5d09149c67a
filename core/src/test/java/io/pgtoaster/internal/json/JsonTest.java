package io.pgtoaster.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.InvalidJsonException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

class JsonTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @Test
  void scaleOfNumber_isKept() {
    JsonNode tree = Json.readTree("[1.00, 0.10, 12345678901234567890.123456789012345678901, 1e2]");
    assertThat(tree.get(0).decimalValue()).isEqualTo(new BigDecimal("1.00"));
    assertThat(tree.get(1).decimalValue()).isEqualTo(new BigDecimal("0.10"));
    assertThat(tree.get(2).decimalValue())
        .isEqualTo(new BigDecimal("12345678901234567890.123456789012345678901"));
    assertThat(tree.get(3).decimalValue()).isEqualByComparingTo("100");
  }

  @Test
  void scaleOfNumberInCallersObject_isKept() {
    JsonNode tree = Json.toTree(Map.of("price", new BigDecimal("1.00")));
    assertThat(tree.get("price").decimalValue()).isEqualTo(new BigDecimal("1.00"));
  }

  @Test
  void lastOfDuplicateKeys_wins() {
    assertThat(Json.readTree("{\"a\": 1, \"b\": 2, \"a\": {\"c\": 3}}").get("a").has("c")).isTrue();
  }

  @Test
  void allSources_returnTheSameValue() {
    String text = "{\"é😀\": [1.0]}";
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    JsonNode expected = Json.readTree(text);
    assertThat(Json.readTree(utf8)).isEqualTo(expected);
    assertThat(Json.readTree(new ByteArrayInputStream(utf8))).isEqualTo(expected);
    assertThat(Json.readTree(Json.parser(new StringReader(text)))).isEqualTo(expected);
    assertThat(Json.readStored(text)).isEqualTo(expected);
  }

  @Test
  void parser_isReadToTheEndOfItsCurrentValue() {
    JsonParser parser = Json.parser("[[1, 2], 3]");
    parser.nextToken();
    parser.nextToken();
    assertThat(Json.readTree(parser)).hasSize(2);
    assertThat(parser.nextToken()).isEqualTo(JsonToken.VALUE_NUMBER_INT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "[1,]",
        "{\"a\"}",
        "{a: 1}",
        "'a'",
        "01",
        "1.",
        ".5",
        "+1",
        "-",
        "NaN",
        "Infinity",
        "nul",
        "[1",
        "{\"a\": 1",
        "\"a",
        "\"\t\"",
        "\"\\x\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "\"\\ud83dx\"",
        "\"\\u0000\"",
        "{\"\\u0000\": 1}",
        "[1] x",
        "1 2",
        "{} {}",
        "// no\n1",
        "1e131072",
        "1e-16384",
        "0e-16384",
        "1e1000000000",
        "-1e1000000000",
        "1e-1000000000",
        "1e99999999999999",
        "0e2000000000",
        "[{\"a\": [\"\\ud83d\"]}]"
      })
  void textThatPostgresRefuses_isRefused(String text) {
    assertThatThrownBy(() -> Json.readTree(text)).isInstanceOf(InvalidJsonException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1e131071", "0.1e131072", "1e-16383", "0e1000000000", "-0", "\"\\ud83d\\ude00\""})
  void textThatPostgresAccepts_isAccepted(String text) {
    assertThat(Json.readTree(text)).isNotNull();
  }

  @Test
  void longNumbers_areReadToTheLastDigit() {
    assertThat(Json.readTree("9".repeat(131_072)).isBigInteger()).isTrue();
    assertThat(Json.readTree("9".repeat(131_072) + "." + "9".repeat(16_383)).isBigDecimal())
        .isTrue();
    assertThatThrownBy(() -> Json.readTree("9".repeat(131_073)))
        .isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(() -> Json.readTree("1." + "9".repeat(16_384)))
        .isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void deepNesting_isAcceptedUpToTheLimit_withoutRecursion() throws Exception {
    String deepest = "[".repeat(Json.MAX_DEPTH) + "]".repeat(Json.MAX_DEPTH);
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              JsonNode tree = Json.readTree(deepest);
              assertThat(JsonbText.text(tree)).isEqualTo(deepest);
              assertThat(JsonbSize.size(tree)).isEqualTo(Json.MAX_DEPTH * 8L);
              assertThat(JsonEquality.equal(tree, Json.readTree(deepest))).isTrue();
              assertThatThrownBy(() -> Json.readTree("[" + deepest + "]"))
                  .isInstanceOf(InvalidJsonException.class)
                  .hasMessageContaining("20000");
              return null;
            });
    Thread smallStack = new Thread(null, task, "small stack", 200_000);
    smallStack.start();
    task.get();
  }

  @Test
  void callersTreeNestedTooDeep_isRefused() {
    JsonNode tree = NODES.nullNode();
    for (int i = 0; i <= Json.MAX_DEPTH; i++) {
      tree = NODES.objectNode().set("a", tree);
    }
    JsonNode deep = tree;
    assertThatThrownBy(() -> Json.check(deep)).isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void callersObjectNestedTooDeep_isRefused() {
    List<Object> deepest = new ArrayList<>();
    for (int i = 0; i <= Json.MAX_DEPTH; i++) {
      deepest = new ArrayList<>(List.of(deepest));
    }
    List<Object> tree = deepest;
    assertThatThrownBy(() -> Json.toTree(tree)).isInstanceOf(InvalidJsonException.class);
    List<Object> cycle = new ArrayList<>();
    cycle.add(cycle);
    assertThatThrownBy(() -> Json.toTree(cycle)).isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void errorMessage_namesThePlaceButNoContent() {
    assertThatThrownBy(() -> Json.readTree("{\"a\":\n  secret}"))
        .hasMessage("the text is not JSON, at line 2, column 3")
        .hasNoCause();
    assertThatThrownBy(() -> Json.readTree("[0, {\"a/b\": \"secret\\u0000\"}]"))
        .hasMessage("jsonb cannot store this: a string contains the character \\u0000, at /1/a~1b");
  }

  @Test
  void infiniteNumbersAndNaN_areRefused() {
    assertThatThrownBy(() -> Json.toTree(new double[] {1, Double.NaN}))
        .hasMessage("jsonb cannot store this: a number is not finite, at /1");
    assertThatThrownBy(() -> Json.toTree(Float.POSITIVE_INFINITY))
        .isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void nodesThatAreNotJson_areRefused() {
    assertThatThrownBy(() -> Json.check(NODES.missingNode()))
        .isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(() -> Json.check(NODES.arrayNode().addPOJO(new Object())))
        .isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void bytesThatAreNotUtf8_areRefused() {
    for (byte[] bytes :
        new byte[][] {
          {'"', (byte) 0xff, '"'},
          {'"', (byte) 0xc1, (byte) 0x81, '"'},
          {'"', (byte) 0xed, (byte) 0xa0, (byte) 0xbd, '"'},
          {'"', (byte) 0xc3}
        }) {
      assertThatThrownBy(() -> Json.readTree(bytes)).isInstanceOf(InvalidJsonException.class);
    }
  }

  @Test
  void failureOfTheSource_isNotASyntaxError() {
    InputStream broken = new PipedInputStream();
    assertThatThrownBy(() -> Json.readTree(broken)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void rootStringAndNumber_areChecked() {
    Json.checkString("é😀");
    Json.checkNumber(new BigDecimal("1e131071"));
    assertThatThrownBy(() -> Json.checkString("\ud83d")).isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(() -> Json.checkNumber(new BigDecimal("1e131072")))
        .isInstanceOf(InvalidJsonException.class);
  }
}
