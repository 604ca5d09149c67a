package io.pgtoaster.jsonb;

import static java.util.Objects.requireNonNull;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonEquality;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.Positions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** One operation of a JSON Patch, carried out. */
final class PatchStep {
  private static final String NOTHING = "there is nothing";
  private static final String END = "-";

  private final Connection connection;
  private final RowKey key;
  private final JsonVtable vtable;
  private final PatchOperation operation;
  private final DocumentPath path;

  PatchStep(Connection connection, RowKey key, JsonVtable vtable, PatchOperation operation) {
    this.connection = connection;
    this.key = key;
    this.vtable = vtable;
    this.operation = operation;
    this.path = operation.path();
  }

  void run() throws SQLException {
    switch (operation.type()) {
      case ADD -> add(value());
      case REMOVE -> remove(path);
      case REPLACE -> replace(value());
      case MOVE -> move(from());
      case COPY -> add(read(from()));
      case TEST -> test(value());
    }
  }

  private JsonNode value() {
    return requireNonNull(operation.value());
  }

  private DocumentPath from() {
    return requireNonNull(operation.from());
  }

  private void add(JsonNode value) throws SQLException {
    if (path.isRoot()) {
      put(value);
      return;
    }
    requirePositions(path);
    DocumentPath parent = path.first(path.steps().size() - 1);
    String last = path.steps().get(path.steps().size() - 1);
    JsonInfo info =
        vtable
            .describe(connection, key, parent, isPosition(last))
            .orElseThrow(() -> operation.failed(path, "there is no parent"));
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
        throw operation.failed(path, "the last step is no position in the array");
      }
      int position = Positions.read(last).getAsInt();
      if (position > size) {
        throw operation.failed(path, "the position is behind the array's end");
      }
      if (position < size) {
        return new JsonEdit.Insert(path, value, false);
      }
    }
    return new JsonEdit.Concat(array, Json.mapper().createArrayNode().add(value));
  }

  private void remove(DocumentPath where) throws SQLException {
    if (where.isRoot()) {
      require(where);
      vtable.clear(connection, key);
      return;
    }
    requirePositions(where);
    edit(new JsonEdit.Remove(where), where);
  }

  private void replace(JsonNode value) throws SQLException {
    if (path.isRoot()) {
      require(path);
      put(value);
      return;
    }
    requirePositions(path);
    edit(new JsonEdit.Set(path, value, false), path);
  }

  private void move(DocumentPath from) throws SQLException {
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

  private void test(JsonNode expected) throws SQLException {
    JsonInfo info = require(path, expected.isContainer());
    boolean mayBe =
        info.type() == typeOf(expected)
            && (!expected.isContainer() || info.size() == expected.size());
    if (!mayBe || !JsonEquality.equal(read(path), expected)) {
      throw operation.failed(path, "the value is not the one expected");
    }
  }

  private static JsonType typeOf(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> JsonType.OBJECT;
      case ARRAY -> JsonType.ARRAY;
      case NUMBER -> JsonType.NUMBER;
      case BOOLEAN -> JsonType.BOOLEAN;
      case NULL -> JsonType.NULL;
      default -> JsonType.STRING;
    };
  }

  private JsonNode read(DocumentPath where) throws SQLException {
    requirePositions(where);
    try (InputStream text = vtable.open(connection, key, where, null, 0)) {
      if (text == null) {
        throw operation.failed(where, NOTHING);
      }
      return Json.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void put(JsonNode document) throws SQLException {
    vtable.put(connection, key, Json.parser(JsonbText.text(document)));
  }

  private void edit(JsonEdit edit, DocumentPath where) throws SQLException {
    try {
      if (vtable.edit(connection, key, edit).applied()) {
        return;
      }
    } catch (InvalidPathException e) {
      throw operation.failed(where, "the path does not fit the document", e);
    }
    throw operation.failed(where, NOTHING);
  }

  private void require(DocumentPath where) throws SQLException {
    JsonInfo unused = require(where, false);
  }

  private JsonInfo require(DocumentPath where, boolean size) throws SQLException {
    requirePositions(where);
    return vtable
        .describe(connection, key, where, size)
        .orElseThrow(() -> operation.failed(where, NOTHING));
  }

  /**
   * Refuses what PostgreSQL takes for a position and RFC 6901 does not: signs, leading zeros and
   * white space, if an array is what they meet.
   */
  private void requirePositions(DocumentPath where) throws SQLException {
    for (int i = 0; i < where.steps().size(); i++) {
      String step = where.steps().get(i);
      if (isPosition(step) || Positions.read(step).isEmpty()) {
        continue;
      }
      Optional<JsonInfo> parent = vtable.describe(connection, key, where.first(i), false);
      if (parent.isPresent() && parent.get().type() == JsonType.ARRAY) {
        throw operation.failed(where, "an array has no position of this form");
      }
    }
  }

  private static boolean isPosition(String step) {
    return !step.startsWith(END) && DotParser.isPosition(step);
  }
}
