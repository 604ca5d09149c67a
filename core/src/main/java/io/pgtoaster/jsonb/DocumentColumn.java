package io.pgtoaster.jsonb;

import io.pgtoaster.column.CallListener;
import io.pgtoaster.column.ColumnAccess;
import io.pgtoaster.column.Toasters;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.CallersConnection;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.json.Json;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON documents of one column. A key addresses a row: the value of its key column, or a {@link
 * List} of them for a composite key, or a {@link io.pgtoaster.column.RowKey}. A path leads into its
 * document.
 *
 * <p>As thread-safe as what it was made from: for any threads over a data source, for one at a time
 * over a connection. All methods throw {@link io.pgtoaster.error.RowNotFoundException} where there
 * is no row with the key; a change does so, too, if it has waited for a transaction that gave the
 * row another key, as an UPDATE finds no row then. Where the column is NULL there is no document,
 * so nothing is found at any path, and only {@link #put}, {@link #merge}, {@link
 * MissingParents#CREATE}, and {@link #setIfAbsent} and {@link #patch} of a path without steps make
 * one.
 *
 * <p>The document, which is at the path without steps, may be any JSON value. Below a scalar
 * nothing is found: reads are empty, {@code append}, {@code concat} and {@code increment} do
 * nothing, and a condition on a value does not hold; {@code set}, {@code setIfAbsent}, {@code
 * insert} and {@code remove} throw an {@link io.pgtoaster.error.InvalidPathException} where the
 * document itself is the scalar, as PostgreSQL does, and do nothing where it is a part.
 *
 * <p>Where a whole document or patch is given, a string is JSON text; where a value is given, it is
 * a JSON string. Numbers keep their digits. What {@code jsonb} cannot hold is refused by an {@link
 * io.pgtoaster.error.InvalidJsonException}, and the document stays as it was.
 *
 * <pre>{@code
 * DocumentColumn people = toaster.documents("person", "doc");
 * people.put(7, Map.of("name", "Ann", "roles", List.of()));
 * people.append(7, "roles", Map.of("title", "Hamlet", "year", 1996));
 * people.set(7, "roles[0].year", 1997);
 * String title = people.get(7, "roles[-1].title", String.class).orElseThrow();
 * }</pre>
 */
public final class DocumentColumn extends DocumentReads {
  private final Edits edits;
  private final WholeDocuments whole;

  private DocumentColumn(ColumnAccess<JsonToaster, JsonVtable> access, Values values) {
    super(access, values);
    this.edits = new Edits(access);
    this.whole = new WholeDocuments(access, values);
  }

  /**
   * Makes a handle; the entry point is {@code PgToaster}. The column is looked up at first use.
   *
   * @param connections where calls happen
   * @param toasters the known ones
   * @param schema exact name, or null for the search path
   * @param table exact name
   * @param column exact name
   * @param extension whether the server extension may be used, where it is installed
   * @param listener notified of calls, or null
   * @return the handle
   */
  public static DocumentColumn of(
      Connections connections,
      Toasters<JsonToaster> toasters,
      @Nullable String schema,
      String table,
      String column,
      boolean extension,
      @Nullable CallListener listener) {
    return new DocumentColumn(
        new ColumnAccess<>(connections, toasters, schema, table, column, extension, listener),
        new Values(null));
  }

  /**
   * Returns this column with another mapper for objects of the caller's classes. To keep numbers
   * exact in what has no class of its own, give it {@code USE_BIG_DECIMAL_FOR_FLOATS}.
   *
   * @param mapper for objects that are given and asked for
   * @return another handle
   */
  public DocumentColumn withMapper(JsonMapper mapper) {
    return new DocumentColumn(access, new Values(mapper));
  }

  /**
   * Returns this column in the transaction of a connection to the same database, as a handle made
   * by {@code PgToaster.on} would be; what has been looked up for one of the two the other knows.
   *
   * @param connection stays the caller's: it is never closed, and no transaction of the caller is
   *     committed or rolled back
   * @return another handle, for one thread at a time
   */
  public DocumentColumn on(Connection connection) {
    Objects.requireNonNull(connection, "connection");
    return new DocumentColumn(access.on(new CallersConnection(connection)), values);
  }

  /**
   * Stores a whole document: afterwards it is exactly the one given, whatever others did meanwhile.
   *
   * @param key of the row
   * @param json the document's text
   * @return what was written
   */
  public PutResult put(Object key, String json) {
    return whole.put(key, json);
  }

  /**
   * Stores a whole document, read as it is stored. The stream is not closed.
   *
   * @param key of the row
   * @param json the document's text in UTF-8, read to its end
   * @return what was written
   * @throws UncheckedIOException if the stream fails; the document stays as it was then
   */
  public PutResult put(Object key, InputStream json) {
    return whole.put(key, json);
  }

  /**
   * Stores a whole document, read as it is stored. The reader is not closed.
   *
   * @param key of the row
   * @param json the document's text, read to its end
   * @return what was written
   * @throws UncheckedIOException if the reader fails; the document stays as it was then
   */
  public PutResult put(Object key, Reader json) {
    return whole.put(key, json);
  }

  /**
   * Stores a whole document: afterwards it is exactly the one given, whatever others did meanwhile.
   *
   * @param key of the row
   * @param document a {@link JsonNode}, or any object for the mapper; text, streams and readers as
   *     the other methods of this name take them
   * @return what was written
   */
  public PutResult put(Object key, Object document) {
    return whole.put(key, document);
  }

  /**
   * Stores a whole document that is written as one of a generic type, so that its elements are
   * written as what the type says, with the names of their classes where these are asked for.
   *
   * @param key of the row
   * @param document an object for the mapper
   * @param type such as {@code new TypeReference<List<Shape>>() {}}
   * @param <T> its type
   * @return what was written
   */
  public <T> PutResult put(Object key, T document, TypeReference<T> type) {
    Objects.requireNonNull(document, "document");
    return whole.put(key, values.text(document, values.type(type.getType())));
  }

  /**
   * Inserts a row and its document together, in one statement where the document has at most half a
   * megabyte. Only the key and the document are given: all other columns take their defaults. A row
   * that needs more is inserted by the application, and its document is {@link #put} then.
   *
   * @param key of the new row
   * @param document its text, a {@link JsonNode}, any object for the mapper, or an {@link
   *     InputStream} or {@link Reader} of its text, which is read to its end and not closed
   * @return what was written
   * @throws io.pgtoaster.error.RowExistsException if a row with this key is there, or another one
   *     that a unique index does not want twice
   * @throws UncheckedIOException if the stream or reader fails; nothing is inserted then
   */
  public PutResult insert(Object key, Object document) {
    return whole.insert(key, document);
  }

  /**
   * Merges a patch into a document as RFC 7396 says: members are set, those that are null in the
   * patch are removed, all others stay. A patch that is no object takes the document's place; one
   * that is takes the place of a document that is none, or of NULL, without its nulls.
   *
   * @param key of the row
   * @param patch JSON text, a {@link JsonNode}, or any object for the mapper
   */
  public void merge(Object key, Object patch) {
    whole.merge(key, patch);
  }

  /**
   * Carries out a JSON Patch (RFC 6902), all of it or nothing. To remove the whole document sets
   * the column to NULL.
   *
   * @param key of the row
   * @param operations the array of operations: JSON text, a {@link JsonNode}, or any object for the
   *     mapper
   * @throws io.pgtoaster.error.PatchFailedException if an operation cannot be carried out or a test
   *     fails; nothing is changed then
   */
  public void patch(Object key, Object operations) {
    whole.patch(key, operations);
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
   * @return whether the document is now as asked for; if not, nothing was changed
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position; or a parent is missing and the options refuse
   *     that
   */
  public boolean set(Object key, DocumentPath path, @Nullable Object value, SetOptions options) {
    return edits.set(key, path, value == null ? null : tree(key, path, value), options);
  }

  /**
   * Sets the value at a path to what a text says; adds it if only the last step is missing.
   *
   * @param key of the row
   * @param path of the value; of the whole document if it has no steps
   * @param json the value as JSON text
   * @return false if a parent is missing or a scalar, or the column is NULL; nothing is changed
   *     then
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position
   */
  public boolean setJson(Object key, DocumentPath path, String json) {
    return setJson(key, path, json, SetOptions.defaults());
  }

  /**
   * Sets the value at a path to what a text says; adds it if only the last step is missing.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param json the value as JSON text
   * @return false if a parent is missing or a scalar, or the column is NULL; nothing is changed
   *     then
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position
   */
  public boolean setJson(Object key, String path, String json) {
    return setJson(key, DocumentPath.parse(path), json);
  }

  /**
   * Sets the value at a path to what a text says.
   *
   * @param key of the row
   * @param path of the value; of the whole document if it has no steps
   * @param json the value as JSON text, of which {@code null} is the JSON null
   * @param options what becomes of missing steps
   * @return whether the document is now as asked for; if not, nothing was changed
   * @throws io.pgtoaster.error.InvalidPathException if the document is a scalar and the path has
   *     steps, or a step at an array is no position; or a parent is missing and the options refuse
   *     that
   */
  public boolean setJson(Object key, DocumentPath path, String json, SetOptions options) {
    Objects.requireNonNull(json, "json");
    JsonNode value = at(key, path, () -> values.document(json));
    return edits.set(key, path, value, options);
  }

  private JsonNode tree(Object key, DocumentPath path, @Nullable Object value) {
    return at(key, path, () -> values.tree(value));
  }

  /** Says of a value that is refused where it should have gone. */
  private JsonNode at(Object key, DocumentPath path, Supplier<JsonNode> value) {
    try {
      return value.get();
    } catch (InvalidJsonException e) {
      throw e.at(edits.describe(key, path));
    }
  }

  /**
   * Sets the value at a path.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param value a {@link tools.jackson.databind.JsonNode}, or any object for the mapper, or null
   * @param options what becomes of missing steps, and of null
   * @return whether the document is now as asked for; if not, nothing was changed
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
    return edits.apply(key, new JsonEdit.Insert(path, tree(key, path, value), false)).applied();
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
    return edits.apply(key, new JsonEdit.Insert(path, tree(key, path, value), true)).applied();
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
    JsonNode array = at(key, path, () -> values.array(elements));
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
    return edits.apply(key, new JsonEdit.Concat(path, tree(key, path, value))).applied();
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
    JsonEdit set = new JsonEdit.Set(path, tree(key, path, value), false);
    return edits.applyIf(key, new JsonEdit.Conditional(set, tree(key, path, expected)));
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
    JsonEdit set = new JsonEdit.Set(path, tree(key, path, value), true);
    return edits.applyIf(key, new JsonEdit.Conditional(set, null));
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
    JsonEdit remove = new JsonEdit.Remove(path);
    return edits.applyIf(key, new JsonEdit.Conditional(remove, tree(key, path, expected)));
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

  /**
   * Sets the column to NULL.
   *
   * @param key of the row
   */
  public void clear(Object key) {
    whole.clear(key);
  }

  /**
   * Locks a document for several edits of one transaction: until it ends, edits of others wait, be
   * they of other members. Readers never wait. Transactions that lock first cannot meet in a
   * deadlock over this document; those that edit without locking wait for each other member by
   * member, and one of two that do so in opposite order fails with SQLState 40P01. Who locks
   * several documents does so in the order of their keys.
   *
   * <p>Only for {@code PgToaster.on} a connection with autocommit off, and where calls join a
   * transaction. What the transaction has locked already, it has.
   *
   * @param key of the row, whose column may be NULL
   * @throws io.pgtoaster.error.TransactionRequiredException if each call is a transaction of its
   *     own
   * @throws io.pgtoaster.error.AccessDeniedException if the role may not change the document
   */
  public void lock(Object key) {
    edits.lock(key);
  }

  /**
   * Brings what is stored of a document into its best form under the options that its column has
   * now.
   *
   * @param key of the row
   * @return number of stored rows rewritten; 0 if there was nothing to do
   */
  public long compact(Object key) {
    return whole.compact(key);
  }

  @Override
  public String toString() {
    return "DocumentColumn[" + access + "]";
  }
}
