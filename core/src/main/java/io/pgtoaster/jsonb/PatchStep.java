package io.pgtoaster.jsonb;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.column.Patch;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonEquality;
import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.Positions;
import io.pgtoaster.spi.JsonInfo;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Applies one operation of a JSON Patch. */
final class PatchStep<E extends Exception> {
  private static final String NOTHING = "there is nothing";
  private static final String END = "-";

  private final Patch.Target<E> target;
  private final PatchOperation operation;
  private final DocumentPath path;

  PatchStep(Patch.Target<E> target, PatchOperation operation) {
    this.target = target;
    this.operation = operation;
    this.path = operation.path();
  }

  /** Returns the number of bytes that this operation copied. */
  long run(long copied, long copyLimit) throws E {
    switch (operation.type()) {
      case ADD -> add(value());
      case REMOVE -> remove(path);
      case REPLACE -> replace(value());
      case MOVE -> move(from());
      case COPY -> {
        JsonNode value = read(from());
        long size = JsonbSize.size(value);
        if (size > copyLimit - copied) {
          throw operation.failed(
              from(), "copies of the patch add more than " + copyLimit + " bytes, its copy limit");
        }
        add(value);
        return size;
      }
      case TEST -> test(value());
    }
    return 0;
  }

  private JsonNode value() {
    return requireNonNull(operation.value());
  }

  private DocumentPath from() {
    return requireNonNull(operation.from());
  }

  private void add(JsonNode value) throws E {
    if (path.isRoot()) {
      target.put(value);
      return;
    }
    requirePositions(path);
    DocumentPath parent = path.first(path.steps().size() - 1);
    String last = path.steps().get(path.steps().size() - 1);
    JsonInfo info = target.describe(parent, isPosition(last));
    if (info == null) {
      throw operation.failed(path, "there is no parent");
    }
    JsonEdit edit =
        switch (info.type()) {
          case OBJECT -> new JsonEdit.Set(path, value, true);
          case ARRAY -> element(parent, last, info.size(), value);
          default -> throw operation.failed(path, "the parent is neither an object nor an array");
        };
    edit(edit, path);
  }

  private JsonEdit element(DocumentPath array, String last, long size, JsonNode value) {
    if (!last.equals(END)) {
      if (!isPosition(last) || Positions.read(last).isEmpty()) {
        throw operation.failed(path, "the last step is not a position in the array");
      }
      int position = Positions.read(last).getAsInt();
      if (position > size) {
        throw operation.failed(path, "the position is beyond the array's end");
      }
      if (position < size) {
        return new JsonEdit.Insert(path, value, false);
      }
    }
    return new JsonEdit.Append(array, Json.mapper().createArrayNode().add(value));
  }

  private void remove(DocumentPath where) throws E {
    if (where.isRoot()) {
      require(where);
      target.put(null);
      return;
    }
    requirePositions(where);
    edit(new JsonEdit.Remove(where), where);
  }

  private void replace(JsonNode value) throws E {
    if (path.isRoot()) {
      require(path);
      target.put(value);
      return;
    }
    requirePositions(path);
    edit(new JsonEdit.Set(path, value, false), path);
  }

  private void move(DocumentPath from) throws E {
    List<String> steps = from.steps();
    if (steps.equals(path.steps())) {
      require(from);
      return;
    }
    if (steps.size() < path.steps().size() && steps.equals(path.steps().subList(0, steps.size()))) {
      throw operation.failed(path, "a value cannot be moved into itself");
    }
    JsonNode value = read(from);
    remove(from);
    add(value);
  }

  private void test(JsonNode expected) throws E {
    JsonInfo info = require(path, expected.isContainer());
    boolean mayBe =
        info.type() == JsonType.of(expected)
            && (!expected.isContainer() || info.size() == expected.size());
    if (!mayBe || !JsonEquality.equal(read(path), expected)) {
      throw operation.failed(path, "the value is not the one expected");
    }
  }

  private JsonNode read(DocumentPath where) throws E {
    requirePositions(where);
    JsonNode value = target.read(where);
    if (value == null) {
      throw operation.failed(where, NOTHING);
    }
    return value;
  }

  private void edit(JsonEdit edit, DocumentPath where) throws E {
    try {
      if (target.edit(edit)) {
        return;
      }
    } catch (InvalidPathException e) {
      throw operation.failed(where, "the path does not fit the document", e);
    }
    throw operation.failed(where, NOTHING);
  }

  private void require(DocumentPath where) throws E {
    JsonInfo unused = require(where, false);
  }

  private JsonInfo require(DocumentPath where, boolean size) throws E {
    requirePositions(where);
    JsonInfo info = target.describe(where, size);
    if (info == null) {
      throw operation.failed(where, NOTHING);
    }
    return info;
  }

  /**
   * Rejects positions of an array that PostgreSQL accepts and RFC 6901 does not: signs, leading
   * zeros and white space.
   */
  private void requirePositions(DocumentPath where) throws E {
    for (int i = 0; i < where.steps().size(); i++) {
      String step = where.steps().get(i);
      if (isPosition(step) || Positions.read(step).isEmpty()) {
        continue;
      }
      JsonInfo parent = target.describe(where.first(i), false);
      if (parent != null && parent.type() == JsonType.ARRAY) {
        throw operation.failed(where, "JSON Pointer does not allow this form of an array position");
      }
    }
  }

  /** Returns whether a step has the form of a position in RFC 6901. */
  private static boolean isPosition(String step) {
    return !step.startsWith(END) && Positions.isPlain(step);
  }
}
