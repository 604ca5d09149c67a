package io.pgtoaster.spi;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.error.InvalidPathException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A document that a {@link io.pgtoaster.jsonb.JsonPatch} can be applied to.
 *
 * @param <E> exception thrown if the document cannot be accessed
 */
public interface PatchTarget<E extends Exception> {
  /**
   * Returns type and size of the value at a path.
   *
   * @param path of a value
   * @param size whether to return the number of elements or members
   * @return type and size; null if there is nothing at the path
   * @throws E if the document cannot be accessed
   */
  @Nullable JsonInfo describe(DocumentPath path, boolean size) throws E;

  /**
   * Returns a value.
   *
   * @param path of the value
   * @return the value, which must not be changed; null if there is nothing at the path
   * @throws E if the document cannot be accessed
   */
  @Nullable JsonNode read(DocumentPath path) throws E;

  /**
   * Changes the document.
   *
   * @param edit of a path with steps
   * @return false if its path was not found; nothing is changed
   * @throws InvalidPathException if the path does not fit the document
   * @throws E if the document cannot be accessed
   */
  boolean edit(JsonEdit edit) throws E;

  /**
   * Replaces the document.
   *
   * @param document the new one, or null to remove it
   * @throws E if the document cannot be accessed
   */
  void put(@Nullable JsonNode document) throws E;
}
