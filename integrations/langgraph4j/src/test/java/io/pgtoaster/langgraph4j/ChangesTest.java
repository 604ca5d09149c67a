package io.pgtoaster.langgraph4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class ChangesTest {
  private static final DocumentPath STATE = DocumentPath.of("state");

  private static JsonNode json(String text) {
    return Json.readTree(text.replace('\'', '"'));
  }

  private static String patch(String before, String after) {
    return Changes.patch(json(before), json(after)).toString().replace('"', '\'');
  }

  @Test
  void appendedMessages_areOneEdit_andAreRemovedByThePatchBack() {
    assertThat(Changes.between(STATE, json("{'m':[1,2]}"), json("{'m':[1,2,3,4]}")))
        .containsExactly(new JsonEdit.Append(STATE.key("m"), (ArrayNode) json("[3,4]")));
    assertThat(patch("{'m':[1,2,3,4]}", "{'m':[1,2]}"))
        .isEqualTo("[{'op':'remove','path':'/m/3'},{'op':'remove','path':'/m/2'}]");
  }

  @Test
  void slidingWindow_writesTheNewElements_withAndWithoutAFixedFirstOne() {
    assertThat(Changes.between(STATE, json("[1,2,3,4]"), json("[3,4,5]")))
        .containsExactly(
            new JsonEdit.Append(STATE, (ArrayNode) json("[5]")),
            new JsonEdit.Remove(STATE.index(1)),
            new JsonEdit.Remove(STATE.index(0)));
    assertThat(patch("[3,4,5]", "[1,2,3,4]"))
        .isEqualTo(
            "[{'op':'remove','path':'/2'},{'op':'add','path':'/0','value':2},"
                + "{'op':'add','path':'/0','value':1}]");
    assertThat(Changes.between(STATE, json("[0,1,2,3]"), json("[0,2,3,4]")))
        .containsExactly(
            new JsonEdit.Append(STATE, (ArrayNode) json("[4]")),
            new JsonEdit.Remove(STATE.index(1)));
  }

  @Test
  void otherValues_areReplacedAtTheirPaths() {
    assertThat(patch("{'a':1,'b':{'c/d':'x'},'e':0}", "{'a':1.0,'b':{'c/d':'y','f':null}}"))
        .isEqualTo(
            "[{'op':'remove','path':'/e'},{'op':'replace','path':'/a','value':1.0},"
                + "{'op':'replace','path':'/b/c~1d','value':'y'},"
                + "{'op':'add','path':'/b/f','value':null}]");
    assertThat(patch("[{'id':1,'text':'a'},2]", "[{'id':1,'text':'b'},2]"))
        .isEqualTo("[{'op':'replace','path':'/0/text','value':'b'}]");
    assertThat(patch("{'a':[1]}", "{'a':[1]}")).isEqualTo("[]");
  }

  @Test
  void manyChanges_replaceTheWholeValue() {
    ArrayNode zeros = JsonNodeFactory.instance.arrayNode();
    ArrayNode ones = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 200; i++) {
      zeros.add(0);
      ones.add(1);
    }
    assertThat(Changes.between(STATE, zeros, ones))
        .containsExactly(new JsonEdit.Set(STATE, ones, false));
    assertThat(Changes.apply(Changes.patch(zeros, ones), zeros.deepCopy())).isEqualTo(ones);
  }

  @Test
  void randomValues_areReachedByPatchesAndByEdits() {
    Random random = new Random(47);
    for (int round = 0; round < 20_000; round++) {
      ObjectNode before = JsonNodeFactory.instance.objectNode();
      before.set("state", state(random));
      JsonNode after = random.nextBoolean() ? state(random) : changed(before.get("state"), random);
      assertThat(
              Changes.apply(
                  Changes.patch(before.get("state"), after), before.get("state").deepCopy()))
          .as("%s", before)
          .isEqualTo(after);
      JsonNode edited = before.deepCopy();
      for (JsonEdit edit : Changes.between(STATE, before.get("state"), after)) {
        edited = apply(edit, edited);
      }
      assertThat(edited.get("state")).as("%s", before).isEqualTo(after);
    }
  }

  private static JsonNode apply(JsonEdit edit, JsonNode root) {
    List<String> steps = edit.path().steps();
    if (edit instanceof JsonEdit.Set set) {
      JsonNode value = set.value().deepCopy();
      return JsonChanges.set(root, steps, value, set.createMissing(), false).root();
    } else if (edit instanceof JsonEdit.Insert insert) {
      return JsonChanges.insert(root, steps, insert.value().deepCopy(), false).root();
    } else if (edit instanceof JsonEdit.Append append) {
      return JsonChanges.append(root, steps, append.elements().deepCopy()).root();
    }
    return JsonChanges.remove(root, steps).root();
  }

  /** Few different values, so that elements are often equal. */
  private static JsonNode state(Random random) {
    ObjectNode state = JsonNodeFactory.instance.objectNode();
    for (String key : List.of("a", "b")) {
      int kind = random.nextInt(4);
      if (kind == 1) {
        state.put(key, random.nextInt(3));
      } else if (kind == 2) {
        state.putObject(key).put("c", random.nextInt(2)).put("d" + random.nextInt(2), 1);
      } else if (kind == 3) {
        ArrayNode list = state.putArray(key);
        for (int i = random.nextInt(7); i > 0; i--) {
          list.add(element(random));
        }
      }
    }
    return state;
  }

  private static JsonNode element(Random random) {
    return random.nextInt(4) == 0
        ? JsonNodeFactory.instance.objectNode().put("e", random.nextInt(2))
        : JsonNodeFactory.instance.numberNode(random.nextInt(3));
  }

  /** Moves a window over the lists, and sometimes changes an element. */
  private static JsonNode changed(JsonNode state, Random random) {
    JsonNode changed = state.deepCopy();
    for (JsonNode member : changed) {
      if (member instanceof ArrayNode list) {
        List<JsonNode> elements = new ArrayList<>(list.values());
        int from = elements.isEmpty() ? 0 : random.nextInt(elements.size());
        list.removeAll().addAll(elements.subList(from, elements.size()));
        for (int i = random.nextInt(3); i > 0; i--) {
          list.insert(random.nextBoolean() ? list.size() : 0, element(random));
        }
      }
    }
    return changed;
  }
}
