package io.pgtoaster.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.json.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class JsonEditTest {
  private static final DocumentPath PATH = DocumentPath.of("a", "b.c", 0);
  private static final String TEXT = "a[\"b.c\"][0]";

  @Test
  void editsOfTexts_areThoseOfPathsAndTrees() {
    JsonNode value = Json.readTree("{\"n\": 1}");
    assertThat(
            List.of(
                JsonEdit.set(TEXT, value),
                JsonEdit.set(PATH, null),
                JsonEdit.setIfAbsent(TEXT, true),
                JsonEdit.replaceIf(TEXT, 1, 2.5),
                JsonEdit.setMembers(TEXT, Map.of("n", 1)),
                JsonEdit.insert(TEXT, "text"),
                JsonEdit.insertAfter(TEXT, value),
                JsonEdit.append(TEXT, 1, null, "text"),
                JsonEdit.keepLast(TEXT, 3),
                JsonEdit.remove(TEXT),
                JsonEdit.removeIf(TEXT, "text"),
                JsonEdit.increment(TEXT, new BigDecimal("0.10")),
                JsonEdit.increment(TEXT, -7)))
        .isEqualTo(
            List.of(
                new JsonEdit.Set(PATH, value, true),
                new JsonEdit.Set(PATH, Json.readTree("null"), true),
                new JsonEdit.Conditional(new JsonEdit.Set(PATH, Json.readTree("true"), true), null),
                new JsonEdit.Conditional(
                    new JsonEdit.Set(PATH, Json.toTree(2.5), false), Json.toTree(1)),
                new JsonEdit.SetMembers(PATH, (ObjectNode) value),
                new JsonEdit.Insert(PATH, Json.readTree("\"text\""), false),
                new JsonEdit.Insert(PATH, value, true),
                new JsonEdit.Append(PATH, (ArrayNode) Json.readTree("[1, null, \"text\"]")),
                new JsonEdit.KeepLast(PATH, 3),
                new JsonEdit.Remove(PATH),
                new JsonEdit.Conditional(new JsonEdit.Remove(PATH), Json.readTree("\"text\"")),
                new JsonEdit.Increment(PATH, new BigDecimal("0.10")),
                new JsonEdit.Increment(PATH, BigDecimal.valueOf(-7))));
  }

  @Test
  void wrongPathsAndValues_areRejected() {
    assertThatThrownBy(() -> JsonEdit.remove("a[")).isInstanceOf(InvalidPathException.class);
    assertThatThrownBy(() -> JsonEdit.set("a", "\u0000")).isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(() -> JsonEdit.setMembers("a", Map.of("\u0000", 1)))
        .isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(() -> JsonEdit.increment("a", new BigDecimal("1e999999")))
        .isInstanceOf(InvalidJsonException.class);
  }
}
