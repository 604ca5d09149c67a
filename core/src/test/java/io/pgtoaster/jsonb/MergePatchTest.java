package io.pgtoaster.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class MergePatchTest {
  private static final RowKey KEY = new RowKey(List.of("1"));

  private static MemoryVtable merged(String document, JsonNode patch) throws SQLException {
    MemoryVtable vtable = new MemoryVtable(document);
    MergePatch.apply(NoConnection.INSTANCE, KEY, vtable, patch);
    return vtable;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":\"b\"}|{\"a\":\"c\"}|{\"a\":\"c\"}",
        "{\"a\":\"b\"}|{\"b\":\"c\"}|{\"a\":\"b\",\"b\":\"c\"}",
        "{\"a\":\"b\"}|{\"a\":null}|{}",
        "{\"a\":\"b\",\"b\":\"c\"}|{\"a\":null}|{\"b\":\"c\"}",
        "{\"a\":\"b\"}|{\"x\":null}|{\"a\":\"b\"}",
        "{\"a\":[\"b\"]}|{\"a\":\"c\"}|{\"a\":\"c\"}",
        "{\"a\":\"c\"}|{\"a\":[\"b\"]}|{\"a\":[\"b\"]}",
        "{\"a\":{\"b\":\"c\"}}|{\"a\":{\"b\":\"d\",\"c\":null}}|{\"a\":{\"b\":\"d\"}}",
        "{\"a\":[{\"b\":\"c\"}]}|{\"a\":[1]}|{\"a\":[1]}",
        "{\"a\":1}|{\"a\":[null,{\"b\":null}]}|{\"a\":[null,{\"b\":null}]}",
        "[\"a\",\"b\"]|[\"c\",\"d\"]|[\"c\",\"d\"]",
        "{\"a\":\"b\"}|[\"c\"]|[\"c\"]",
        "{\"a\":\"foo\"}|null|null",
        "{\"a\":\"foo\"}|\"bar\"|\"bar\"",
        "{\"e\":null}|{\"a\":1}|{\"e\":null,\"a\":1}",
        "[1,2]|{\"a\":\"b\",\"c\":null}|{\"a\":\"b\"}",
        "5|{}|{}",
        "{}|{\"a\":{\"bb\":{\"ccc\":null}}}|{\"a\":{\"bb\":{}}}",
        "{\"a\":5}|{\"a\":{\"b\":null,\"c\":[1]}}|{\"a\":{\"c\":[1]}}",
        "{\"a\":{\"b\":1}}|{\"a\":{}}|{\"a\":{\"b\":1}}",
        "{\"0\":[1],\"-1\":2}|{\"0\":{\"x\":1},\"-1\":null}|{\"0\":{\"x\":1}}"
      })
  void result_matchesTheRfc(String document, String patch, String expected) throws SQLException {
    JsonNode given = Json.readTree(patch);
    assertThat(merged(document, given).text()).isEqualTo(JsonbText.text(Json.readTree(expected)));
    assertThat(given).isEqualTo(Json.readTree(patch));
  }

  @Test
  void missingDocument_becomesThePatchWithoutNulls() throws SQLException {
    MemoryVtable vtable = new MemoryVtable(null);
    MergePatch.apply(
        NoConnection.INSTANCE, KEY, vtable, Json.readTree("{\"a\":{\"b\":null,\"c\":1}}"));
    assertThat(vtable.text()).isEqualTo("{\"a\": {\"c\": 1}}");
  }

  @Test
  void membersOfOneObject_areSetByOneEdit() throws SQLException {
    MemoryVtable vtable =
        merged(
            "{\"big\":{\"x\":[1]},\"a\":1}",
            Json.readTree("{\"a\":2,\"b\":{\"n\":1},\"c\":[3],\"big\":{\"y\":2},\"d\":null}"));
    assertThat(vtable.text())
        .isEqualTo("{\"a\": 2, \"b\": {\"n\": 1}, \"c\": [3], \"big\": {\"x\": [1], \"y\": 2}}");
    assertThat(vtable.calls)
        .containsExactly(
            "describe ", "describe b", "describe big", "Remove d", "SetMembers ", "SetMembers big");
  }

  @Test
  void emptyPatch_writesNothing() throws SQLException {
    assertThat(merged("{\"a\": 1}", Json.readTree("{}")).calls).containsExactly("describe ");
  }

  @Test
  void deepPatch_isAppliedWithoutRecursion() throws SQLException {
    int depth = DocumentPath.MAX_STEPS - 1;
    String deep = "{\"a\":".repeat(depth) + "{\"b\":null,\"c\":1}" + "}".repeat(depth);
    String document = "{\"a\":".repeat(depth) + "{\"b\":1}" + "}".repeat(depth);
    assertThat(merged("1", Json.readTree(deep)).text())
        .endsWith("{\"c\": 1" + "}".repeat(depth + 1));
    assertThat(merged(document, Json.readTree(deep)).text())
        .endsWith("{\"c\": 1" + "}".repeat(depth + 1));
  }

  @Test
  void anyDocumentAndPatch_matchTheRfcsReferenceProgram() throws SQLException {
    long seed = Long.getLong("pgtoaster.test.seed", 20_261_120);
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      JsonNode document = value(random, 3);
      JsonNode patch = value(random, 3);
      String expected = JsonbText.text(rfc(document.deepCopy(), patch));
      assertThat(merged(JsonbText.text(document), patch).text())
          .as("seed " + seed + ": " + document + " merged with " + patch)
          .isEqualTo(expected);
    }
  }

  private static JsonNode rfc(JsonNode target, JsonNode patch) {
    if (!patch.isObject()) {
      return patch;
    }
    ObjectNode result =
        target instanceof ObjectNode object ? object : Json.mapper().createObjectNode();
    patch
        .properties()
        .forEach(
            member -> {
              if (member.getValue().isNull()) {
                result.remove(member.getKey());
              } else {
                JsonNode before = result.path(member.getKey());
                result.set(member.getKey(), rfc(before, member.getValue()));
              }
            });
    return result;
  }

  private static JsonNode value(Random random, int depth) {
    int type = random.nextInt(depth == 0 ? 2 : 5);
    if (type == 0) {
      return Json.mapper().nullNode();
    } else if (type == 1) {
      return Json.mapper().valueToTree(random.nextInt(3));
    } else if (type == 2) {
      return Json.mapper().createArrayNode().add(value(random, depth - 1));
    }
    ObjectNode object = Json.mapper().createObjectNode();
    for (int n = random.nextInt(4); n > 0; n--) {
      object.set(String.valueOf("abc0".charAt(random.nextInt(4))), value(random, depth - 1));
    }
    return object;
  }
}
