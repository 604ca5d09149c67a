package io.pgtoaster.internal.column;

import io.pgtoaster.column.JsonEdit;
import java.util.Locale;

/** Properties of the kinds of edits. */
public final class EditKinds {
  private EditKinds() {}

  /** Returns the name of an edit in one word, for {@link io.pgtoaster.column.CallListener}. */
  public static String verb(JsonEdit edit) {
    if (edit instanceof JsonEdit.Conditional conditional) {
      return verb(conditional.edit()) + "_if";
    }
    return edit instanceof JsonEdit.KeepLast
        ? "keep_last"
        : edit.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns whether an edit adds to or removes from the value at its path, which may be the whole
   * document. If not, the path must lead to a place inside a document.
   */
  public static boolean changesContents(JsonEdit edit) {
    return edit instanceof JsonEdit.Append
        || edit instanceof JsonEdit.SetMembers
        || edit instanceof JsonEdit.KeepLast;
  }

  /** Returns whether there must be a value at the path before the edit. */
  public static boolean needsValue(JsonEdit edit) {
    return changesContents(edit) || edit instanceof JsonEdit.Increment;
  }
}
