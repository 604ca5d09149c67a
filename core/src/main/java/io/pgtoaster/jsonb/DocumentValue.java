package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.spi.Edited;
import io.pgtoaster.spi.JsonInfo;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import io.pgtoaster.spi.JsonVtable.Slice;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Reads and changes the value at a path of one row's document, whether or not the value exists.
 * {@link DocumentColumn#at(Object, String)} creates it. It keeps only the row's key and the path;
 * each call reads the database again. It is as thread-safe as its column. {@link DocumentColumn}
 * also describes the exceptions that calls on a row throw.
 *
 * <p>The document itself is the value at the path without steps. It may be any JSON value. A path
 * that continues below a scalar finds nothing: reads return empty, and edits throw a {@link
 * PathNotFoundException}. If the document itself is the scalar, {@link #set(Object)}, {@link
 * #setIfAbsent}, {@link #insert} and {@link #remove} throw an {@link InvalidPathException}, as
 * PostgreSQL does. If the column is NULL, there is nothing at any path; setting the path without
 * steps, or {@linkplain SetOptions#withCreateParents creating parents}, creates a document.
 *
 * <p>A value to store is a {@link JsonNode}, or any object for the column's mapper. A string
 * becomes a JSON string. Null becomes the JSON null, unless {@link SetOptions} say otherwise.
 * Numbers keep their digits. A value or path step that {@code jsonb} cannot store, a stream or a
 * reader causes an {@link InvalidJsonException} or {@link io.pgtoaster.error.InvalidPathException},
 * and the document does not change.
 *
 * <pre>{@code
 * DocumentValue year = people.at(7, "roles[0].year");
 * year.set(1997);
 * int next = year.increment(1).intValue();
 * }</pre>
 */
public final class DocumentValue {
  private final ColumnAccess<JsonToaster, JsonVtable> access;
  private final Values values;
  private final Edits edits;
  private final Object key;
  private final DocumentPath path;

  DocumentValue(
      ColumnAccess<JsonToaster, JsonVtable> access,
      Values values,
      Edits edits,
      Object key,
      DocumentPath path) {
    this.access = access;
    this.values = values;
    this.edits = edits;
    this.key = own(key);
    this.path = Objects.requireNonNull(path, "path");
  }

  /** Copies a key, so that later changes by the caller do not affect it. */
  private static Object own(Object key) {
    if (key instanceof List<?> parts) {
      return Collections.unmodifiableList(new ArrayList<>(parts));
    }
    return key instanceof byte[] bytes ? bytes.clone() : key;
  }

  private <T> Optional<T> read(@Nullable Slice slice, FromText<T> use) {
    return access.read(
        new DocumentOperation("get", key, path),
        (c, column, row) -> {
          JsonVtable vtable = column.vtable();
          try (InputStream text = vtable.open(c, row, path, slice, 0)) {
            return text == null ? Optional.empty() : Optional.ofNullable(use.read(text));
          } catch (IOException | RuntimeException e) {
            throw Failures.inCall(e);
          }
        });
  }

  /**
   * Returns the value.
   *
   * @return the value; empty if there is nothing at the path
   */
  public Optional<JsonNode> get() {
    return read(null, Json::readPrinted);
  }

  /**
   * Returns the value as an object of a class.
   *
   * @param type its class
   * @param <T> its class
   * @return the value; empty if there is nothing at the path, or the JSON null
   * @throws InvalidJsonException if the value does not fit the class
   */
  public <T> Optional<T> get(Class<T> type) {
    return get(values.type(type));
  }

  /**
   * Returns the value as an object of a generic type.
   *
   * @param type such as {@code new TypeReference<List<Person>>() {}}
   * @param <T> its type
   * @return the value; empty if there is nothing at the path, or the JSON null
   * @throws InvalidJsonException if the value does not fit the type
   */
  public <T> Optional<T> get(TypeReference<T> type) {
    return get(values.type(type.getType()));
  }

  /**
   * Returns the value as an object of a type that is known only at run time.
   *
   * @param type its type, from the {@code TypeFactory} of any mapper
   * @param <T> the type that the caller expects, unchecked
   * @return the value; empty if there is nothing at the path, or the JSON null
   * @throws InvalidJsonException if the value does not fit the type
   */
  @SuppressWarnings("unchecked") // the caller chooses the type
  public <T> Optional<T> get(JavaType type) {
    return read(null, text -> (T) values.bind(text, type));
  }

  /**
   * Returns the value as JSON text.
   *
   * @return the text, with members in any order; empty if there is nothing at the path
   */
  public Optional<String> text() {
    return read(null, FromText::utf8);
  }

  /**
   * Returns whether the value exists. A JSON null counts as a value.
   *
   * @return true if it exists
   */
  public boolean exists() {
    return type().isPresent();
  }

  /**
   * Returns the type of the value.
   *
   * @return its type; empty if there is nothing at the path
   */
  public Optional<JsonType> type() {
    return info(false).map(JsonInfo::type);
  }

  /**
   * Returns the number of elements of an array or of members of an object.
   *
   * @return their number; empty if the path finds neither an array nor an object
   */
  public OptionalLong size() {
    Optional<JsonInfo> info = info(true);
    return info.isPresent() && info.get().size() >= 0
        ? OptionalLong.of(info.get().size())
        : OptionalLong.empty();
  }

  private Optional<JsonInfo> info(boolean size) {
    return access.read(
        new DocumentOperation("describe", key, path),
        (c, column, row) -> column.vtable().describe(c, row, path, size));
  }

  /**
   * Returns the keys of an object, in the order of {@code jsonb}: by length in bytes, then by
   * bytes.
   *
   * @return the keys; empty if there is no object at the path
   */
  public Optional<List<String>> keys() {
    return keys(null, Integer.MAX_VALUE);
  }

  /** Returns the first keys of an object. See {@link #keys(String, int)}. */
  public Optional<List<String>> keys(int limit) {
    return keys(null, limit);
  }

  /**
   * Returns one page of the keys of an object.
   *
   * @param after the last key of the previous page, or null for the first page
   * @param limit maximum number of keys
   * @return keys, fewer than the limit only at the end; empty if there is no object at the path
   * @throws InvalidOffsetException if the limit is negative
   */
  public Optional<List<String>> keys(@Nullable String after, int limit) {
    if (limit < 0) {
      throw new InvalidOffsetException("limit " + limit + " is negative");
    }
    if (after != null) {
      DocumentOperation.checkKey(after);
    }
    return access.read(
        new DocumentOperation("keys", key, path),
        (c, column, row) -> column.vtable().keys(c, row, path, after, limit));
  }

  /**
   * Returns a range of an array's elements. The last 20 elements are {@code slice(-20,
   * Long.MAX_VALUE)}.
   *
   * @param from position of the first element, from 0; if negative, it counts from the end
   * @param to position after the last element, such as {@link Long#MAX_VALUE}; if negative, it
   *     counts from the end
   * @return the elements, fewer at the end of the array; empty if there is no array at the path
   * @throws InvalidOffsetException if {@code to} is less than {@code from}, and both count from the
   *     same end
   */
  public Optional<List<JsonNode>> slice(long from, long to) {
    return read(
        new Slice(from, to),
        text -> {
          List<JsonNode> elements = new ArrayList<>();
          Json.readTree(text).forEach(elements::add);
          return elements;
        });
  }

  /**
   * Returns a range of an array's elements as objects of a class.
   *
   * @param from position of the first element, from 0; if negative, it counts from the end
   * @param to position after the last element, such as {@link Long#MAX_VALUE}; if negative, it
   *     counts from the end
   * @param type class of an element
   * @param <E> class of an element
   * @return the same elements as {@link #slice(long, long)}, with null for each JSON null
   * @throws InvalidJsonException if an element does not fit the class
   */
  public <E> Optional<List<E>> slice(long from, long to, Class<E> type) {
    return slice(from, to, values.type(type));
  }

  /**
   * Returns a range of an array's elements as objects of a generic type.
   *
   * @param from position of the first element, from 0; if negative, it counts from the end
   * @param to position after the last element, such as {@link Long#MAX_VALUE}; if negative, it
   *     counts from the end
   * @param type of an element, such as {@code new TypeReference<Map<String, Person>>() {}}
   * @param <E> type of an element
   * @return the same elements as {@link #slice(long, long)}, with null for each JSON null
   * @throws InvalidJsonException if an element does not fit the type
   */
  public <E> Optional<List<E>> slice(long from, long to, TypeReference<E> type) {
    return slice(from, to, values.type(type.getType()));
  }

  /**
   * Returns a range of an array's elements as objects of a type that is known only at run time.
   *
   * @param from position of the first element, from 0; if negative, it counts from the end
   * @param to position after the last element, such as {@link Long#MAX_VALUE}; if negative, it
   *     counts from the end
   * @param type of an element, from the {@code TypeFactory} of any mapper
   * @param <E> the type that the caller expects, unchecked
   * @return the same elements as {@link #slice(long, long)}, with null for each JSON null
   * @throws InvalidJsonException if an element does not fit the type
   */
  @SuppressWarnings("unchecked") // the caller chooses the type
  public <E> Optional<List<E>> slice(long from, long to, JavaType type) {
    JavaType list = values.listOf(type);
    return read(new Slice(from, to), text -> (List<E>) values.bind(text, list));
  }

  /**
   * Opens the value as JSON text in UTF-8, from one committed state. With a data source, the stream
   * keeps a connection and a read-only transaction open until it is closed. With a connection, read
   * the stream within the transaction; in autocommit mode the whole value is in memory.
   *
   * @return a stream for one thread; empty if there is nothing at the path
   */
  public Optional<InputStream> stream() {
    return DocumentStream.open(access.current(), key, path);
  }

  /**
   * Opens the value as JSON text. See {@link #stream()}.
   *
   * @return a reader of JSON text; empty if there is nothing at the path
   */
  public Optional<Reader> reader() {
    return stream().map(text -> new InputStreamReader(text, StandardCharsets.UTF_8));
  }

  /**
   * Opens the value for parsing. See {@link #stream()}.
   *
   * @return a parser before its first token; closing it closes the stream; empty if there is
   *     nothing at the path
   */
  public Optional<JsonParser> parser() {
    return stream().map(Json::parser);
  }

  /**
   * Sets the value, or adds it if only the last step is missing.
   *
   * @param value to set; the whole document if the path has no steps
   * @throws PathNotFoundException if a parent is missing or a scalar, or the column is NULL and the
   *     path has steps
   * @throws InvalidPathException if the document is a scalar and the path has steps, or a step into
   *     an array is not a position
   */
  public void set(@Nullable Object value) {
    edits.set(key, path, value == null ? null : tree(value), SetOptions.defaults());
  }

  /**
   * Sets the value with options.
   *
   * @param value to set; the whole document if the path has no steps
   * @param options how to treat missing steps, and null
   * @throws PathNotFoundException if a step is missing that the options do not create, or a parent
   *     is a scalar
   * @throws InvalidPathException if the document is a scalar and the path has steps, a step into an
   *     array is not a position, or a null would delete the whole document
   */
  public void set(@Nullable Object value, SetOptions options) {
    edits.set(key, path, value == null ? null : tree(value), options);
  }

  /**
   * Sets the value from JSON text. See {@link #set(Object)}.
   *
   * @param json the value as JSON text
   * @throws InvalidJsonException if the text is not JSON
   */
  public void setJson(String json) {
    setJson(json, SetOptions.defaults());
  }

  /**
   * Sets the value from JSON text with options. See {@link #set(Object, SetOptions)}.
   *
   * @param json the value as JSON text, in which {@code null} is the JSON null
   * @param options how to treat missing steps
   * @throws InvalidJsonException if the text is not JSON
   */
  public void setJson(String json, SetOptions options) {
    Objects.requireNonNull(json, "json");
    edits.set(key, path, placed(() -> Json.readTree(json)), options);
  }

  private JsonNode tree(@Nullable Object value) {
    return placed(() -> values.tree(value));
  }

  /** Adds the place to the message if the value is rejected. */
  private <N extends JsonNode> N placed(Supplier<N> value) {
    try {
      return value.get();
    } catch (InvalidJsonException e) {
      throw SqlErrors.at(e, edits.describe(key, path));
    }
  }

  /**
   * Inserts a value before the array element at the path, or as a new member of an object.
   *
   * @param value the new value
   * @throws PathNotFoundException if a parent is missing or a scalar, or the column is NULL
   * @throws InvalidPathException if the member already exists, the document is a scalar, the path
   *     has no steps, or a step into an array is not a position
   */
  public void insert(@Nullable Object value) {
    apply(new JsonEdit.Insert(Edits.place(path), tree(value), false));
  }

  /**
   * Inserts a value after the array element at the path, or as a new member of an object.
   *
   * @param value the new value
   * @throws PathNotFoundException if a parent is missing or a scalar, or the column is NULL
   * @throws InvalidPathException if the member already exists, the document is a scalar, the path
   *     has no steps, or a step into an array is not a position
   */
  public void insertAfter(@Nullable Object value) {
    apply(new JsonEdit.Insert(Edits.place(path), tree(value), true));
  }

  /**
   * Appends elements to an array, all at once.
   *
   * @param elements the new elements
   * @throws PathNotFoundException if there is nothing at the path
   * @throws InvalidPathException if the value is not an array
   */
  public void append(@Nullable Object... elements) {
    apply(new JsonEdit.Append(path, placed(() -> values.array(elements))));
  }

  /**
   * Appends elements to an array and removes others from its start, so that at most {@code
   * elements} are left, in one statement.
   *
   * @param elements number of elements to keep
   * @param added the new elements
   * @throws InvalidOffsetException if {@code elements} is negative
   * @throws PathNotFoundException if there is nothing at the path
   * @throws InvalidPathException if the value is not an array
   */
  public void appendKeepingLast(int elements, @Nullable Object... added) {
    ArrayNode all = placed(() -> values.array(added));
    // Removing first takes the stronger lock first, so that concurrent appends do not deadlock. The
    // toaster may do both in one edit.
    int before = elements < 0 ? elements : Math.max(0, elements - all.size());
    List<JsonEdit> both =
        List.of(
            new JsonEdit.KeepLast(path, before),
            new JsonEdit.Append(path, JsonChanges.last(all, elements)));
    Map<?, PgToasterException> unused =
        EditBatch.of(Collections.singletonMap(key, both), values).apply(access, true);
  }

  /**
   * Removes elements from the start of an array, so that at most {@code elements} are left. The
   * cost depends on the removed elements, not on the others: whole leaves are deleted without being
   * read.
   *
   * @param elements number of elements to keep
   * @throws InvalidOffsetException if {@code elements} is negative
   * @throws PathNotFoundException if there is nothing at the path
   * @throws InvalidPathException if the value is not an array
   */
  public void keepLast(int elements) {
    apply(new JsonEdit.KeepLast(path, elements));
  }

  /**
   * Removes the member of an object, or the element of an array, at the path.
   *
   * @return whether there was a value
   * @throws InvalidPathException if the document is a scalar, the path has no steps, or a step into
   *     an array is not a position
   */
  public boolean remove() {
    return edits.apply(key, new JsonEdit.Remove(Edits.place(path))).applied();
  }

  /**
   * Replaces the value if it equals the expected one. Values are compared as in {@code jsonb}: keys
   * in any order, {@code 1.0} equal to {@code 1.00}. One lock covers the comparison and the
   * replacement. Concurrent changes elsewhere in the same document are not conflicts.
   *
   * @param expected the value that must be at the path
   * @param value to set
   * @return false if another value or nothing is at the path; nothing is changed
   */
  public boolean replaceIf(@Nullable Object expected, @Nullable Object value) {
    return applyIf(new JsonEdit.Set(path, tree(value), false), tree(expected));
  }

  /**
   * Sets the value like {@link #set(Object)}, but only if there is nothing at the path.
   *
   * @param value to set
   * @return false if there is a value, even the JSON null; nothing is changed
   * @throws PathNotFoundException if a parent is missing or a scalar
   * @throws InvalidPathException if the document is a scalar and the path has steps, or a step into
   *     an array is not a position
   */
  public boolean setIfAbsent(@Nullable Object value) {
    return applyIf(new JsonEdit.Set(path, tree(value), true), null);
  }

  /**
   * Removes the value like {@link #remove()}, but only if it equals the expected one. Values
   * compare as in {@link #replaceIf}.
   *
   * @param expected the value that must be at the path
   * @return false if another value or nothing is at the path; nothing is changed
   * @throws InvalidPathException if the path has no steps
   */
  public boolean removeIf(@Nullable Object expected) {
    return applyIf(new JsonEdit.Remove(Edits.place(path)), tree(expected));
  }

  private boolean applyIf(JsonEdit edit, @Nullable JsonNode expected) {
    return edits.applyIf(key, new JsonEdit.Conditional(edit, expected));
  }

  private Edited apply(JsonEdit edit) {
    return edits.applyOrThrow(key, edit);
  }

  /**
   * Adds to a number, without rounding. A member that is missing from an object counts as 0.
   *
   * @param delta the amount to add; may be negative
   * @return the new number
   * @throws PathNotFoundException if there is neither a number nor an object to add it to
   * @throws InvalidPathException if the value is not a number
   */
  public BigDecimal increment(BigDecimal delta) {
    Json.checkNumber(delta);
    return Objects.requireNonNull(apply(new JsonEdit.Increment(path, delta)).number(), "number");
  }

  /**
   * Adds to a number. See {@link #increment(BigDecimal)}.
   *
   * @param delta the amount to add; may be negative
   * @return the new number
   * @throws PathNotFoundException if there is neither a number nor an object to add it to
   * @throws InvalidPathException if the value is not a number
   */
  public BigDecimal increment(long delta) {
    return increment(BigDecimal.valueOf(delta));
  }

  @Override
  public String toString() {
    return "DocumentValue[" + access + DocumentOperation.place(key, path) + "]";
  }
}
