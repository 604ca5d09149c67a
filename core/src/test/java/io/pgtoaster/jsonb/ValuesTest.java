package io.pgtoaster.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.internal.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class ValuesTest {
  private static final Line LINE = new Line(1);
  private static final JsonNode TREE = Json.readTree("{\"item_number\": 1}");

  private final Values values =
      new Values(
          JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build());

  record Line(int itemNumber) {}

  @Test
  void objectsInEdits_areConvertedByTheMapperOfTheColumn() {
    JsonEdit set = JsonEdit.set("a", TREE);
    assertThat(values.edit(JsonEdit.set("a", LINE))).isEqualTo(set);
    assertThat(values.edit(JsonEdit.insertAfter("a", LINE)))
        .isEqualTo(JsonEdit.insertAfter("a", TREE));
    assertThat(values.edit(JsonEdit.append("a", 7, LINE)))
        .isEqualTo(
            new JsonEdit.Append(set.path(), (ArrayNode) Json.readTree("[7, %s]".formatted(TREE))));
    assertThat(values.edit(JsonEdit.setMembers("a", Map.of("b", LINE))))
        .isEqualTo(
            new JsonEdit.SetMembers(
                set.path(), (ObjectNode) Json.readTree("{\"b\": %s}".formatted(TREE))));
    assertThat(values.edit(JsonEdit.replaceIf("a", LINE, LINE)))
        .isEqualTo(JsonEdit.replaceIf("a", TREE, TREE));
    assertThat(values.edit(JsonEdit.setIfAbsent("a", LINE)))
        .isEqualTo(JsonEdit.setIfAbsent("a", TREE));
    assertThat(values.edit(JsonEdit.remove("a"))).isEqualTo(JsonEdit.remove("a"));
  }

  @Test
  void objectsInSearches_areConvertedByTheMapperOfTheColumn() {
    JsonSearch search = values.search(JsonSearch.contains(LINE).withText("word").withLimit(7));
    assertThat(search).isEqualTo(JsonSearch.contains(TREE).withText("word").withLimit(7));
  }
}
