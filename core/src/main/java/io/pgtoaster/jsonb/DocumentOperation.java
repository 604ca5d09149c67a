package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.column.OperationContext;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.spi.Edited;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An operation on a row, or on a path into the row's document. */
record DocumentOperation(String verb, Object key, @Nullable DocumentPath path)
    implements OperationContext {
  private static final int MAX_PATH = 200;

  DocumentOperation {
    if (path != null) {
      path.steps().forEach(DocumentOperation::checkKey);
    }
  }

  /** Rejects a step that cannot be a key, before the server does. */
  static void checkKey(String step) {
    try {
      Json.checkString(step);
    } catch (InvalidJsonException e) {
      throw new InvalidPathException("jsonb cannot store a step of the path as a key", e);
    }
  }

  static DocumentOperation row(String verb, Object key) {
    return new DocumentOperation(verb, key, null);
  }

  @Override
  public String operation() {
    return "document." + verb;
  }

  @Override
  public String outcome(@Nullable Object result) {
    if (result instanceof Edited edit && edit.conflict()) {
      return "conflict";
    }
    boolean nothing =
        Boolean.FALSE.equals(result)
            || (result instanceof Optional<?> found && found.isEmpty())
            || (result instanceof Edited edit && !edit.applied());
    return nothing ? "nothing" : "done";
  }

  @Override
  public String describe(String column) {
    return OperationContext.super.describe(column) + place(path);
  }

  /** Describes a row and a path into its document, to follow a column's name in a message. */
  static String place(Object key, DocumentPath path) {
    return ", key " + OperationContext.text(key) + place(path);
  }

  private static String place(@Nullable DocumentPath path) {
    if (path == null || path.isRoot()) {
      return "";
    }
    String text = path.toString();
    return ", path " + (text.length() > MAX_PATH ? text.substring(0, MAX_PATH) + "..." : text);
  }
}
