package io.pgtoaster.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.internal.json.JsonEquality;
import io.pgtoaster.internal.json.JsonbText;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class DocumentDiffTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a": 1}            | {"a": 1.0}           | 0
          {"a": 1}            | {"a": 2}             | 1
          {"a": 1, "b": 2}    | {"b": 2, "c": 3}     | 2
          {"a": [1, 2]}       | {"a": [1, 2, 3, 4]}  | 1
          {"a": [1, 2]}       | {"a": [0, 1, 2]}     | 1
          {"a": [1, 2, 3]}    | {"a": [1, 3]}        | 1
          {"a": [1, 2, 3]}    | {"a": []}            | 3
          {"a": [1, 2, 3]}    | {"a": [3, 1]}        | 1
          {"a": {"b": [{}]}}  | {"a": {"b": [[]]}}   | 1
          {"a": {"b": 1}}     | {"a": null}          | 1
          """)
  void difference_isMinimal(String before, String after, int edits) {
    List<JsonEdit> diff = diff(before, after, before);
    assertThat(diff).hasSize(edits);
    assertThat(JsonbText.text(changed(before, diff)))
        .isEqualTo(edits == 0 ? before : JsonbText.text(Json.readTree(after)));
  }

  private static List<JsonEdit> diff(String before, String after, String stored) {
    return DocumentDiff.of(Json.readTree(before), Json.readTree(after), Json.readTree(stored));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"s": ["a", "z"]}       | {"s": ["z"]}         | {"s": ["z", "a"]}             | {"s":["z"]}
          {"s": ["a", "z"]}       | {"s": ["a", "z", 1]} | {"s": ["z", "a"]}             | {"s":["a","z",1]}
          {"s": ["a"]}            | {"s": ["a", "b"]}    | {"s": ["a", "a"]}             | {"s":["a","b"]}
          {"s": [{"a": 1}]}       | {"s": []}            | {"s": [{"a": 2}]}             | {"s":[]}
          {"s": [{"a":1},{"a":2}]}| {"s": [{"a": 2}]}    | {"s": [{"b":2},{"b":1}]}      | {"s":[{"a":2}]}
          {"s": ["a"]}            | {"s": ["b"]}         | {"s": "a"}                    | {"s":["b"]}
          {"s": {"a": {"t": []}}} | {"s":{"a":{"t":[1]}}}| {"x": 1}                      | {"x":1,"s":{"a":{"t":[1]}}}
          {"s": {"t": "d"}}       | {"s": {"t": "e"}}    | {"s": null}                   | {"s":{"t":"e"}}
          {"t": []}               | {"t": [1]}           | {}                            | {"t":[1]}
          {"n": {"a": 1}}         | {"n": {}}            | {"n": {"u": 1}}               | {"n":{"u":1}}
          """)
  void valueStoredInAnotherForm_isSetAsAWhole(
      String before, String after, String stored, String result) {
    List<JsonEdit> diff = diff(before, after, stored);
    assertThat(diff).hasSizeLessThanOrEqualTo(1).allMatch(e -> e instanceof JsonEdit.Set);
    assertThat(JsonEquality.equal(changed(stored, diff), Json.readTree(result))).isTrue();
  }

  @Test
  void membersThatOnlyOneSideHas_doNotMovePositions() {
    String stored = "{\"s\": [{\"a\": 1, \"u\": 1}, {\"a\": 2, \"u\": 2}]}";
    List<JsonEdit> diff =
        diff(
            "{\"s\": [{\"a\": 1, \"d\": 0}, {\"a\": 2, \"d\": 0}]}",
            "{\"s\": [{\"a\": 2, \"d\": 0}]}",
            stored);
    assertThat(changed(stored, diff)).isEqualTo(Json.readTree("{\"s\": [{\"a\": 2, \"u\": 2}]}"));
  }

  private static JsonNode changed(String before, List<JsonEdit> edits) {
    JsonNode tree = Json.readTree(before);
    for (JsonEdit edit : edits) {
      JsonNode now =
          edit.path().isRoot() && edit instanceof JsonEdit.Set set
              ? set.value()
              : KnownDocument.apply(tree, edit, edit.path().steps()).root();
      tree = now;
    }
    return tree;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void difference_turnsOneValueIntoTheOther(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      JsonNode before = container(random, 3);
      JsonNode after = random.nextBoolean() ? container(random, 3) : varied(before, random);
      if (DocumentDiff.isPossible(before, after)) {
        String text = JsonbText.text(before);
        JsonNode result = changed(text, DocumentDiff.of(before, after, before));
        assertThat(JsonEquality.equal(result, after))
            .as("seed %d: %s to %s gave %s", seed, text, after, result)
            .isTrue();
      }
    }
  }

  @Test
  void manyChangedElements_areSetByOneEdit() {
    ArrayNode before = JsonNodeFactory.instance.arrayNode();
    ArrayNode after = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 100; i++) {
      before.add(i);
      after.add(i + 1);
    }
    ObjectNode one = JsonNodeFactory.instance.objectNode();
    one.set("a", before);
    ObjectNode other = JsonNodeFactory.instance.objectNode();
    other.set("a", after);
    assertThat(DocumentDiff.of(one, other, one)).hasSize(1);
  }

  private static JsonNode container(Random random, int depth) {
    if (random.nextBoolean()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      for (int i = random.nextInt(4); i > 0; i--) {
        object.set("k" + random.nextInt(5), value(random, depth));
      }
      return object;
    }
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (int i = random.nextInt(5); i > 0; i--) {
      array.add(value(random, depth));
    }
    return array;
  }

  private static JsonNode value(Random random, int depth) {
    return depth > 0 && random.nextInt(3) == 0
        ? container(random, depth - 1)
        : JsonNodeFactory.instance.numberNode(random.nextInt(3));
  }

  /** Returns a copy with one random change. */
  private static JsonNode varied(JsonNode tree, Random random) {
    JsonNode copy = JsonCopies.copy(tree);
    if (copy instanceof ArrayNode array) {
      int at = random.nextInt(array.size() + 1);
      if (random.nextBoolean() && at < array.size()) {
        array.set(at, varied(array.get(at), random));
      } else {
        array.insert(at, value(random, 1));
      }
    } else if (copy instanceof ObjectNode object && !object.isEmpty()) {
      String key = object.propertyNames().iterator().next();
      object.set(key, varied(object.get(key), random));
    } else if (!copy.isContainer()) {
      return value(random, 1);
    }
    return copy;
  }
}
