package io.pgtoaster.it.kit;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.internal.column.EditKinds;
import io.pgtoaster.jsonb.DocumentValue;
import io.pgtoaster.jsonb.SetOptions;
import java.util.stream.StreamSupport;

/** Executes edits through the API. */
public final class DocumentEdits {
  private DocumentEdits() {}

  /** Whether the API rejects this edit of the whole document, or differs from SQL. */
  public static boolean needsPlace(JsonEdit edit) {
    return edit instanceof JsonEdit.Set
        || edit instanceof JsonEdit.Insert
        || edit instanceof JsonEdit.Remove;
  }

  /**
   * Executes an edit. Returns the new number of an increment, or null if there is none; for other
   * edits, whether the place was found. Throws the API's exception for an invalid path.
   */
  public static Object tryApply(DocumentValue value, JsonEdit edit) {
    try {
      return apply(value, edit);
    } catch (PathNotFoundException e) {
      return edit instanceof JsonEdit.Increment ? null : false;
    } catch (InvalidPathException e) {
      // PostgreSQL does not reject this, and the tests' model then stays unchanged.
      if (EditKinds.changesContents(edit) && e.getMessage().contains("only an array")) {
        return false;
      }
      throw e;
    }
  }

  private static Object apply(DocumentValue value, JsonEdit edit) {
    if (edit instanceof JsonEdit.Set set) {
      SetOptions options = SetOptions.defaults().withCreateMissing(set.createMissing());
      value.set(set.value(), options.withCreateParents(set.createParents()));
    } else if (edit instanceof JsonEdit.Insert insert) {
      if (insert.after()) {
        value.insertAfter(insert.value());
      } else {
        value.insert(insert.value());
      }
    } else if (edit instanceof JsonEdit.Append append) {
      value.append(StreamSupport.stream(append.elements().spliterator(), false).toArray());
    } else if (edit instanceof JsonEdit.KeepLast keep) {
      long before = value.size().orElse(0);
      value.keepLast(keep.elements());
      return before > keep.elements();
    } else if (edit instanceof JsonEdit.Increment increment) {
      return value.increment(increment.delta());
    } else {
      return value.remove();
    }
    return true;
  }
}
