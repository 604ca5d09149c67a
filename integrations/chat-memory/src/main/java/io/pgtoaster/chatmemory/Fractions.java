package io.pgtoaster.chatmemory;

import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes floating-point numbers with a fraction, so that they are read as such. */
final class Fractions {
  private Fractions() {}

  static JsonNode keep(JsonNode value) {
    if (value instanceof ObjectNode object) {
      object.properties().forEach(member -> member.setValue(keep(member.getValue())));
    } else if (value instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, keep(array.get(i)));
      }
    } else if (value.isFloatingPointNumber()) {
      BigDecimal number = value.decimalValue();
      return number.scale() > 0 ? value : JsonNodeFactory.instance.numberNode(number.setScale(1));
    }
    return value;
  }
}
