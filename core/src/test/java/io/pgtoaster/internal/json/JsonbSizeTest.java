package io.pgtoaster.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Expected values are results of {@code pg_column_size} in PostgreSQL 15. */
class JsonbSizeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
    '1' | 20
    '0' | 18
    '10000' | 20
    '10001' | 22
    '123456789' | 24
    '1.5' | 22
    '0.00001' | 20
    '-12345.678' | 24
    '1e50' | 20
    '"abc"' | 15
    'true' | 12
    'null' | 12
    '[]' | 8
    '{}' | 8
    '[[]]' | 16
    '[1,2,3]' | 44
    '["a","b","c"]' | 23
    '{"a": 1}' | 28
    '{"a": "x", "b": "y"}' | 28
    '{"a": [1, 2], "b": {"c": true}}' | 69
    '[1.00, 20000000000000]' | 32
    '{"id": 1, "name": "Ada Lovelace", "roles": [{"title": "poet"}]}' | 93
    """)
  void size_isCloseToTheServers(String text, long expected) {
    assertThat(JsonbSize.size(Json.readTree(text))).isCloseTo(expected, within(4L));
  }

  @Test
  void size_growsByTheAddedValues() {
    JsonNode object =
        Json.readTree("{\"aaa\": 1, \"é\": {\"xy\": [1.5, \"yyyy\"]}, \"b\": \"four\"}");
    long size = (long) JsonbSize.DATUM + JsonbSize.CONTAINER;
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      size += JsonbSize.member(member.getKey(), member.getValue());
    }
    assertThat(JsonbSize.size(object)).isCloseTo(size, within(4L));
    JsonNode array = Json.readTree("[1, [2], \"three\", true, 10000]");
    size = (long) JsonbSize.DATUM + JsonbSize.CONTAINER;
    for (JsonNode element : array) {
      size += JsonbSize.element(element);
    }
    assertThat(JsonbSize.size(array)).isCloseTo(size, within(4L));
  }
}
