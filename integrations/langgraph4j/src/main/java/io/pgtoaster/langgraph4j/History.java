package io.pgtoaster.langgraph4j;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The checkpoints of a loaded document, newest first. */
final class History {
  private final ObjectNode newest;
  private final JsonNode older;

  private JsonNode state;

  /** Number of the checkpoint that has the state. */
  private int current;

  History(JsonNode document) {
    newest = document.get("newest").asObject();
    older = document.get("older");
    state = newest.get("state");
  }

  int size() {
    return older.size() + 1;
  }

  /** Returns the number of a checkpoint, 0 for the newest; -1 if it is not stored. */
  int indexOf(String id) {
    int number = size() - 1;
    while (number >= 0 && !stored(number).path("id").asString().equals(id)) {
      number--;
    }
    return number;
  }

  /**
   * Returns a checkpoint. Its state is valid until the next call.
   *
   * @param number not less than that of the last call
   */
  ObjectNode get(int number) {
    for (; current < number; current++) {
      state = Changes.apply(stored(current + 1).get("patch"), state);
    }
    ObjectNode checkpoint = JsonNodeFactory.instance.objectNode().setAll(stored(number));
    checkpoint.remove("patch");
    checkpoint.set("state", state);
    return checkpoint;
  }

  private ObjectNode stored(int number) {
    return number == 0 ? newest : older.get(older.size() - number).asObject();
  }
}
