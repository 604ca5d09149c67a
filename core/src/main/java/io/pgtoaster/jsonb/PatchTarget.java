package io.pgtoaster.jsonb;

import io.pgtoaster.error.InvalidPathException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A document that a {@link JsonPatch} is carried out on.
 *
 * @param <E> what it throws where it cannot be reached
 */
public interface PatchTarget<E extends Exception> {
  /**
   * Tells what is at a path.
   *
   * @param path of a value
   * @param size whether the number of elements or members is wanted
   * @return type and size; null if there is nothing
   * @throws E if the document cannot be reached
   */
  @Nullable JsonInfo describe(DocumentPath path, boolean size) throws E;

  /**
   * Returns a value.
   *
   * @param path of the value
   * @return the value, not to be changed; null if there is none
   * @throws E if the document cannot be reached
   */
  @Nullable JsonNode read(DocumentPath path) throws E;

  /**
   * Changes the document.
   *
   * @param edit of a path with steps
   * @return false if its path was not found; nothing is changed then
   * @throws InvalidPathException if the path does not fit the document
   * @throws E if the document cannot be reached
   */
  boolean edit(JsonEdit edit) throws E;

  /**
   * Puts another document in its place.
   *
   * @param document the new one, or null to remove it
   * @throws E if the document cannot be reached
   */
  void put(@Nullable JsonNode document) throws E;
}
