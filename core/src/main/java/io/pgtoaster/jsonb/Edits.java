package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.TransactionRequiredException;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.column.ColumnAccess.Resolved;
import io.pgtoaster.internal.column.EditKinds;
import io.pgtoaster.internal.column.MissingPath;
import io.pgtoaster.internal.column.OwnerRows;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.spi.Edited;
import io.pgtoaster.spi.JsonInfo;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/** Applies changes at one path, each in its own transaction or as part of the caller's. */
record Edits(ColumnAccess<JsonToaster, JsonVtable> access) {
  Edited apply(Object key, JsonEdit edit) {
    return access.write(
        new DocumentOperation(EditKinds.verb(edit), key, edit.path()),
        (c, column, row) -> column.vtable().tryEdit(c, row, edit),
        (c, column, row) -> column.vtable().edit(c, row, edit));
  }

  Edited applyOrThrow(Object key, JsonEdit edit) {
    Edited done = apply(key, edit);
    if (!done.applied()) {
      throw missing(key, edit);
    }
    return done;
  }

  void set(Object key, DocumentPath path, @Nullable JsonNode given, SetOptions options) {
    JsonNode value = given;
    if (value == null) {
      switch (options.nullTreatment()) {
        case USE_JSON_NULL -> value = NullNode.getInstance();
        case DELETE_KEY -> {
          apply(key, new JsonEdit.Remove(place(path)));
          return;
        }
        case RETURN_TARGET -> {
          return;
        }
        default ->
            throw SqlErrors.at(
                new InvalidJsonException("the value is null, but the options reject null"),
                describe(key, path));
      }
    }
    JsonEdit.Set set =
        new JsonEdit.Set(path, value, options.createMissing(), options.createParents());
    boolean done =
        path.isRoot() ? replace(key, value, options.createMissing()) : apply(key, set).applied();
    if (!done) {
      throw missing(key, set);
    }
  }

  /** Returns the path; rejects the path of the whole document. */
  static DocumentPath place(DocumentPath path) {
    if (path.isRoot()) {
      throw new InvalidPathException(
          "the path has no steps, so it is the whole document; put replaces it, and clear removes"
              + " it");
    }
    return path;
  }

  /** Returns whether the edit was applied; false if the current value was not the expected one. */
  boolean applyIf(Object key, JsonEdit.Conditional edit) {
    Edited done =
        replacesRoot(edit)
            ? access.<Edited>inTransaction(
                DocumentOperation.row("set_if", key),
                true,
                (c, column, row) -> editNow(c, column, row, edit))
            : apply(key, edit);
    if (!done.applied() && !done.conflict()) {
      throw missing(key, edit.edit());
    }
    return done.applied();
  }

  static boolean replacesRoot(JsonEdit edit) {
    return edit.path().isRoot()
        && edit instanceof JsonEdit.Conditional c
        && c.edit() instanceof JsonEdit.Set;
  }

  /** Edits in a transaction. The root is not a member or element, so it is replaced as a whole. */
  static Edited editNow(
      Connection connection, Resolved<JsonToaster, JsonVtable> column, RowKey row, JsonEdit edit)
      throws SQLException {
    if (!edit.path().isRoot()
        || !(edit instanceof JsonEdit.Conditional condition)
        || !(condition.edit() instanceof JsonEdit.Set set)) {
      return column.vtable().edit(connection, row, edit);
    }
    lock(connection, column, row);
    try (InputStream text = column.vtable().open(connection, row, edit.path(), null, 0)) {
      if (!condition.holds(text == null ? null : Json.readTree(text))) {
        return Edited.CONFLICT;
      }
    } catch (IOException e) {
      throw Failures.inCall(e);
    }
    put(connection, column, row, set.value());
    return Edited.APPLIED;
  }

  /** Describes the place of a value, for messages. */
  String describe(Object key, DocumentPath path) {
    return new DocumentOperation("set", key, path).describe(access.resolved().column().describe());
  }

  /** Replaces the whole document; returns false if it does not exist and may not be created. */
  private boolean replace(Object key, JsonNode value, boolean createMissing) {
    return access.inTransaction(
        DocumentOperation.row("set", key),
        true,
        (c, column, row) -> {
          lock(c, column, row);
          if (!createMissing && existing(c, column.vtable(), row, DocumentPath.root()) == null) {
            return false;
          }
          put(c, column, row, value);
          return true;
        });
  }

  /** Returns why an edit changed nothing. Reads the document again. */
  private PgToasterException missing(Object key, JsonEdit edit) {
    PgToasterException reason =
        access.read(
            new DocumentOperation("describe", key, edit.path()),
            (c, column, row) -> explain(edit, existing(c, column.vtable(), row, edit.path())));
    return SqlErrors.at(reason, describe(key, edit.path()));
  }

  static PgToasterException explain(JsonEdit edit, MissingPath.@Nullable Existing found) {
    return MissingPath.explain(
        edit,
        found,
        edit instanceof JsonEdit.Set set && set.createMissing() && !set.createParents()
            ? ", or call set with SetOptions.defaults().withCreateParents(true)"
            : "");
  }

  /** Returns the deepest existing value on a path; null if there is no document. */
  static MissingPath.@Nullable Existing existing(
      Connection connection, JsonVtable vtable, RowKey row, DocumentPath path) throws SQLException {
    for (int depth = path.steps().size(); depth >= 0; depth--) {
      Optional<JsonInfo> info = vtable.describe(connection, row, path.first(depth), false);
      if (info.isPresent()) {
        return new MissingPath.Existing(depth, info.get().type());
      }
    }
    return null;
  }

  void lock(Object key) {
    access.run(
        DocumentOperation.row("lock", key),
        false,
        column -> {
          RowKey row = column.key(key);
          Connections connections = access.connections().current();
          if (!connections.inCallersTransaction()) {
            throw new TransactionRequiredException(
                "a lock is held until its transaction ends, but here each call is a separate"
                    + " transaction; lock in the transaction of the edits: use PgToaster.on a"
                    + " connection with autocommit off");
          }
          return connections.inTransaction(
              false,
              c -> {
                lock(c, column, row);
                return row;
              });
        });
  }

  /** Blocks other writers of a document until the transaction ends. */
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
