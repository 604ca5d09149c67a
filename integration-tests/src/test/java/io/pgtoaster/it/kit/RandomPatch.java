package io.pgtoaster.it.kit;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random JSON Patches, most of them valid. */
record RandomPatch(Random random, RandomParts json) {
  private static final String[] NAMES = {"add", "add", "remove", "replace", "move", "copy", "test"};

  /** Returns a patch for a document with at most this many operations. */
  String next(JsonNode tree, int most) {
    ArrayNode patch = Json.mapper().createArrayNode();
    for (int n = 1 + random.nextInt(most); n > 0; n--) {
      patch.add(operation(tree));
    }
    return JsonbText.text(patch);
  }

  private ObjectNode operation(JsonNode tree) {
    ObjectNode operation = Json.mapper().createObjectNode();
    String name = NAMES[random.nextInt(NAMES.length)];
    List<String> place = place(tree);
    operation.put("op", name);
    switch (name) {
      case "add" -> operation.put("path", pointer(around(place))).set("value", value());
      case "move", "copy" ->
          operation.put("from", pointer(place)).put("path", pointer(around(place(tree))));
      case "replace" -> operation.put("path", pointer(place)).set("value", value());
      case "test" -> {
        JsonNode there = at(tree, place);
        operation
            .put("path", pointer(place))
            .set("value", there == null || random.nextInt(8) == 0 ? value() : there);
      }
      default -> operation.put("path", pointer(place));
    }
    return operation;
  }

  private JsonNode value() {
    return json.value(random.nextInt(20) == 0 ? 60 : 1 + random.nextInt(4));
  }

  /** Returns a path that is not the root and usually counts from the front. */
  private List<String> place(JsonNode tree) {
    List<String> steps = new ArrayList<>(json.path(tree));
    if (steps.isEmpty() || steps.get(0).endsWith("$pgtoaster")) {
      steps = new ArrayList<>(List.of("list", Integer.toString(random.nextInt(30))));
    }
    if (random.nextInt(10) > 0) {
      steps.replaceAll(s -> s.matches("-[0-9]+") ? s.substring(1) : s);
    }
    return steps;
  }

  /** Sometimes returns the end of an array or a new key instead. */
  private List<String> around(List<String> place) {
    if (random.nextInt(3) == 0) {
      String key = random.nextBoolean() ? "-" : json.key();
      place.set(place.size() - 1, key.endsWith("$pgtoaster") ? "new" : key);
    }
    return place;
  }

  private static JsonNode at(JsonNode tree, List<String> place) {
    JsonNode node = tree;
    for (String step : place) {
      node =
          node == null || !node.isContainer()
              ? null
              : node.isObject()
                  ? node.get(step)
                  : step.matches("[0-9]{1,6}") ? node.get(Integer.parseInt(step)) : null;
    }
    return node;
  }

  private static String pointer(List<String> steps) {
    return steps.stream()
        .map(s -> "/" + s.replace("~", "~0").replace("/", "~1"))
        .collect(Collectors.joining());
  }
}
