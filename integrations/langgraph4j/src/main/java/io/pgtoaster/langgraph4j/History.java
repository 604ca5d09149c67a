package io.pgtoaster.langgraph4j;

import tools.jackson.databind.JsonNode;

/** The checkpoints of a loaded document, newest first. */
final class History {
  private final JsonNode newest;
  private final JsonNode older;

  private JsonNode state;

  /** Number of the checkpoint that has the state. */
  private int current;

  History(JsonNode document) {
    newest = document.path("newest");
    older = document.path("older");
    state = newest.path("state");
  }

  int size() {
    return older.size() + 1;
  }

  long version() {
    return newest.path("version").asLong();
  }

  /** Returns the number of a checkpoint, 0 for the newest; -1 if it is not stored. */
  int indexOf(String id) {
    for (int number = 0; number < size(); number++) {
      if (stored(number).path("id").asString().equals(id)) {
        return number;
      }
    }
    return -1;
  }

  /**
   * Returns a checkpoint. Its state is valid until the next call.
   *
   * @param number not less than that of the last call
   */
  Entry get(int number) {
    for (; current < number; current++) {
      state = Patch.apply(stored(current + 1).get("patch"), state);
    }
    return Entry.read(stored(number), state);
  }

  private JsonNode stored(int number) {
    return number == 0 ? newest : older.get(older.size() - number);
  }
}
