package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.JsonCapability;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import io.pgtoaster.jsonb.keyed.StubText;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The document's text in the INSERT of a row.
 *
 * @param document the whole document
 * @param text for the column
 * @param whole whether the text is the whole document
 */
record Insertion(JsonNode document, String text, boolean whole) {
  private static final int DEFAULT_ROW_BUDGET = 2000;

  static Insertion of(JsonNode document, DocumentRow place) {
    long size = JsonbSize.size(document);
    boolean plain = StubText.canBePlain(document);
    if (plain && size <= JsonOptions.MIN_ROW_BUDGET) {
      return all(document);
    }
    DocumentColumn documents = place.column();
    if (!documents.capabilities().contains(JsonCapability.STUBS)) {
      return all(document);
    }
    String budget = ColumnAccess.column(documents).options().get("row_budget");
    long room = budget == null ? DEFAULT_ROW_BUDGET : Long.parseLong(budget);
    return plain && size <= room
        ? all(document)
        : new Insertion(document, beginning(document, room), false);
  }

  private static Insertion all(JsonNode document) {
    return new Insertion(document, JsonbText.text(document), true);
  }

  /**
   * Returns the smallest members, so that constraints on them hold. A document that is not an
   * object is replaced by an empty value.
   */
  private static String beginning(JsonNode document, long room) {
    if (!document.isObject()) {
      return document.isArray() ? "[]" : "\"\"";
    }
    ObjectNode kept = JsonNodeFactory.instance.objectNode();
    List<Map.Entry<String, JsonNode>> members =
        document.properties().stream()
            .sorted(Comparator.comparingLong(m -> JsonbSize.member(m.getKey(), m.getValue())))
            .toList();
    long left = room;
    for (Map.Entry<String, JsonNode> member : members) {
      left -= JsonbSize.member(member.getKey(), member.getValue());
      if (left < 0) {
        break;
      }
      kept.set(member.getKey(), member.getValue());
      if (!StubText.canBePlain(kept)) {
        kept.remove(member.getKey());
      }
    }
    return JsonbText.text(kept);
  }
}
