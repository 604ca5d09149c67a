package io.pgtoaster.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Expected values are output of PostgreSQL 15. */
class JsonbTextTest {
  @ParameterizedTest
  @CsvSource({
    "1e2, 100",
    "1.00, 1.00",
    "1E-5, 0.00001",
    "-0, 0",
    "1.0e2, 100",
    "1.5e3, 1500",
    "1e-3, 0.001",
    "0.0, 0.0",
    "-0.0, 0.0",
    "-0.00, 0.00",
    "0e5, 0",
    "0e-5, 0.00000",
    "0.0e-3, 0.0000",
    "0.0e5, 0",
    "1.50e1, 15.0",
    "1.234e2, 123.4",
    "1e0, 1",
    "12345678901234567890.10, 12345678901234567890.10",
    "1.500e-2, 0.01500",
    "1.0E+2, 100",
    "100e-2, 1.00",
    "0.00100e1, 0.0100",
    "-1.5e-10, -0.00000000015",
    "10.0e-1, 1.00",
    "1e20, 100000000000000000000",
    "0e1000000000, 0",
    "-9223372036854775808, -9223372036854775808"
  })
  void numbers_haveNoExponentAndKeepTheirScale(String given, String expected) {
    assertThat(JsonbText.text(Json.readTree(given))).isEqualTo(expected);
  }

  @Test
  void numbersOfEveryJavaType_areFormatted() {
    ArrayNode array =
        JsonNodeFactory.instance
            .arrayNode()
            .add((short) 1)
            .add(2)
            .add(3L)
            .add(new BigInteger("99999999999999999999"))
            .add(new BigDecimal("1.50"))
            .add(0.1)
            .add(1e22)
            .add(-0.0)
            .add(0.1f);
    assertThat(JsonbText.text(array))
        .isEqualTo("[1, 2, 3, 99999999999999999999, 1.50, 0.1, 10000000000000000000000, 0.0, 0.1]");
  }

  @Test
  void strings_areEscapedOnlyWhereNeeded() {
    String given = "\"\\u0001\\u001f\\u007f\\u0080\\u2028\\/\\\\\\\"\\b\\f\\n\\r\\t\\u000b é😀\"";
    assertThat(JsonbText.text(Json.readTree(given)))
        .isEqualTo("\"\\u0001\\u001f\u007f\u0080\u2028/\\\\\\\"\\b\\f\\n\\r\\t\\u000b é😀\"");
  }

  @Test
  void keys_areSortedByLengthInBytesThenByBytes() {
    assertThat(
            JsonbText.text(
                Json.readTree("{\"a\":1,\"a\":{\"b\":2},\"bb\":[],\"c\":{},\"é\":[1,2,[]]}")))
        .isEqualTo("{\"a\": {\"b\": 2}, \"c\": {}, \"bb\": [], \"é\": [1, 2, []]}");
  }

  @Test
  void rootScalars_areFormatted() {
    assertThat(JsonbText.text(Json.readTree("true"))).isEqualTo("true");
    assertThat(JsonbText.text(Json.readTree("null"))).isEqualTo("null");
    assertThat(JsonbText.text(Json.readTree("[false, {}]"))).isEqualTo("[false, {}]");
  }

  @Test
  void bytes_areABase64String() {
    assertThat(JsonbText.text(Json.toTree(new byte[] {1, 2, 3}))).isEqualTo("\"AQID\"");
  }
}
