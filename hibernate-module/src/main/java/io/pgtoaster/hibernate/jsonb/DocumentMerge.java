package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.internal.json.JsonChanges;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Applies a merge patch (RFC 7396) to the document of an entity, as changes by path. */
final class DocumentMerge {
  private final DocumentState state;
  private final DocumentQuestions questions;
  private final Deque<Level> todo = new ArrayDeque<>();

  /** An object of the patch whose counterpart in the document is also an object. */
  private record Level(DocumentPath path, JsonNode patch) {}

  DocumentMerge(DocumentState state) {
    this.state = state;
    this.questions = new DocumentQuestions(state);
  }

  /** Merges a patch, whose values become part of the document. */
  void run(JsonNode patch) {
    if (!patch.isObject() || !isObject(DocumentPath.root())) {
      state.put(JsonChanges.withoutNulls(patch));
      return;
    }
    todo.add(new Level(DocumentPath.root(), patch));
    while (!todo.isEmpty()) {
      merge(todo.removeFirst());
    }
  }

  private void merge(Level level) {
    for (Map.Entry<String, JsonNode> member : level.patch().properties()) {
      DocumentPath path = level.path().key(member.getKey());
      JsonNode value = member.getValue();
      if (value.isNull()) {
        state.change(new JsonEdit.Remove(path));
      } else if (value.isObject() && isObject(path)) {
        todo.addLast(new Level(path, value));
      } else {
        state.change(new JsonEdit.Set(path, JsonChanges.withoutNulls(value), true));
      }
    }
  }

  private boolean isObject(DocumentPath path) {
    return questions.type(path).filter(JsonType.OBJECT::equals).isPresent();
  }
}
