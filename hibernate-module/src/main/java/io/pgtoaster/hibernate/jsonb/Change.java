package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.JsonEdit;
import org.jspecify.annotations.Nullable;

/**
 * A change of a document that has not been written yet.
 *
 * @param edit the change
 * @param seen the previous value at the path; null if it has not been read, or does not matter
 */
record Change(JsonEdit edit, @Nullable ReadValue seen) {
  /** Returns an edit that fails if the value is not the one that was read. */
  JsonEdit checked() {
    return seen == null || (seen.value() == null && edit instanceof JsonEdit.Remove)
        ? edit
        : new JsonEdit.Conditional(edit, seen.value());
  }
}
