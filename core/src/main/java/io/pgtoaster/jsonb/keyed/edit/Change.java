package io.pgtoaster.jsonb.keyed.edit;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.spi.Edited;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The result of an edit to one stored value. Computed without database access.
 *
 * @param tree the value after the edit
 * @param outcome the outcome of the edit
 * @param dropped branches that its markers named only before the edit
 */
record Change(JsonNode tree, Edited outcome, Ids dropped) {

  /**
   * Applies an edit.
   *
   * @param text the stored value
   * @param within the path inside the value
   * @param edit the edit to apply
   * @param split whether the value belongs to a split document
   */
  static Change of(String text, List<String> within, JsonEdit edit, boolean split) {
    JsonNode tree = Json.readStored(text);
    Ids before = new Ids();
    if (split) {
      Markers.forEach(tree, before::add);
    }
    JsonChanges.Result result = apply(tree, within, edit, split);
    Ids after = new Ids();
    if (!before.isEmpty()) {
      Markers.forEach(result.root(), after::add);
    }
    Ids dropped = new Ids();
    for (int i = 0; i < before.size(); i++) {
      if (!after.contains(before.get(i))) {
        dropped.add(before.get(i));
      }
    }
    Edited outcome = result.applied() ? new Edited(true, result.number(), false) : Edited.MISSED;
    return new Change(result.root(), outcome, dropped);
  }

  private static JsonChanges.Result apply(
      JsonNode tree, List<String> within, JsonEdit edit, boolean split) {
    if (edit instanceof JsonEdit.Set set) {
      return JsonChanges.set(tree, within, stored(set.value(), split), set.createMissing());
    }
    if (edit instanceof JsonEdit.Insert insert) {
      return JsonChanges.insert(tree, within, stored(insert.value(), split), insert.after());
    }
    if (edit instanceof JsonEdit.Remove) {
      return JsonChanges.remove(tree, within);
    }
    if (edit instanceof JsonEdit.Increment increment) {
      return JsonChanges.increment(tree, within, increment.delta());
    }
    if (edit instanceof JsonEdit.Append append) {
      return append(tree, within, append.elements(), split);
    }
    throw new IllegalArgumentException("not an edit of one slot: " + edit.getClass());
  }

  /**
   * Appends the elements of an array; the last step of the path is a position in the target array.
   */
  private static JsonChanges.Result append(
      JsonNode tree, List<String> within, JsonNode elements, boolean split) {
    JsonNode container = JsonChanges.get(tree, within.subList(0, within.size() - 1));
    if (container instanceof ArrayNode array) {
      for (JsonNode element : elements) {
        array.add(stored(element, split));
      }
    }
    return new JsonChanges.Result(tree, container instanceof ArrayNode, null);
  }

  private static JsonNode stored(JsonNode value, boolean split) {
    return split ? Markers.escape(value) : value;
  }
}
