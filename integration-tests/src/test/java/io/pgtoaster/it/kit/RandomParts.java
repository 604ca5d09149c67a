package io.pgtoaster.it.kit;

import io.pgtoaster.internal.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Random values and paths. */
record RandomParts(Random random) {
  private static final String[] KEYS = {
    "a", "b", "key", "long key of some words", "ä", "", "0", "1", "-1", "$pgtoaster", "$$pgtoaster"
  };

  /** Returns a value with about this many parts. */
  JsonNode value(int parts) {
    if (parts > 1 && random.nextInt(8) > 0) {
      return random.nextBoolean() ? array(parts) : object(parts);
    }
    return switch (random.nextInt(8)) {
      case 0 -> Json.mapper().nullNode();
      case 1 -> Json.mapper().readTree(Boolean.toString(random.nextBoolean()));
      case 2, 3 -> Json.readTree(number().toString());
      case 4 -> Json.readTree('"' + Documents.words(random.nextLong(), size()) + '"');
      case 5 -> random.nextBoolean() ? array(0) : object(0);
      default -> Json.readTree("\"s" + random.nextInt(1000) + '"');
    };
  }

  private int size() {
    return random.nextInt(10) == 0 ? 200 + random.nextInt(4000) : random.nextInt(120);
  }

  BigDecimal number() {
    return new BigDecimal(
        new BigInteger(random.nextInt(10) == 0 ? 200 : 20, random), random.nextInt(6));
  }

  private ArrayNode array(int parts) {
    ArrayNode array = Json.mapper().createArrayNode();
    int rest = parts;
    while (rest > 0) {
      int part = 1 + random.nextInt(rest);
      array.add(value(part - 1));
      rest -= part;
    }
    return array;
  }

  ObjectNode object(int parts) {
    ObjectNode object = Json.mapper().createObjectNode();
    int rest = parts;
    while (rest > 0) {
      int part = 1 + random.nextInt(rest);
      object.set(key(), value(part - 1));
      rest -= part;
    }
    return object;
  }

  String key() {
    return random.nextInt(3) == 0 ? KEYS[random.nextInt(KEYS.length)] : "k" + random.nextInt(60);
  }

  /** Returns a path that usually leads to a value, or just misses one. */
  List<String> path(JsonNode root) {
    List<String> steps = new ArrayList<>();
    JsonNode node = root;
    while (node != null && node.isContainer() && random.nextInt(6) > 0) {
      String step = step(node);
      steps.add(step);
      node = node.isObject() ? node.get(step) : element(node, step);
    }
    if (random.nextInt(12) == 0) {
      steps.add(random.nextBoolean() ? key() : Integer.toString(random.nextInt(5) - 2));
    }
    return steps;
  }

  private String step(JsonNode node) {
    if (random.nextInt(12) == 0) {
      return node.isObject() || random.nextInt(4) == 0
          ? key()
          : Integer.toString(random.nextInt(2 * node.size() + 4) - node.size() - 2);
    }
    if (node.isEmpty()) {
      return node.isObject() ? key() : "0";
    }
    int at = random.nextInt(node.size());
    if (node.isArray()) {
      return Integer.toString(random.nextInt(4) == 0 ? at - node.size() : at);
    }
    return new ArrayList<>(node.propertyNames()).get(at);
  }

  private static JsonNode element(JsonNode array, String step) {
    try {
      int at = Integer.parseInt(step);
      return array.get(at < 0 ? at + array.size() : at);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
