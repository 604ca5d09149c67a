package io.pgtoaster.jsonb;

import io.pgtoaster.column.ColumnAccess;
import io.pgtoaster.column.ColumnAccess.Resolved;
import io.pgtoaster.column.OperationContext;
import io.pgtoaster.column.OwnerRows;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.TransactionRequiredException;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.spi.json.Json;
import io.pgtoaster.spi.json.JsonbText;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;

/** Applies changes at one path, each in its own transaction or as part of the caller's. */
final class Edits {
  private static final int MAX_ATTEMPTS = 5;

  private final ColumnAccess<JsonToaster, JsonVtable> access;

  Edits(ColumnAccess<JsonToaster, JsonVtable> access) {
    this.access = access;
  }

  EditOutcome apply(Object key, JsonEdit edit) {
    return access.writeOrTransact(
        new DocumentOperation(edit.verb(), key, edit.path()),
        (c, column, row) -> column.vtable().tryEdit(c, row, edit),
        (c, column, row) -> column.vtable().edit(c, row, edit));
  }

  boolean set(Object key, DocumentPath path, @Nullable JsonNode given, SetOptions options) {
    JsonNode value = given;
    if (value == null) {
      switch (options.nullTreatment()) {
        case USE_JSON_NULL -> value = NullNode.getInstance();
        case DELETE_KEY -> {
          return apply(key, new JsonEdit.Remove(path)).applied();
        }
        case RETURN_TARGET -> {
          return false;
        }
        default ->
            throw new InvalidJsonException("the value is null, and the options refuse that")
                .at(describe(key, path));
      }
    }
    if (path.isRoot()) {
      return replace(key, value, options);
    }
    if (apply(key, new JsonEdit.Set(path, value, options.createMissing())).applied()) {
      return true;
    }
    return switch (options.missingParents()) {
      case IGNORE -> false;
      case CREATE -> create(key, path, value);
      case FAIL -> {
        requireParent(key, path);
        yield false;
      }
    };
  }

  EditOutcome applyIf(Object key, JsonEdit.Conditional edit) {
    if (!edit.path().isRoot()) {
      return apply(key, edit);
    }
    // The root is not a member or element, so there is nothing to remove.
    return edit.edit() instanceof JsonEdit.Set set
        ? replaceIf(key, edit, set.value())
        : apply(key, edit.edit());
  }

  private EditOutcome replaceIf(Object key, JsonEdit.Conditional edit, JsonNode value) {
    return access.<EditOutcome>inTransaction(
        DocumentOperation.row("set_if", key),
        true,
        (c, column, row) -> {
          lock(c, column, row);
          try (InputStream text = column.vtable().open(c, row, DocumentPath.root(), null, 0)) {
            if (!edit.holds(text == null ? null : Json.readTree(text))) {
              return EditOutcome.CONFLICT;
            }
          } catch (IOException e) {
            throw Failures.inCall(e);
          }
          put(c, column, row, value);
          return EditOutcome.APPLIED;
        });
  }

  /** Describes the place of a value, for messages. */
  String describe(Object key, DocumentPath path) {
    return new DocumentOperation("set", key, path).describe(access.resolved().column().describe());
  }

  /** Replaces the whole document, if there is one. */
  private boolean replace(Object key, JsonNode value, SetOptions options) {
    return access.inTransaction(
        DocumentOperation.row("set", key),
        true,
        (c, column, row) -> {
          lock(c, column, row);
          if (options.missingParents() != MissingParents.CREATE
              && column.vtable().describe(c, row, DocumentPath.root(), false).isEmpty()) {
            return false;
          }
          put(c, column, row, value);
          return true;
        });
  }

  private void requireParent(Object key, DocumentPath path) {
    OperationContext context = new DocumentOperation("describe", key, path);
    DocumentPath parent = path.first(path.steps().size() - 1);
    Optional<JsonInfo> info =
        access.read(context, (c, column, row) -> column.vtable().describe(c, row, parent, false));
    if (info.isEmpty() || !info.get().type().isContainer()) {
      throw new InvalidPathException("there is no object or array to hold the last step")
          .at(describe(key, path));
    }
  }

  private boolean create(Object key, DocumentPath path, JsonNode value) {
    return access.inTransaction(
        new DocumentOperation("set", key, path),
        true,
        (c, column, row) -> {
          lock(c, column, row);
          for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            JsonVtable vtable = column.vtable();
            if (vtable.edit(c, row, new JsonEdit.Set(path, value, true)).applied()) {
              return true;
            }
            int depth = existing(c, vtable, row, path);
            if (depth < 0) {
              put(c, column, row, nested(path.steps(), value));
              return true;
            }
            if (!fits(c, vtable, row, path, depth)) {
              return false;
            }
            List<String> rest = path.steps().subList(depth + 1, path.steps().size());
            JsonEdit edit = new JsonEdit.Set(path.first(depth + 1), nested(rest, value), true);
            if (vtable.edit(c, row, edit).applied()) {
              return true;
            }
          }
          throw new ConcurrencyException("other writers kept coming between; set again");
        });
  }

  /** Returns the number of leading steps that find something; -1 if there is no document. */
  private static int existing(
      Connection connection, JsonVtable vtable, RowKey row, DocumentPath path) throws SQLException {
    for (int depth = path.steps().size() - 1; depth >= 0; depth--) {
      if (vtable.describe(connection, row, path.first(depth), false).isPresent()) {
        return depth;
      }
    }
    return -1;
  }

  /** Returns whether the first missing step can be created. */
  private static boolean fits(
      Connection connection, JsonVtable vtable, RowKey row, DocumentPath path, int depth)
      throws SQLException {
    Optional<JsonInfo> info = vtable.describe(connection, row, path.first(depth), false);
    return info.isPresent()
        && (info.get().type() == JsonType.OBJECT
            || (info.get().type() == JsonType.ARRAY && isPosition(path.steps().get(depth))));
  }

  private static boolean isPosition(String step) {
    int digits = step.startsWith("-") ? step.length() - 1 : step.length();
    return digits > 0
        && digits < 10
        && step.chars().skip(step.length() - digits).allMatch(c -> c >= '0' && c <= '9');
  }

  private static JsonNode nested(List<String> steps, JsonNode value) {
    JsonNode nested = value;
    for (int i = steps.size() - 1; i >= 0; i--) {
      String step = steps.get(i);
      nested =
          isPosition(step)
              ? JsonNodeFactory.instance.arrayNode().add(nested)
              : JsonNodeFactory.instance.objectNode().set(step, nested);
    }
    return nested;
  }

  void lock(Object key) {
    access.run(
        DocumentOperation.row("lock", key),
        false,
        column -> {
          RowKey row = column.key(key);
          Connections connections = access.connections().now();
          requireTransaction(!connections.own());
          connections.read(
              c -> {
                requireTransaction(!c.getAutoCommit());
                return row;
              });
          return connections.inTransaction(
              false,
              c -> {
                lock(c, column, row);
                return row;
              });
        });
  }

  private static void requireTransaction(boolean there) {
    if (!there) {
      throw new TransactionRequiredException(
          "a lock is held until its transaction ends, and here each call is one; lock in the"
              + " transaction of the edits: PgToaster.on a connection with autocommit off");
    }
  }

  /** Keeps other writers away from a document until the transaction ends. */
  static void lock(Connection connection, Resolved<JsonToaster, JsonVtable> column, RowKey row)
      throws SQLException {
    if (!column.vtable().lock(connection, row)) {
      OwnerRows.lock(connection, column.column(), row);
    }
  }

  private static void put(
      Connection connection,
      Resolved<JsonToaster, JsonVtable> column,
      RowKey row,
      JsonNode document)
      throws SQLException {
    column.vtable().put(connection, row, Json.parser(JsonbText.text(document)));
  }
}
