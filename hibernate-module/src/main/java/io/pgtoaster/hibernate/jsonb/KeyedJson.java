package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.JsonPatch;
import io.pgtoaster.spi.JsonVtable.Slice;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A document as the attribute of an entity. The members in the row are loaded with the entity. A
 * member that is stored out of line is read when it is first needed, for all entities of the
 * session at once. Changes are recorded by path and written by path when the session is flushed.
 * Reads see them immediately.
 *
 * <p>A path is text in the syntax of {@link DocumentPath#parse}: {@code roles[5].title} or {@code
 * /roles/5/title}. All methods throw {@link InvalidPathException} if it is not valid. A value is a
 * {@link JsonNode}, or any object for the mapper in the setting {@code pgtoaster.json_mapper}. It
 * is converted when the method is called.
 *
 * <p>After the entity has been detached, values that were read can still be read. Changes are
 * recorded for {@code merge}, which applies them to the document as it is at that time. Reading
 * anything else throws {@link org.hibernate.LazyInitializationException}.
 *
 * <p>If a path is not loaded and cannot be derived from the changes, the changes must be written
 * before it can be read. Reading it therefore flushes the session. With the flush mode MANUAL, or
 * without a transaction, it throws an {@link IllegalStateException}. A stateless session writes
 * only the changes of this document.
 *
 * <p>Serialization writes the whole document if all of it is known, otherwise what was read with
 * the row. Changes made before serialization are included as a whole document, which merge then
 * stores in place of the old one. Changes made after deserialization are applied to the stored
 * document.
 *
 * <p>A Jackson 3 mapper writes the document itself as JSON, as part of its entity or alone, and
 * reads members that are not loaded. It creates a new document from JSON.
 *
 * <p>Use it from one thread at a time, like its session.
 *
 * <pre>{@code
 * Person person = new Person(); // an entity with a field KeyedJson<Map<String, Object>> doc
 * person.doc = KeyedJson.of(Map.of("roles", List.of()));
 * session.persist(person);
 *
 * session.find(Person.class, 7L).doc.append("roles", Map.of("title", "Hamlet"));
 * }</pre>
 *
 * @param <T> type of the whole document
 */
@JsonSerialize(using = KeyedJsonSerializer.class)
@JsonDeserialize(using = KeyedJsonDeserializer.class)
public final class KeyedJson<T> implements Serializable {
  private static final long serialVersionUID = 1;

  private final transient DocumentState state;

  private KeyedJson(DocumentState state) {
    this.state = state;
  }

  DocumentState state() {
    return state;
  }

  /** Creates the attribute's value for a document from a row or from the second-level cache. */
  static <T> KeyedJson<T> with(DocumentState state) {
    return new KeyedJson<>(state);
  }

  /**
   * Creates a new document, to be assigned to an entity.
   *
   * @param document an object for the mapper, which is read when the entity is flushed; or a {@link
   *     JsonNode}
   * @param <T> its type
   * @return the attribute's value
   */
  public static <T> KeyedJson<T> of(T document) {
    return new KeyedJson<>(DocumentState.of(Objects.requireNonNull(document, "document")));
  }

  /**
   * Creates a new document of a generic type that is changed before its entity is flushed. Without
   * such changes, {@link #of(Object)} has the same effect, because the type of the attribute is
   * known.
   *
   * @param document an object for the mapper, which is read when the entity is flushed
   * @param type such as {@code new TypeReference<List<Shape>>() {}}, where Jackson writes type ids
   * @param <T> its type
   * @return the attribute's value
   */
  public static <T> KeyedJson<T> of(T document, TypeReference<T> type) {
    return new KeyedJson<>(
        DocumentState.of(Objects.requireNonNull(document, "document"), type.getType()));
  }

  /**
   * Creates a new document from text.
   *
   * @param text JSON
   * @param <T> type of the document
   * @return the attribute's value
   * @throws InvalidJsonException if {@code jsonb} cannot store it
   */
  public static <T> KeyedJson<T> ofJson(String text) {
    return new KeyedJson<>(DocumentState.of(Json.readTree(text)));
  }

  /**
   * Returns the value at a path.
   *
   * @param path of the value
   * @return the value, which the caller may change; empty if there is nothing at the path
   */
  public Optional<JsonNode> get(String path) {
    return state.find(DocumentPath.parse(path)).map(JsonCopies::copy);
  }

  /**
   * Returns the value at a path as an object of a class.
   *
   * @param path of the value
   * @param type its class
   * @param <V> its class
   * @return the value; empty if there is nothing at the path, or the JSON null
   */
  @SuppressWarnings("unchecked") // a primitive type differs from the class of its values
  public <V> Optional<V> get(String path, Class<V> type) {
    return state
        .find(DocumentPath.parse(path))
        .flatMap(v -> Optional.ofNullable((V) state.mapping().object(v, type)));
  }

  /**
   * Returns the value at a path as an object of a generic type.
   *
   * @param path of the value
   * @param type such as {@code new TypeReference<List<Person>>() {}}
   * @param <V> its type
   * @return the value; empty if there is nothing at the path, or the JSON null
   */
  @SuppressWarnings("unchecked") // the mapping returns a value of the type
  public <V> Optional<V> get(String path, TypeReference<V> type) {
    return state
        .find(DocumentPath.parse(path))
        .flatMap(v -> Optional.ofNullable((V) state.mapping().object(v, type.getType())));
  }

  /**
   * Returns whether a path can be read without a statement.
   *
   * @param path of a value, which need not exist
   * @return true if so
   */
  public boolean isLoaded(String path) {
    return state.isLoaded(DocumentPath.parse(path));
  }

  /**
   * Returns whether there is a value at a path. A JSON null counts as a value.
   *
   * @param path of the value
   * @return true if so
   */
  public boolean exists(String path) {
    return type(path).isPresent();
  }

  /**
   * Returns the type of the value at a path. Does not load out-of-line values.
   *
   * @param path of the value
   * @return its type; empty if there is nothing at the path
   */
  public Optional<JsonType> type(String path) {
    return new DocumentQuestions(state).type(DocumentPath.parse(path));
  }

  /**
   * Returns the number of elements of an array or of members of an object. Does not load
   * out-of-line values.
   *
   * @param path of the array or object
   * @return their number; empty if the path finds neither an array nor an object
   */
  public OptionalLong size(String path) {
    return new DocumentQuestions(state).size(DocumentPath.parse(path));
  }

  /**
   * Returns the keys of an object, in the order of {@code jsonb}: by length in bytes, then by
   * bytes. If the object is stored out of line, loads only the keys.
   *
   * @param path of the object
   * @return the keys; empty if there is no object at the path
   */
  public Optional<List<String>> keys(String path) {
    return new DocumentQuestions(state).keys(DocumentPath.parse(path));
  }

  /**
   * Returns a range of an array's elements. If the array is stored out of line, loads only these.
   *
   * @param path of the array
   * @param from position of the first element, from 0; if negative, it counts from the end
   * @param to position after the last element, such as {@link Long#MAX_VALUE}; if negative, it
   *     counts from the end
   * @return the elements, fewer at the end of the array; empty if there is no array at the path
   * @throws io.pgtoaster.error.InvalidOffsetException if {@code to} is less than {@code from}, and
   *     both count from the same end
   */
  public Optional<List<JsonNode>> slice(String path, long from, long to) {
    return new DocumentQuestions(state).slice(DocumentPath.parse(path), new Slice(from, to));
  }

  /**
   * Returns a range of an array's elements as objects of a class.
   *
   * @param path of the array
   * @param from position of the first element, from 0; if negative, it counts from the end
   * @param to position after the last element, such as {@link Long#MAX_VALUE}; if negative, it
   *     counts from the end
   * @param type class of an element
   * @param <E> class of an element
   * @return the same elements as {@link #slice(String, long, long)}, with null for each JSON null
   */
  public <E> Optional<List<@Nullable E>> slice(String path, long from, long to, Class<E> type) {
    return slice(path, from, to)
        .map(
            elements -> {
              List<@Nullable E> objects = new ArrayList<>();
              for (JsonNode element : elements) {
                objects.add(type.cast(state.mapping().object(element, type)));
              }
              return objects;
            });
  }

  /**
   * Returns the whole document; loads out-of-line members.
   *
   * @return an object of the attribute's type; changes to it are not detected; null for the JSON
   *     null
   */
  @SuppressWarnings("unchecked")
  public @Nullable T load() {
    return (T) state.load();
  }

  /**
   * Returns the whole document as JSON text; loads out-of-line members.
   *
   * @return as {@code jsonb::text} prints it
   */
  public String text() {
    return JsonbText.text(state.whole());
  }

  /**
   * Sets the value at a path, or adds it if only the last step is missing.
   *
   * @param path of the value
   * @param value the new value; null for the JSON null
   * @throws PathNotFoundException if a parent is missing or a scalar; at the flush if that is not
   *     known earlier
   */
  public void set(String path, @Nullable Object value) {
    DocumentPath place = DocumentPath.parse(path);
    JsonNode tree = state.tree(value);
    if (place.isRoot()) {
      state.put(tree);
    } else {
      state.change(new JsonEdit.Set(place, tree, true));
    }
  }

  /**
   * Sets the value at a path, but only if there is nothing at the path; the JSON null is a value.
   * As after any read, a value that another transaction has set meanwhile is a conflict at the
   * flush.
   *
   * @param path of the value
   * @param value the new value; null for the JSON null
   * @return whether the value was set
   * @throws PathNotFoundException if a parent is missing or a scalar; at the flush if that is not
   *     known earlier
   */
  public boolean setIfAbsent(String path, @Nullable Object value) {
    boolean absent = state.find(DocumentPath.parse(path)).isEmpty();
    if (absent) {
      set(path, value);
    }
    return absent;
  }

  /**
   * Merges a patch as defined by RFC 7396. Members of the patch are set, members that are null in
   * the patch are removed, and all others remain unchanged. If the patch is not an object, it
   * replaces the document. Loads only the types of the objects that the patch changes.
   *
   * @param patch a {@link JsonNode}, or any object for the mapper
   * @throws InvalidJsonException if it is a string, stream or reader: call {@link #mergeJson} for
   *     JSON text
   */
  public void merge(Object patch) {
    new DocumentMerge(state).run(state.tree(Json.notText(patch, "mergeJson")));
  }

  /**
   * Merges a patch. See {@link #merge}.
   *
   * @param patch its JSON text
   * @throws InvalidJsonException if the text is not JSON
   */
  public void mergeJson(String patch) {
    new DocumentMerge(state).run(Json.readTree(patch));
  }

  /**
   * Applies a JSON Patch (RFC 6902): all of its operations, or none. Loads the members of the root
   * that the patch names, or the whole document if the patch has the path of the document.
   *
   * @param operations an array as a {@link JsonNode}, or any object for the mapper; or a {@link
   *     JsonPatch}, to set another limit for what copies add
   * @throws PatchFailedException if it is not a patch, an operation cannot be applied, or a test
   *     failed; the message names the operation, and nothing has changed
   * @throws InvalidJsonException if it is a string, stream or reader: call {@link #patchJson} for
   *     JSON text
   */
  public void patch(Object operations) {
    DocumentPatch.run(
        state,
        operations instanceof JsonPatch patch
            ? patch
            : JsonPatch.of(state.tree(Json.notText(operations, "patchJson"))));
  }

  /**
   * Applies a JSON Patch. See {@link #patch}.
   *
   * @param operations the JSON text of the array of operations
   * @throws InvalidJsonException if the text is not JSON
   */
  public void patchJson(String operations) {
    DocumentPatch.run(state, JsonPatch.of(Json.readTree(operations)));
  }

  /**
   * Removes a member of an object or an element of an array. If it does not exist, nothing happens.
   *
   * @param path of the member or element
   */
  public void remove(String path) {
    state.change(new JsonEdit.Remove(changed(path)));
  }

  /**
   * Inserts a value before an element of an array, or as a new member of an object.
   *
   * @param path of the element to insert before, or of the new member
   * @param value the new value
   * @throws PathNotFoundException if a parent is missing or a scalar; at the flush if that is not
   *     known earlier
   * @throws InvalidPathException if the member already exists; at the flush if that is not known
   *     earlier
   */
  public void insert(String path, @Nullable Object value) {
    state.change(new JsonEdit.Insert(changed(path), state.tree(value), false));
  }

  /**
   * Inserts a value after an element of an array, or as a new member of an object.
   *
   * @param path of the element to insert after, or of the new member
   * @param value the new value
   * @throws PathNotFoundException if a parent is missing or a scalar; at the flush if that is not
   *     known earlier
   * @throws InvalidPathException if the member already exists; at the flush if that is not known
   *     earlier
   */
  public void insertAfter(String path, @Nullable Object value) {
    state.change(new JsonEdit.Insert(changed(path), state.tree(value), true));
  }

  /**
   * Appends elements to an array, without loading it.
   *
   * @param path of the array
   * @param elements each a value
   * @throws PathNotFoundException if there is nothing at the path; at the flush if that is not
   *     known earlier
   * @throws InvalidPathException if the value is not an array; at the flush if that is not known
   *     earlier
   */
  public void append(String path, @Nullable Object... elements) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode(elements.length);
    for (Object element : elements) {
      array.add(state.tree(element));
    }
    state.change(new JsonEdit.Append(DocumentPath.parse(path), array));
  }

  /**
   * Removes elements from the start of an array, so that at most {@code elements} are left, without
   * loading it.
   *
   * @param path of the array
   * @param elements number of elements to keep
   * @throws io.pgtoaster.error.InvalidOffsetException if the number is negative
   * @throws PathNotFoundException if there is nothing at the path; at the flush if that is not
   *     known earlier
   * @throws InvalidPathException if the value is not an array; at the flush if that is not known
   *     earlier
   */
  public void keepLast(String path, int elements) {
    state.change(new JsonEdit.KeepLast(DocumentPath.parse(path), elements));
  }

  /**
   * Adds to a number without rounding and without loading it. A member that is missing from an
   * object counts as 0.
   *
   * @param path of the number
   * @param delta the amount to add; may be negative
   * @throws InvalidPathException if the value is not a number; at the flush if that is not known
   *     earlier
   */
  public void increment(String path, long delta) {
    increment(path, BigDecimal.valueOf(delta));
  }

  /**
   * Adds to a number. See {@link #increment(String, long)}.
   *
   * @param path of the number
   * @param delta the amount to add; may be negative
   */
  public void increment(String path, BigDecimal delta) {
    Json.checkNumber(delta);
    state.change(new JsonEdit.Increment(changed(path), delta));
  }

  /**
   * Replaces the whole document. The flush also replaces concurrent changes by others.
   *
   * @param document the new document, read when the entity is flushed
   */
  public void put(T document) {
    state.put(Objects.requireNonNull(document, "document"));
  }

  private static DocumentPath changed(String path) {
    DocumentPath place = DocumentPath.parse(path);
    if (place.isRoot()) {
      throw new InvalidPathException("the path leads to the whole document; use put to replace it");
    }
    return place;
  }

  /**
   * Serializes the document in memory.
   *
   * @return the object to serialize instead
   * @throws NotSerializableException if the document is not in memory
   */
  private Object writeReplace() throws NotSerializableException {
    Serialized serialized = state.serialized();
    if (serialized == null) {
      throw new NotSerializableException(
          this
              + " has changes that are not written and parts that are not loaded; merge its entity"
              + " first, or load() it before it is detached");
    }
    return serialized;
  }

  @Override
  public String toString() {
    return "KeyedJson[" + state.describe() + "]";
  }

  /**
   * The serialized form of a document.
   *
   * @param text of the whole document, or of its row
   * @param whole whether it is the whole document
   * @param changed whether to write it when its entity is merged
   */
  record Serialized(String text, boolean whole, boolean changed) implements Serializable {
    private Object readResolve() {
      return KeyedJson.with(
          whole
              ? DocumentState.whole(Json.readStored(text), changed)
              : DocumentState.stored(text, null, null));
    }
  }
}
