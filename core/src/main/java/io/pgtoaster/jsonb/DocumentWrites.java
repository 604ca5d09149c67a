package io.pgtoaster.jsonb;

import io.pgtoaster.column.ColumnAccess;
import io.pgtoaster.internal.json.Json;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The half of {@link DocumentColumn} that changes documents at one path. */
abstract class DocumentWrites extends DocumentReads {
  final Edits edits;

  DocumentWrites(ColumnAccess<JsonToaster, JsonVtable> access, Values values) {
    super(access, values);
    this.edits = new Edits(access);
  }

  /**
   * Sets the value at a path; adds it if only the last step is missing.
   *
   * @param key of the row
   * @param path of the value; of the whole document if it has no steps
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper; null for
   *     the JSON null
   * @return false if a parent is missing or a scalar, or the column is NULL; nothing is changed
   *     then
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position
   */
  public boolean set(Object key, DocumentPath path, @Nullable Object value) {
    return set(key, path, value, SetOptions.defaults());
  }

  /**
   * Sets the value at a path; adds it if only the last step is missing.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper; null for
   *     the JSON null
   * @return false if a parent is missing or a scalar, or the column is NULL; nothing is changed
   *     then
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position
   */
  public boolean set(Object key, String path, @Nullable Object value) {
    return set(key, DocumentPath.parse(path), value);
  }

  /**
   * Sets the value at a path.
   *
   * @param key of the row
   * @param path of the value; of the whole document if it has no steps
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper, or null
   * @param options what becomes of missing steps, and of null
   * @return whether the document is now as asked for; nothing is changed else
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position; or a parent is missing and the options refuse
   *     that
   */
  public boolean set(Object key, DocumentPath path, @Nullable Object value, SetOptions options) {
    return edits.set(key, path, value == null ? null : values.tree(value), options);
  }

  /**
   * Sets the value at a path.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper, or null
   * @param options what becomes of missing steps, and of null
   * @return whether the document is now as asked for; nothing is changed else
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position; or a parent is missing and the options refuse
   *     that
   */
  public boolean set(Object key, String path, @Nullable Object value, SetOptions options) {
    return set(key, DocumentPath.parse(path), value, options);
  }

  /**
   * Inserts a value before an element of an array, or as a new member of an object.
   *
   * @param key of the row
   * @param path of the element to insert before, or of the new member
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper
   * @return false if a parent is missing or a scalar, the path has no steps, or the column is NULL
   * @throws io.pgtoaster.error.InvalidPathException if the member is there already, the document is
   *     a scalar, or a step at an array is no position
   */
  public boolean insert(Object key, DocumentPath path, @Nullable Object value) {
    return edits.apply(key, new JsonEdit.Insert(path, values.tree(value), false)).applied();
  }

  /**
   * Inserts a value before an element of an array, or as a new member of an object.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper
   * @return false if a parent is missing or a scalar, the path has no steps, or the column is NULL
   * @throws io.pgtoaster.error.InvalidPathException if the member is there already, the document is
   *     a scalar, or a step at an array is no position
   */
  public boolean insert(Object key, String path, @Nullable Object value) {
    return insert(key, DocumentPath.parse(path), value);
  }

  /**
   * Inserts a value behind an element of an array.
   *
   * @param key of the row
   * @param path of the element to insert behind
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper
   * @return false if a parent is missing or a scalar, the path has no steps, or the column is NULL
   * @throws io.pgtoaster.error.InvalidPathException if the path is of a member that is there, the
   *     document is a scalar, or a step at an array is no position
   */
  public boolean insertAfter(Object key, DocumentPath path, @Nullable Object value) {
    return edits.apply(key, new JsonEdit.Insert(path, values.tree(value), true)).applied();
  }

  /**
   * Inserts a value behind an element of an array.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper
   * @return false if a parent is missing or a scalar, the path has no steps, or the column is NULL
   * @throws io.pgtoaster.error.InvalidPathException if the path is of a member that is there, the
   *     document is a scalar, or a step at an array is no position
   */
  public boolean insertAfter(Object key, String path, @Nullable Object value) {
    return insertAfter(key, DocumentPath.parse(path), value);
  }

  /**
   * Appends elements to an array, all at once. What is there and no array counts as an array of one
   * and becomes one, also if it is the whole document, and where no elements are given.
   *
   * @param key of the row
   * @param path of the array
   * @param elements each a {@link tools.jackson.databind.JsonNode}, or any object for the mapper
   * @return false if there is nothing at the path
   */
  public boolean append(Object key, DocumentPath path, @Nullable Object... elements) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode(elements.length);
    for (Object element : elements) {
      array.add(values.tree(element));
    }
    return edits.apply(key, new JsonEdit.Concat(path, array)).applied();
  }

  /**
   * Appends elements to an array, all at once. What is there and no array counts as an array of one
   * and becomes one, also if it is the whole document, and where no elements are given.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param elements each a {@link tools.jackson.databind.JsonNode}, or any object for the mapper
   * @return false if there is nothing at the path
   */
  public boolean append(Object key, String path, @Nullable Object... elements) {
    return append(key, DocumentPath.parse(path), elements);
  }

  /**
   * Extends the value at a path as PostgreSQL's {@code ||} does: to an object members of an object
   * are added, one by one; of all others elements are put together, and what is no array counts as
   * an array of one. So an object and a scalar become an array of both.
   *
   * @param key of the row
   * @param path of the value to extend
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper
   * @return false if there is nothing at the path
   */
  public boolean concat(Object key, DocumentPath path, @Nullable Object value) {
    return edits.apply(key, new JsonEdit.Concat(path, values.tree(value))).applied();
  }

  /**
   * Extends the value at a path as PostgreSQL's {@code ||} does: to an object members of an object
   * are added, one by one; of all others elements are put together, and what is no array counts as
   * an array of one. So an object and a scalar become an array of both.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper
   * @return false if there is nothing at the path
   */
  public boolean concat(Object key, String path, @Nullable Object value) {
    return concat(key, DocumentPath.parse(path), value);
  }

  /**
   * Removes a member of an object or an element of an array.
   *
   * @param key of the row
   * @param path of the member or element
   * @return false if there is nothing at the path, or it has no steps
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar, or a step at an
   *     array is no position
   */
  public boolean remove(Object key, DocumentPath path) {
    return edits.apply(key, new JsonEdit.Remove(path)).applied();
  }

  /**
   * Removes a member of an object or an element of an array.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return false if there is nothing at the path, or it has no steps
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar, or a step at an
   *     array is no position
   */
  public boolean remove(Object key, String path) {
    return remove(key, DocumentPath.parse(path));
  }

  /**
   * Replaces the value at a path if it is the one expected, compared as {@code jsonb} compares:
   * keys in any order, {@code 1.0} as {@code 1.00}. It is compared under the lock under which it is
   * replaced; changes beside it, in the same document, are no conflict.
   *
   * @param key of the row
   * @param path of the value
   * @param expected a {@link tools.jackson.databind.JsonNode}, or any object for the mapper; null
   *     for the JSON null
   * @param value what to set, likewise
   * @return {@link EditOutcome#APPLIED}; or {@link EditOutcome#CONFLICT} if another value or
   *     nothing is at the path, and nothing is changed
   */
  public EditOutcome replaceIf(
      Object key, DocumentPath path, @Nullable Object expected, @Nullable Object value) {
    return edits.applyIf(
        key,
        new JsonEdit.Conditional(
            new JsonEdit.Set(path, values.tree(value), false), values.tree(expected)));
  }

  /**
   * Replaces the value at a path if it is the one expected, compared as {@code jsonb} compares:
   * keys in any order, {@code 1.0} as {@code 1.00}. It is compared under the lock under which it is
   * replaced; changes beside it, in the same document, are no conflict.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param expected a {@link tools.jackson.databind.JsonNode}, or any object for the mapper; null
   *     for the JSON null
   * @param value what to set, likewise
   * @return {@link EditOutcome#APPLIED}; or {@link EditOutcome#CONFLICT} if another value or
   *     nothing is at the path, and nothing is changed
   */
  public EditOutcome replaceIf(
      Object key, String path, @Nullable Object expected, @Nullable Object value) {
    return replaceIf(key, DocumentPath.parse(path), expected, value);
  }

  /**
   * Sets the value at a path as {@link #set(Object, DocumentPath, Object)} does, if nothing is
   * there.
   *
   * @param key of the row
   * @param path of the value
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper; null for
   *     the JSON null
   * @return {@link EditOutcome#APPLIED}; {@link EditOutcome#CONFLICT} if a value is there, be it
   *     the JSON null; {@link EditOutcome#MISSED} if a parent is missing or a scalar; nothing is
   *     changed then
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position
   */
  public EditOutcome setIfAbsent(Object key, DocumentPath path, @Nullable Object value) {
    return edits.applyIf(
        key, new JsonEdit.Conditional(new JsonEdit.Set(path, values.tree(value), true), null));
  }

  /**
   * Sets the value at a path as {@link #set(Object, DocumentPath, Object)} does, if nothing is
   * there.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper; null for
   *     the JSON null
   * @return {@link EditOutcome#APPLIED}; {@link EditOutcome#CONFLICT} if a value is there, be it
   *     the JSON null; {@link EditOutcome#MISSED} if a parent is missing or a scalar; nothing is
   *     changed then
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position
   */
  public EditOutcome setIfAbsent(Object key, String path, @Nullable Object value) {
    return setIfAbsent(key, DocumentPath.parse(path), value);
  }

  /**
   * Removes a member of an object or an element of an array if its value is the one expected,
   * compared as {@link #replaceIf(Object, DocumentPath, Object, Object)} does.
   *
   * @param key of the row
   * @param path of the value
   * @param expected a {@link tools.jackson.databind.JsonNode}, or any object for the mapper; null
   *     for the JSON null
   * @return {@link EditOutcome#APPLIED}; {@link EditOutcome#CONFLICT} if another value or nothing
   *     is at the path; {@link EditOutcome#MISSED} if the path has no steps; nothing is changed
   *     then
   * @throws io.pgtoaster.error.InvalidPathException if the path has no steps and the document is a
   *     scalar
   */
  public EditOutcome removeIf(Object key, DocumentPath path, @Nullable Object expected) {
    return edits.applyIf(
        key, new JsonEdit.Conditional(new JsonEdit.Remove(path), values.tree(expected)));
  }

  /**
   * Removes a member of an object or an element of an array if its value is the one expected,
   * compared as {@link #replaceIf(Object, DocumentPath, Object, Object)} does.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param expected a {@link tools.jackson.databind.JsonNode}, or any object for the mapper; null
   *     for the JSON null
   * @return {@link EditOutcome#APPLIED}; {@link EditOutcome#CONFLICT} if another value or nothing
   *     is at the path; {@link EditOutcome#MISSED} if the path has no steps; nothing is changed
   *     then
   * @throws io.pgtoaster.error.InvalidPathException if the path has no steps and the document is a
   *     scalar
   */
  public EditOutcome removeIf(Object key, String path, @Nullable Object expected) {
    return removeIf(key, DocumentPath.parse(path), expected);
  }

  /**
   * Adds to a number, exactly; one that is missing from an object counts as 0.
   *
   * @param key of the row
   * @param path of the number
   * @param delta what to add; may be negative
   * @return the new number; empty if nothing was found that could hold it
   * @throws io.pgtoaster.error.InvalidPathException if what is there is no number
   */
  public Optional<BigDecimal> increment(Object key, DocumentPath path, BigDecimal delta) {
    Json.checkNumber(delta);
    return Optional.ofNullable(edits.apply(key, new JsonEdit.Increment(path, delta)).number());
  }

  /**
   * Adds to a number, exactly; one that is missing from an object counts as 0.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param delta what to add; may be negative
   * @return the new number; empty if nothing was found that could hold it
   * @throws io.pgtoaster.error.InvalidPathException if what is there is no number
   */
  public Optional<BigDecimal> increment(Object key, String path, BigDecimal delta) {
    return increment(key, DocumentPath.parse(path), delta);
  }

  /**
   * Adds to a number, exactly; one that is missing from an object counts as 0.
   *
   * @param key of the row
   * @param path of the number
   * @param delta what to add; may be negative
   * @return the new number; empty if nothing was found that could hold it
   * @throws io.pgtoaster.error.InvalidPathException if what is there is no number
   */
  public Optional<BigDecimal> increment(Object key, DocumentPath path, long delta) {
    return increment(key, path, BigDecimal.valueOf(delta));
  }

  /**
   * Adds to a number, exactly; one that is missing from an object counts as 0.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param delta what to add; may be negative
   * @return the new number; empty if nothing was found that could hold it
   * @throws io.pgtoaster.error.InvalidPathException if what is there is no number
   */
  public Optional<BigDecimal> increment(Object key, String path, long delta) {
    return increment(key, DocumentPath.parse(path), delta);
  }
}
