package io.pgtoaster.column;

import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonEquality;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A change at one path of a document, with the semantics of PostgreSQL's own operators.
 *
 * <p>The static methods take a path as text, in the syntax of {@link DocumentPath#parse}, and
 * values as a {@link JsonNode} or any object that Jackson can convert. A string becomes a JSON
 * string, and null the JSON null.
 */
public sealed interface JsonEdit {
  /** Returns an edit that sets a value, or adds it if only the last step is missing. */
  static JsonEdit set(String path, @Nullable Object value) {
    return new Set(DocumentPath.parse(path), Json.toTree(value), true);
  }

  /** Returns an edit that inserts a value before an element, or as a new member. */
  static JsonEdit insert(String path, @Nullable Object value) {
    return new Insert(DocumentPath.parse(path), Json.toTree(value), false);
  }

  /** Returns an edit that inserts a value after an element, or as a new member. */
  static JsonEdit insertAfter(String path, @Nullable Object value) {
    return new Insert(DocumentPath.parse(path), Json.toTree(value), true);
  }

  /** Returns an edit that adds elements after the last one of an array. */
  static JsonEdit append(String path, @Nullable Object... elements) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode(elements.length);
    for (Object element : elements) {
      array.add(Json.toTree(element));
    }
    return new Append(DocumentPath.parse(path), array);
  }

  /** Returns an edit that removes a value, if it exists. */
  static JsonEdit remove(String path) {
    return new Remove(DocumentPath.parse(path));
  }

  /** Returns an edit that adds to a number. A missing member counts as 0. */
  static JsonEdit increment(String path, long delta) {
    return new Increment(DocumentPath.parse(path), BigDecimal.valueOf(delta));
  }

  /** Returns the path of the change. */
  DocumentPath path();

  /**
   * Sets a value, like {@code jsonb_set}.
   *
   * @param path of the value to replace
   * @param value the new value
   * @param createMissing whether a missing last step is added
   * @param createParents whether a missing last step, missing parents and a missing document are
   *     created; if not, the document does not change if parents are missing
   */
  record Set(DocumentPath path, JsonNode value, boolean createMissing, boolean createParents)
      implements JsonEdit {
    /** Creates an edit that creates no parents. */
    public Set(DocumentPath path, JsonNode value, boolean createMissing) {
      this(path, value, createMissing, false);
    }
  }

  /**
   * Inserts a value, like {@code jsonb_insert}.
   *
   * @param path of the element to insert next to, or of a new member
   * @param value the new value
   * @param after whether to insert after the element instead of before it
   */
  record Insert(DocumentPath path, JsonNode value, boolean after) implements JsonEdit {}

  /**
   * Adds elements after the last one of an array.
   *
   * @param path of the array; nothing happens unless the path leads to an array
   * @param elements to add
   */
  record Append(DocumentPath path, ArrayNode elements) implements JsonEdit {}

  /**
   * Removes elements from the start of an array, so that at most {@code elements} are left.
   *
   * @param path of the array; nothing happens unless the path leads to an array
   * @param elements number of elements to keep
   */
  record KeepLast(DocumentPath path, int elements) implements JsonEdit {
    /**
     * Rejects negative numbers.
     *
     * @param path see the component
     * @param elements see the component
     */
    public KeepLast {
      if (elements < 0) {
        throw new InvalidOffsetException("the number of elements to keep is negative: " + elements);
      }
    }
  }

  /**
   * Sets members of an object, one by one.
   *
   * @param path of the object; nothing happens unless the path leads to an object
   * @param members to set
   */
  record SetMembers(DocumentPath path, ObjectNode members) implements JsonEdit {}

  /**
   * Removes a value, like {@code #-}.
   *
   * @param path of the value to remove; if it is missing, nothing happens
   */
  record Remove(DocumentPath path) implements JsonEdit {}

  /**
   * Adds to a number. A number that is missing from an existing object counts as 0.
   *
   * @param path of the number
   * @param delta the amount to add
   */
  record Increment(DocumentPath path, BigDecimal delta) implements JsonEdit {}

  /**
   * Sets or removes a value only if the current value equals the expected one. Values are compared
   * as in {@code jsonb}: keys in any order, {@code 1.0} equal to {@code 1.00}.
   *
   * @param edit a {@link Set} or a {@link Remove}
   * @param expected the expected value; null if there must be no value
   */
  record Conditional(JsonEdit edit, @Nullable JsonNode expected) implements JsonEdit {
    /** Rejects other edits. */
    public Conditional {
      if (!(edit instanceof Set || edit instanceof Remove)) {
        throw new IllegalArgumentException("only a set or a removal can have a condition");
      }
    }

    @Override
    public DocumentPath path() {
      return edit.path();
    }

    /** Returns whether the current value, or null if there is none, is the expected one. */
    public boolean holds(@Nullable JsonNode present) {
      return present == null
          ? expected == null
          : expected != null && JsonEquality.equal(present, expected);
    }
  }
}
