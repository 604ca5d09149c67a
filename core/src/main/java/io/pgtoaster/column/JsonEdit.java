package io.pgtoaster.column;

import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonEquality;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A change at one path of a document, with the semantics of PostgreSQL's own operators. The calls
 * of {@link io.pgtoaster.jsonb.DocumentColumn} that make edits throw an exception if an edit cannot
 * be made; only the removal of a missing value does nothing.
 *
 * <p>The static methods take a path, or its text in the syntax of {@link DocumentPath#parse}.
 * Values are a {@link JsonNode}, or any object for the mapper of the column, which converts it when
 * the edit is made. Until then, the edit contains the object in a {@link
 * tools.jackson.databind.node.POJONode}. A string becomes a JSON string, and null the JSON null.
 */
public sealed interface JsonEdit {
  /** Returns an edit that sets a value, or adds it if only the last step is missing. */
  static JsonEdit set(String path, @Nullable Object value) {
    return set(DocumentPath.parse(path), value);
  }

  /** Returns an edit that sets a value, or adds it if only the last step is missing. */
  static JsonEdit set(DocumentPath path, @Nullable Object value) {
    return new Set(path, Unconverted.of(value), true);
  }

  /** Returns an edit that sets a value only if there is nothing at the path. */
  static JsonEdit setIfAbsent(String path, @Nullable Object value) {
    return setIfAbsent(DocumentPath.parse(path), value);
  }

  /** Returns an edit that sets a value only if there is nothing at the path. */
  static JsonEdit setIfAbsent(DocumentPath path, @Nullable Object value) {
    return new Conditional(new Set(path, Unconverted.of(value), true), null);
  }

  /** Returns an edit that replaces a value only if it equals the expected one. */
  static JsonEdit replaceIf(String path, @Nullable Object expected, @Nullable Object value) {
    return replaceIf(DocumentPath.parse(path), expected, value);
  }

  /** Returns an edit that replaces a value only if it equals the expected one. */
  static JsonEdit replaceIf(DocumentPath path, @Nullable Object expected, @Nullable Object value) {
    return new Conditional(new Set(path, Unconverted.of(value), false), Unconverted.of(expected));
  }

  /** Returns an edit that sets members of an object, one by one. */
  static JsonEdit setMembers(String path, Map<String, ? extends @Nullable Object> members) {
    return setMembers(DocumentPath.parse(path), members);
  }

  /** Returns an edit that sets members of an object, one by one. */
  static JsonEdit setMembers(DocumentPath path, Map<String, ? extends @Nullable Object> members) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    members.forEach(
        (key, value) -> {
          Json.checkString(key);
          object.set(key, Unconverted.of(value));
        });
    return new SetMembers(path, object);
  }

  /** Returns an edit that inserts a value before an element, or as a new member. */
  static JsonEdit insert(String path, @Nullable Object value) {
    return insert(DocumentPath.parse(path), value);
  }

  /** Returns an edit that inserts a value before an element, or as a new member. */
  static JsonEdit insert(DocumentPath path, @Nullable Object value) {
    return new Insert(path, Unconverted.of(value), false);
  }

  /** Returns an edit that inserts a value after an element, or as a new member. */
  static JsonEdit insertAfter(String path, @Nullable Object value) {
    return insertAfter(DocumentPath.parse(path), value);
  }

  /** Returns an edit that inserts a value after an element, or as a new member. */
  static JsonEdit insertAfter(DocumentPath path, @Nullable Object value) {
    return new Insert(path, Unconverted.of(value), true);
  }

  /** Returns an edit that adds elements after the last one of an array. */
  static JsonEdit append(String path, @Nullable Object... elements) {
    return append(DocumentPath.parse(path), elements);
  }

  /** Returns an edit that adds elements after the last one of an array. */
  static JsonEdit append(DocumentPath path, @Nullable Object... elements) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode(elements.length);
    for (Object element : elements) {
      array.add(Unconverted.of(element));
    }
    return new Append(path, array);
  }

  /**
   * Returns an edit that removes elements from the start of an array, so that at most {@code
   * elements} are left.
   */
  static JsonEdit keepLast(String path, int elements) {
    return keepLast(DocumentPath.parse(path), elements);
  }

  /**
   * Returns an edit that removes elements from the start of an array, so that at most {@code
   * elements} are left.
   */
  static JsonEdit keepLast(DocumentPath path, int elements) {
    return new KeepLast(path, elements);
  }

  /** Returns an edit that removes a value, if it exists. */
  static JsonEdit remove(String path) {
    return remove(DocumentPath.parse(path));
  }

  /** Returns an edit that removes a value, if it exists. */
  static JsonEdit remove(DocumentPath path) {
    return new Remove(path);
  }

  /** Returns an edit that removes a value only if it equals the expected one. */
  static JsonEdit removeIf(String path, @Nullable Object expected) {
    return removeIf(DocumentPath.parse(path), expected);
  }

  /** Returns an edit that removes a value only if it equals the expected one. */
  static JsonEdit removeIf(DocumentPath path, @Nullable Object expected) {
    return new Conditional(new Remove(path), Unconverted.of(expected));
  }

  /** Returns an edit that adds to a number. A missing member counts as 0. */
  static JsonEdit increment(String path, long delta) {
    return increment(DocumentPath.parse(path), delta);
  }

  /** Returns an edit that adds to a number. A missing member counts as 0. */
  static JsonEdit increment(DocumentPath path, long delta) {
    return increment(path, BigDecimal.valueOf(delta));
  }

  /** Returns an edit that adds to a number. A missing member counts as 0. */
  static JsonEdit increment(String path, BigDecimal delta) {
    return increment(DocumentPath.parse(path), delta);
  }

  /** Returns an edit that adds to a number. A missing member counts as 0. */
  static JsonEdit increment(DocumentPath path, BigDecimal delta) {
    Json.checkNumber(delta);
    return new Increment(path, delta);
  }

  /** Returns the path of the change. */
  DocumentPath path();

  /**
   * Sets a value, like {@code jsonb_set}.
   *
   * @param path of the value to replace
   * @param value the new value
   * @param createMissing whether a missing last step is added; if not, the value must exist
   * @param createParents whether a missing last step, missing parents and a missing document are
   *     created; if not, the parent must exist
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
   * @param path of the element to insert next to, or of a new member; its parent must exist
   * @param value the new value
   * @param after whether to insert after the element instead of before it
   */
  record Insert(DocumentPath path, JsonNode value, boolean after) implements JsonEdit {}

  /**
   * Adds elements after the last one of an array.
   *
   * @param path of the array, which must exist
   * @param elements to add
   */
  record Append(DocumentPath path, ArrayNode elements) implements JsonEdit {}

  /**
   * Removes elements from the start of an array, so that at most {@code elements} are left.
   *
   * @param path of the array, which must exist
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
   * @param path of the object, which must exist
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
   * @param path of the number, whose parent must exist
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
