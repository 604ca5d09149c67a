package io.pgtoaster.langgraph4j;

import java.io.IOException;
import org.bsc.langgraph4j.checkpoint.Checkpoint;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A checkpoint as it is stored. */
record Entry(String id, @Nullable String node, String next, JsonNode state) {
  static Entry of(Checkpoint checkpoint, States states) throws IOException {
    return new Entry(
        checkpoint.getId(),
        checkpoint.getNodeId(),
        checkpoint.getNextNodeId(),
        states.toJson(checkpoint.getState()));
  }

  static Entry read(JsonNode stored, JsonNode state) {
    return new Entry(
        stored.get("id").asString(),
        stored.path("node").isString() ? stored.get("node").asString() : null,
        stored.get("next").asString(),
        state);
  }

  Checkpoint checkpoint(States states) throws IOException, ClassNotFoundException {
    return Checkpoint.builder()
        .id(id)
        .nodeId(node)
        .nextNodeId(next)
        .state(states.fromJson(state))
        .build();
  }

  /** Returns the members without the state. */
  ObjectNode members() {
    return JsonNodeFactory.instance.objectNode().put("id", id).put("node", node).put("next", next);
  }

  /** Returns this checkpoint as a difference from a newer one. */
  ObjectNode before(Entry newer) {
    ObjectNode members = members();
    members.set("patch", Patch.between(newer.state, state));
    return members;
  }

  /** Returns this entry with a state that no later change affects. */
  Entry copy() {
    return new Entry(id, node, next, state.deepCopy());
  }
}
