package io.pgtoaster.jsonb;

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
final class MissingPath {
  private MissingPath() {}

  /**
   * The deepest value on a path that exists.
   *
   * @param depth number of steps that lead to it
   * @param type its type
   */
  record Existing(int depth, JsonType type) {}

  /**
   * Returns the exception for an edit that changed nothing. {@code found} is null if there is no
   * document.
   */
  static PgToasterException explain(JsonEdit edit, @Nullable Existing found) {
    DocumentPath path = edit.path();
    List<String> steps = path.steps();
    if (found == null) {
      return new PathNotFoundException(
          "the column is NULL, so there is no document; put a document first"
              + createParents(edit));
    }
    String deepest = found.depth() == 0 ? "the document" : quoted(path.first(found.depth()));
    String type = found.type().name().toLowerCase(Locale.ROOT);
    if (found.depth() == steps.size()) {
      return edit instanceof JsonEdit.Append || edit instanceof JsonEdit.KeepLast
          ? new InvalidPathException(
              "the value is of type "
                  + type
                  + (edit instanceof JsonEdit.Append
                      ? "; only an array can be appended to"
                      : "; only an array has elements to keep"))
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
            .formatted(missing, deepest, type, missing, createParents(edit)));
  }

  private static String createParents(JsonEdit edit) {
    return edit instanceof JsonEdit.Set set && set.createMissing()
        ? ", or call set with SetOptions.defaults().withCreateParents(true)"
        : "";
  }

  private static String quoted(DocumentPath path) {
    return "\"" + path + "\"";
  }
}
