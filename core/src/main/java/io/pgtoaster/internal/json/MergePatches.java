package io.pgtoaster.internal.json;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What all who carry out a JSON Merge Patch (RFC 7396) share. */
public final class MergePatches {
  private MergePatches() {}

  /**
   * Returns what a patch leaves where there is no object: itself, but for members that are null.
   *
   * @param patch stays as it is
   * @return a tree, which may share values with the patch
   */
  public static JsonNode withoutNulls(JsonNode patch) {
    if (!patch.isObject()) {
      return patch;
    }
    record Pair(JsonNode from, ObjectNode to) {}
    ObjectNode result = Json.mapper().createObjectNode();
    Deque<Pair> pairs = new ArrayDeque<>();
    pairs.add(new Pair(patch, result));
    while (!pairs.isEmpty()) {
      Pair pair = pairs.removeFirst();
      for (Map.Entry<String, JsonNode> member : pair.from().properties()) {
        JsonNode value = member.getValue();
        if (value.isObject()) {
          pairs.add(new Pair(value, pair.to().putObject(member.getKey())));
        } else if (!value.isNull()) {
          pair.to().set(member.getKey(), value);
        }
      }
    }
    return result;
  }
}
