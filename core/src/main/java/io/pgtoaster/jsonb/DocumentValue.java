package io.pgtoaster.jsonb;

import io.pgtoaster.column.ColumnAccess;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.jsonb.JsonVtable.Slice;
import io.pgtoaster.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;

/**
 * The value at a path of the document of one row, be there one or not; made by {@link
 * DocumentColumn#at(Object, String)}. It holds the row's key and the path and nothing that was
 * read: each call looks anew. As thread-safe as its column, which tells what calls on a row throw.
 *
 * <p>The document, which is at the path without steps, may be any JSON value. Below a scalar
 * nothing is found: reads are empty, {@link #append}, {@link #concat} and {@link
 * #increment(BigDecimal)} do nothing, and a condition on a value does not hold; {@link
 * #set(Object)}, {@link #setIfAbsent}, {@link #insert} and {@link #remove} throw an {@link
 * io.pgtoaster.error.InvalidPathException} where the document itself is the scalar, as PostgreSQL
 * does, and do nothing where it is a part. Where the column is NULL nothing is found at any path,
 * and only {@link MissingParents#CREATE}, and {@link #setIfAbsent} of a path without steps make a
 * document.
 *
 * <p>A value that is given is a {@link JsonNode}, or any object for the column's mapper: a string
 * becomes a JSON string, and null the JSON null, but for what {@link SetOptions} say of it. Numbers
 * keep their digits. What {@code jsonb} cannot hold, a value or a step of the path, a stream and a
 * reader are refused by an {@link InvalidJsonException} or {@link
 * io.pgtoaster.error.InvalidPathException}, and the document stays as it was.
 *
 * <pre>{@code
 * DocumentValue year = people.at(7, "roles[0].year");
 * year.set(1997);
 * int next = year.increment(1).orElseThrow().intValue();
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

  /** What the caller changes of a key later leads to no other row. */
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
          try (InputStream text = column.vtable().open(c, row, path, slice, 0)) {
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
   * Returns the value as an object of a type that is known when the program runs.
   *
   * @param type its type, of the {@code TypeFactory} of any mapper
   * @param <T> what the caller knows of it, unchecked
   * @return the value; empty if there is nothing at the path, or the JSON null
   * @throws InvalidJsonException if the value does not fit the type
   */
  @SuppressWarnings("unchecked") // as the caller says
  public <T> Optional<T> get(JavaType type) {
    return read(null, text -> (T) values.bind(text, type));
  }

  /**
   * Returns the value as JSON text.
   *
   * @return the text, with members in no certain order; empty if there is nothing at the path
   */
  public Optional<String> text() {
    return read(null, FromText::utf8);
  }

  /**
   * Tells whether there is a value, be it the JSON null.
   *
   * @return true if so
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
   * Counts the elements of an array or the members of an object.
   *
   * @return their number; empty if there is neither at the path
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
   * Lists the keys of an object, in the order of {@code jsonb}: by length in bytes, then by bytes.
   *
   * @return the keys; empty if there is no object at the path
   */
  public Optional<List<String>> keys() {
    return keys(null, Integer.MAX_VALUE);
  }

  /**
   * Lists a page of the keys of an object.
   *
   * @param after the last key of the page before, or null for the first page
   * @param limit highest number of keys
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
   * Returns some elements of an array.
   *
   * @param from position of the first, from 0
   * @param to position behind the last
   * @return the elements, fewer at the end of the array; empty if there is no array at the path
   * @throws InvalidOffsetException if a position is negative, or the last before the first
   */
  public Optional<List<JsonNode>> slice(long from, long to) {
    return read(
        elements(from, to),
        text -> {
          List<JsonNode> elements = new ArrayList<>();
          Json.readTree(text).forEach(elements::add);
          return elements;
        });
  }

  private static Slice elements(long from, long to) {
    if (from < 0 || to < from) {
      throw new InvalidOffsetException(
          "there are no elements from position " + from + " up to " + to);
    }
    return new Slice(from, to);
  }

  /**
   * Returns some elements of an array as objects of a class.
   *
   * @param from position of the first, from 0
   * @param to position behind the last
   * @param type class of an element
   * @param <E> class of an element
   * @return as {@link #slice(long, long)} does, null for the JSON null
   * @throws InvalidJsonException if an element does not fit the class
   */
  public <E> Optional<List<E>> slice(long from, long to, Class<E> type) {
    return slice(from, to, values.type(type));
  }

  /**
   * Returns some elements of an array as objects of a generic type.
   *
   * @param from position of the first, from 0
   * @param to position behind the last
   * @param type of an element, such as {@code new TypeReference<Map<String, Person>>() {}}
   * @param <E> type of an element
   * @return as {@link #slice(long, long)} does, null for the JSON null
   * @throws InvalidJsonException if an element does not fit the type
   */
  public <E> Optional<List<E>> slice(long from, long to, TypeReference<E> type) {
    return slice(from, to, values.type(type.getType()));
  }

  /**
   * Returns some elements of an array as objects of a type that is known when the program runs.
   *
   * @param from position of the first, from 0
   * @param to position behind the last
   * @param type of an element, of the {@code TypeFactory} of any mapper
   * @param <E> what the caller knows of it, unchecked
   * @return as {@link #slice(long, long)} does, null for the JSON null
   * @throws InvalidJsonException if an element does not fit the type
   */
  @SuppressWarnings("unchecked") // as the caller says
  public <E> Optional<List<E>> slice(long from, long to, JavaType type) {
    JavaType list = values.listOf(type);
    return read(elements(from, to), text -> (List<E>) values.bind(text, list));
  }

  /**
   * Opens the value as JSON text in UTF-8, of one committed state. Over a data source it holds a
   * connection with a read-only transaction until it is closed; on a connection it is to be read
   * within the caller's transaction, and in autocommit mode is in memory as a whole.
   *
   * @return a stream for one thread; empty if there is nothing at the path
   */
  public Optional<InputStream> stream() {
    return DocumentStream.open(access.now(), key, path);
  }

  /**
   * Opens the value as {@link #stream()} does.
   *
   * @return a reader of JSON text; empty if there is nothing at the path
   */
  public Optional<Reader> reader() {
    return stream().map(text -> new InputStreamReader(text, StandardCharsets.UTF_8));
  }

  /**
   * Opens the value as {@link #stream()} does.
   *
   * @return a parser before its first token, whose closing closes the stream; empty if there is
   *     nothing at the path
   */
  public Optional<JsonParser> parser() {
    return stream().map(Json::parser);
  }

  /**
   * Sets the value; adds it if only the last step is missing.
   *
   * @param value what to set; the whole document if the path has no steps
   * @return false if a parent is missing or a scalar, or the column is NULL; nothing is changed
   *     then
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position
   */
  public boolean set(@Nullable Object value) {
    return set(value, SetOptions.defaults());
  }

  /**
   * Sets the value.
   *
   * @param value what to set; the whole document if the path has no steps
   * @param options what becomes of missing steps, and of null
   * @return whether the document is now as asked for; if not, nothing was changed
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position; or a parent is missing and the options refuse
   *     that
   */
  public boolean set(@Nullable Object value, SetOptions options) {
    return edits.set(key, path, value == null ? null : tree(value), options);
  }

  /**
   * Sets the value to what a text says, as {@link #set(Object)} does.
   *
   * @param json the value as JSON text
   * @return false if a parent is missing or a scalar, or the column is NULL; nothing is changed
   *     then
   * @throws InvalidJsonException if the text is no JSON
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position
   */
  public boolean setJson(String json) {
    return setJson(json, SetOptions.defaults());
  }

  /**
   * Sets the value to what a text says, as {@link #set(Object, SetOptions)} does.
   *
   * @param json the value as JSON text, of which {@code null} is the JSON null
   * @param options what becomes of missing steps
   * @return whether the document is now as asked for; if not, nothing was changed
   * @throws InvalidJsonException if the text is no JSON
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position; or a parent is missing and the options refuse
   *     that
   */
  public boolean setJson(String json, SetOptions options) {
    Objects.requireNonNull(json, "json");
    return edits.set(key, path, placed(() -> values.document(json)), options);
  }

  private JsonNode tree(@Nullable Object value) {
    return placed(() -> values.tree(value));
  }

  /** Says of a value that is refused where it should have gone. */
  private JsonNode placed(Supplier<JsonNode> value) {
    try {
      return value.get();
    } catch (InvalidJsonException e) {
      throw e.at(edits.describe(key, path));
    }
  }

  /**
   * Inserts a value before the element of an array that is at the path, or as a new member of an
   * object.
   *
   * @param value the new one
   * @return false if a parent is missing or a scalar, the path has no steps, or the column is NULL
   * @throws io.pgtoaster.error.InvalidPathException if the member is there already, the document is
   *     a scalar, or a step at an array is no position
   */
  public boolean insert(@Nullable Object value) {
    return applied(new JsonEdit.Insert(path, tree(value), false));
  }

  /**
   * Inserts a value behind the element of an array that is at the path.
   *
   * @param value the new one
   * @return false if a parent is missing or a scalar, the path has no steps, or the column is NULL
   * @throws io.pgtoaster.error.InvalidPathException if the path is of a member that is there, the
   *     document is a scalar, or a step at an array is no position
   */
  public boolean insertAfter(@Nullable Object value) {
    return applied(new JsonEdit.Insert(path, tree(value), true));
  }

  /**
   * Appends elements to an array, all at once. What is there and no array counts as an array of one
   * and becomes one, also if it is the whole document, and where no elements are given.
   *
   * @param elements the new ones
   * @return false if there is nothing at the path
   */
  public boolean append(@Nullable Object... elements) {
    return applied(new JsonEdit.Concat(path, placed(() -> values.array(elements))));
  }

  /**
   * Extends the value as PostgreSQL's {@code ||} does: to an object members of an object are added,
   * one by one; of all others elements are put together, and what is no array counts as an array of
   * one. So an object and a scalar become an array of both.
   *
   * @param value to extend it by
   * @return false if there is nothing at the path
   */
  public boolean concat(@Nullable Object value) {
    return applied(new JsonEdit.Concat(path, tree(value)));
  }

  /**
   * Removes the member of an object or the element of an array.
   *
   * @return false if there is nothing at the path, or it has no steps
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar, or a step at an
   *     array is no position
   */
  public boolean remove() {
    return applied(new JsonEdit.Remove(path));
  }

  private boolean applied(JsonEdit edit) {
    return edits.apply(key, edit).applied();
  }

  /**
   * Replaces the value if it is the one expected, compared as {@code jsonb} compares: keys in any
   * order, {@code 1.0} as {@code 1.00}. It is compared under the lock under which it is replaced;
   * changes beside it, in the same document, are no conflict.
   *
   * @param expected what is to be there
   * @param value what to set
   * @return {@link EditOutcome#APPLIED}; or {@link EditOutcome#CONFLICT} if another value or
   *     nothing is at the path, and nothing is changed
   */
  public EditOutcome replaceIf(@Nullable Object expected, @Nullable Object value) {
    JsonEdit set = new JsonEdit.Set(path, tree(value), false);
    return edits.applyIf(key, new JsonEdit.Conditional(set, tree(expected)));
  }

  /**
   * Sets the value as {@link #set(Object)} does, if nothing is there.
   *
   * @param value what to set
   * @return {@link EditOutcome#APPLIED}; {@link EditOutcome#CONFLICT} if a value is there, be it
   *     the JSON null; {@link EditOutcome#MISSED} if a parent is missing or a scalar; nothing is
   *     changed then
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position
   */
  public EditOutcome setIfAbsent(@Nullable Object value) {
    JsonEdit set = new JsonEdit.Set(path, tree(value), true);
    return edits.applyIf(key, new JsonEdit.Conditional(set, null));
  }

  /**
   * Removes the value as {@link #remove()} does, if it is the one expected, compared as {@link
   * #replaceIf} does.
   *
   * @param expected what is to be there
   * @return {@link EditOutcome#APPLIED}; {@link EditOutcome#CONFLICT} if another value or nothing
   *     is at the path; {@link EditOutcome#MISSED} if the path has no steps; nothing is changed
   *     then
   * @throws io.pgtoaster.error.InvalidPathException if the path has no steps and the document is a
   *     scalar
   */
  public EditOutcome removeIf(@Nullable Object expected) {
    JsonEdit remove = new JsonEdit.Remove(path);
    return edits.applyIf(key, new JsonEdit.Conditional(remove, tree(expected)));
  }

  /**
   * Adds to a number, exactly; one that is missing from an object counts as 0.
   *
   * @param delta what to add; may be negative
   * @return the new number; empty if nothing was found that could hold it
   * @throws io.pgtoaster.error.InvalidPathException if what is there is no number
   */
  public Optional<BigDecimal> increment(BigDecimal delta) {
    Json.checkNumber(delta);
    return Optional.ofNullable(edits.apply(key, new JsonEdit.Increment(path, delta)).number());
  }

  /**
   * Adds to a number, as {@link #increment(BigDecimal)} does.
   *
   * @param delta what to add; may be negative
   * @return the new number; empty if nothing was found that could hold it
   * @throws io.pgtoaster.error.InvalidPathException if what is there is no number
   */
  public Optional<BigDecimal> increment(long delta) {
    return increment(BigDecimal.valueOf(delta));
  }

  @Override
  public String toString() {
    return "DocumentValue[" + access + DocumentOperation.place(key, path) + "]";
  }
}
