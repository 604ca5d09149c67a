package io.pgtoaster.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonEqualityTest {
  private static boolean equal(String left, String right) {
    boolean equal = JsonEquality.equal(Json.readTree(left), Json.readTree(right));
    assertThat(JsonEquality.equal(Json.readTree(right), Json.readTree(left))).isEqualTo(equal);
    return equal;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1|1.0",
        "1e2|100",
        "-0|0.00",
        "[1, 2]|[1.0, 20e-1]",
        "{\"a\": 1, \"b\": []}|{\"b\": [], \"a\": 1}",
        "\"\\u0061\"|\"a\"",
        "null|null",
        "true|true",
        "{}|{}",
        "[]|[]",
        "9223372036854775808|9223372036854775808.0"
      })
  void sameJson_isEqual(String left, String right) {
    assertThat(equal(left, right)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1|\"1\"",
        "1|2",
        "true|false",
        "null|false",
        "null|{}",
        "[]|{}",
        "[1, 2]|[2, 1]",
        "[1]|[1, 1]",
        "{\"a\": 1}|{\"b\": 1}",
        "{\"a\": [{}]}|{\"a\": [[]]}",
        "{\"a\": null}|{}",
        "[0]|0"
      })
  void otherJson_isNotEqual(String left, String right) {
    assertThat(equal(left, right)).isFalse();
  }

  @Test
  void bytes_equalTheirBase64Text() {
    assertThat(JsonEquality.equal(Json.toTree(new byte[] {1, 2, 3}), Json.readTree("\"AQID\"")))
        .isTrue();
  }
}
