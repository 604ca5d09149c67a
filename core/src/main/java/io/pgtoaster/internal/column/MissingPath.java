package io.pgtoaster.internal.column;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.PgToasterException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Explains why an edit found no place for its value. */
public final class MissingPath {
  private MissingPath() {}

  /**
   * The deepest value on a path that exists.
   *
   * @param depth number of steps that lead to it
   * @param type its type
   */
  public record Existing(int depth, JsonType type) {}

  /**
   * Returns the exception for an edit that changed nothing.
   *
   * @param found the deepest value on the path that exists, or null if there is no document
   * @param otherwise another remedy for a missing parent, or an empty text
   */
  public static PgToasterException explain(
      JsonEdit edit, @Nullable Existing found, String otherwise) {
    DocumentPath path = edit.path();
    List<String> steps = path.steps();
    if (found == null) {
      return new PathNotFoundException(
          "the column is NULL, so there is no document; put a document first" + otherwise);
    }
    String deepest = found.depth() == 0 ? "the document" : quoted(path.first(found.depth()));
    String type = found.type().name().toLowerCase(Locale.ROOT);
    if (found.depth() == steps.size()) {
      return EditKinds.changesContents(edit)
          ? new InvalidPathException("the value is of type " + type + "; only " + needed(edit))
          : new PathNotFoundException("the path was created concurrently; try again");
    }
    String missing = quoted(path.first(found.depth() + 1));
    if (!found.type().isContainer()) {
      return new PathNotFoundException(
          "there is no %s, because %s is of type %s; set %s to an object or array first"
              .formatted(missing, deepest, type, deepest));
    }
    return new PathNotFoundException(
        "there is no %s; the deepest part of the path that exists is %s, of type %s; set %s first%s"
            .formatted(missing, deepest, type, missing, otherwise));
  }

  private static String needed(JsonEdit edit) {
    if (edit instanceof JsonEdit.Append) {
      return "an array can be appended to";
    }
    return edit instanceof JsonEdit.KeepLast
        ? "an array has elements to keep"
        : "an object has members to set";
  }

  private static String quoted(DocumentPath path) {
    return "\"" + path + "\"";
  }
}
