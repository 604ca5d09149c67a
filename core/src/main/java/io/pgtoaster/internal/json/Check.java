package io.pgtoaster.internal.json;

import io.pgtoaster.error.InvalidJsonException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Searches a value for anything that {@code jsonb} cannot store, in one pass. Does not recurse. */
final class Check {
  private static final int PLACE_CHARS = 200;

  private final Deque<Level> levels = new ArrayDeque<>();

  /** A container on the path to the current value. */
  private static final class Level {
    final @Nullable Iterator<Map.Entry<String, JsonNode>> members;
    final Iterator<JsonNode> elements;
    String step = "";
    long position = -1;

    Level(JsonNode container) {
      members = container.isObject() ? container.properties().iterator() : null;
      elements = container.iterator();
    }

    boolean hasNext() {
      return members != null ? members.hasNext() : elements.hasNext();
    }

    String step() {
      return members != null ? step : Long.toString(position);
    }
  }

  void run(JsonNode root) {
    visit(root);
    while (!levels.isEmpty()) {
      Level level = levels.getLast();
      if (!level.hasNext()) {
        levels.removeLast();
      } else if (level.members == null) {
        level.position++;
        visit(level.elements.next());
      } else {
        Map.Entry<String, JsonNode> member = level.members.next();
        level.step = "";
        refuse(Strings.refusal(member.getKey(), "a key"));
        level.step = member.getKey();
        visit(member.getValue());
      }
    }
  }

  private void visit(JsonNode value) {
    if (value.isContainer()) {
      if (levels.size() == Json.MAX_DEPTH) {
        refuse("a value is nested more than " + Json.MAX_DEPTH + " levels deep");
      }
      levels.addLast(new Level(value));
    } else if (value.isString()) {
      refuse(Strings.refusal(value.stringValue(), "a string"));
    } else if (value.isNumber()) {
      refuse(Numbers.refusal(value));
    } else if (!value.isBoolean() && !value.isNull() && !value.isBinary()) {
      refuse("a " + value.getNodeType() + " node is not a JSON value");
    }
  }

  private void refuse(@Nullable String reason) {
    if (reason != null) {
      throw new InvalidJsonException("jsonb cannot store this: " + reason + place());
    }
  }

  private String place() {
    StringBuilder pointer = new StringBuilder();
    for (Level level : levels) {
      pointer.append('/').append(level.step().replace("~", "~0").replace("/", "~1"));
      if (pointer.length() > PLACE_CHARS) {
        pointer.setLength(PLACE_CHARS);
        pointer.append("...");
        break;
      }
    }
    return pointer.isEmpty() ? "" : ", at " + pointer;
  }
}
