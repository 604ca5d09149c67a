package io.pgtoaster.internal.column;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.spi.JsonInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
  <E extends Exception> void apply(Target<E> target) throws E;

  /** A document that a patch can be applied to. */
  interface Target<E extends Exception> {
    /**
     * Returns the type of the value at a path, and if requested its size; null if there is nothing
     * at the path.
     */
    @Nullable JsonInfo describe(DocumentPath path, boolean size) throws E;

    /** Returns a value, which must not be changed; null if there is nothing at the path. */
    @Nullable JsonNode read(DocumentPath path) throws E;

    /**
     * Changes the document.
     *
     * @param edit of a path with steps
     * @return false if its path was not found; nothing is changed
     * @throws InvalidPathException if the path does not fit the document
     */
    boolean edit(JsonEdit edit) throws E;

    /** Replaces the document, or removes it if the new one is null. */
    void put(@Nullable JsonNode document) throws E;
  }
}
