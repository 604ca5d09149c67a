package io.pgtoaster.internal.column;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.PatchFailedException;
import java.util.List;

/** The internal part of a {@code JsonPatch}. */
public interface Patch {
  /** Returns the paths that operations change, read or test. */
  List<DocumentPath> paths();

  /**
   * Applies the patch. If an operation fails, the caller must undo the earlier ones.
   *
   * @throws PatchFailedException if an operation cannot be applied, a test failed, or copies add
   *     more than the limit
   */
  <E extends Exception> void apply(PatchTarget<E> target) throws E;
}
