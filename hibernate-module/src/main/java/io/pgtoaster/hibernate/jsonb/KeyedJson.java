package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.JsonEdit;
import io.pgtoaster.jsonb.JsonPatch;
import io.pgtoaster.jsonb.JsonType;
import io.pgtoaster.spi.json.Json;
import io.pgtoaster.spi.json.JsonCopies;
import io.pgtoaster.spi.json.JsonbText;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.math.BigDecimal;
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
 * A document as the attribute of an entity. What stands in the row comes with the entity; a member
 * that is stored out of line is read when it is first needed, for all entities of the session at
 * once. Changes are noted by path and written by path when the session is flushed, and reads see
 * them at once.
 *
 * <p>A path is text as {@link DocumentPath#parse} reads it: {@code roles[5].title} or {@code
 * /roles/5/title}. All methods throw {@link InvalidPathException} if it is not valid. Values are a
 * {@link JsonNode}, or any object for the mapper that the setting {@code pgtoaster.json_mapper}
 * names; they are taken as they are at the call.
 *
 * <p>After the entity has been detached, what was read can still be read, and changes are noted for
 * {@code merge}, which carries them out on the document as it is then. Reading anything else throws
 * {@link org.hibernate.LazyInitializationException}.
 *
 * <p>A path that is neither loaded nor can be told from the changes that were made needs these in
 * the database: reading it flushes the session. With the flush mode MANUAL, or without a
 * transaction, it throws an {@link IllegalStateException}. A stateless session writes the changes
 * of this document.
 *
 * <p>What is serialized is the whole document if all of it is known, else what was read with the
 * row. Changes made before are serialized as a whole document, which merge puts in the place of the
 * stored one; changes made after deserialization are carried out on the stored one.
 *
 * <p>A mapper of Jackson 3 writes a document as the JSON that it is, as a part of its entity or by
 * itself, and reads what is not loaded; and makes a new one of JSON.
 *
 * <p>As its session, for one thread at a time.
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

  /** Makes the attribute for what was read of a row or of the second-level cache. */
  static <T> KeyedJson<T> with(DocumentState state) {
    return new KeyedJson<>(state);
  }

  /**
   * Makes a new document, for an entity to be assigned to.
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
   * Makes a new document of a generic type that is changed before its entity is flushed. Without
   * such changes the type of the attribute is known, and {@link #of(Object)} does the same.
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
   * Makes a new document.
   *
   * @param text JSON
   * @param <T> type of the document
   * @return the attribute's value
   * @throws io.pgtoaster.error.InvalidJsonException if {@code jsonb} cannot hold it
   */
  public static <T> KeyedJson<T> ofJson(String text) {
    return new KeyedJson<>(DocumentState.of(Json.readTree(text)));
  }

  /**
   * Returns the value at a path.
   *
   * @param path of the value
   * @return the value, the caller's to change; empty if there is nothing at the path
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
  @SuppressWarnings("unchecked") // a primitive type has another class than its values
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
  @SuppressWarnings("unchecked") // the mapping gives what the type says
  public <V> Optional<V> get(String path, TypeReference<V> type) {
    return state
        .find(DocumentPath.parse(path))
        .flatMap(v -> Optional.ofNullable((V) state.mapping().object(v, type.getType())));
  }

  /**
   * Tells whether a path can be read without a statement.
   *
   * @param path of a value, which need not be there
   * @return true if so
   */
  public boolean isLoaded(String path) {
    return state.isLoaded(DocumentPath.parse(path));
  }

  /**
   * Tells whether there is a value at a path, be it the JSON null.
   *
   * @param path of the value
   * @return true if so
   */
  public boolean exists(String path) {
    return type(path).isPresent();
  }

  /**
   * Returns the type of the value at a path. Nothing of a value that is stored out of line is
   * loaded.
   *
   * @param path of the value
   * @return its type; empty if there is nothing at the path
   */
  public Optional<JsonType> type(String path) {
    return new DocumentQuestions(state).type(DocumentPath.parse(path));
  }

  /**
   * Counts the elements of an array or the members of an object. Nothing of one that is stored out
   * of line is loaded.
   *
   * @param path of the array or object
   * @return their number; empty if there is neither at the path
   */
  public OptionalLong size(String path) {
    return new DocumentQuestions(state).size(DocumentPath.parse(path));
  }

  /**
   * Lists the keys of an object, in the order of {@code jsonb}: by length in bytes, then by bytes.
   * Nothing else of one that is stored out of line is loaded.
   *
   * @param path of the object
   * @return the keys; empty if there is no object at the path
   */
  public Optional<List<String>> keys(String path) {
    return new DocumentQuestions(state).keys(DocumentPath.parse(path));
  }

  /**
   * Returns some elements of an array. Of one that is stored out of line only these are loaded.
   *
   * @param path of the array
   * @param from position of the first, from 0
   * @param to position behind the last
   * @return the elements, fewer at the end of the array; empty if there is no array at the path
   */
  public Optional<List<JsonNode>> slice(String path, int from, int to) {
    Objects.checkFromToIndex(from, to, Integer.MAX_VALUE);
    return new DocumentQuestions(state).slice(DocumentPath.parse(path), from, to);
  }

  /**
   * Returns the whole document; loads what is stored out of line.
   *
   * @return an object of the attribute's type, whose changes are not noticed; null for the JSON
   *     null
   */
  @SuppressWarnings("unchecked")
  public @Nullable T load() {
    return (T) state.load();
  }

  /**
   * Returns the whole document as JSON text; loads what is stored out of line.
   *
   * @return as {@code jsonb::text} prints it
   */
  public String text() {
    return JsonbText.text(state.whole());
  }

  /**
   * Sets the value at a path; adds it if only the last step is missing.
   *
   * @param path of the value
   * @param value the new one; null for the JSON null
   * @throws InvalidPathException if a parent is missing or a scalar; in the flush if that is not
   *     known before
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
   * Sets the value at a path if there is none, be it the JSON null. What another transaction has
   * set there meanwhile is a conflict in the flush, as after any read.
   *
   * @param path of the value
   * @param value the new one; null for the JSON null
   * @return whether there was none
   * @throws InvalidPathException if a parent is missing or a scalar; in the flush if that is not
   *     known before
   */
  public boolean setIfAbsent(String path, @Nullable Object value) {
    boolean absent = state.find(DocumentPath.parse(path)).isEmpty();
    if (absent) {
      set(path, value);
    }
    return absent;
  }

  /**
   * Merges a patch as RFC 7396 says: members are set, those that are null in the patch are removed,
   * all others stay. A patch that is no object takes the document's place. Loaded is nothing but
   * the types of objects that the patch goes into.
   *
   * @param patch a {@link JsonNode}, or any object for the mapper
   */
  public void merge(Object patch) {
    new DocumentMerge(state).run(state.tree(patch));
  }

  /**
   * Carries out a JSON Patch as RFC 6902 says: all operations, or none. The members of the root
   * that it names are loaded, the whole document if a path is that of the document.
   *
   * @param operations an array as a {@link JsonNode}, or any object for the mapper; a {@link
   *     JsonPatch} with a limit of its own for what copies add
   * @throws PatchFailedException if it is no patch, an operation cannot be carried out, or a test
   *     failed; the message names the operation, and nothing has changed
   */
  public void patch(Object operations) {
    DocumentPatch.run(
        state,
        operations instanceof JsonPatch patch ? patch : JsonPatch.of(state.tree(operations)));
  }

  /**
   * Removes a member of an object or an element of an array; nothing happens where there is none.
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
   * @param value the new one
   * @throws InvalidPathException if the member is there already, or a parent is missing or a
   *     scalar; in the flush if that is not known before
   */
  public void insert(String path, @Nullable Object value) {
    state.change(new JsonEdit.Insert(changed(path), state.tree(value), false));
  }

  /**
   * Inserts a value behind an element of an array, or as a new member of an object.
   *
   * @param path of the element to insert behind, or of the new member
   * @param value the new one
   * @throws InvalidPathException if the member is there already, or a parent is missing or a
   *     scalar; in the flush if that is not known before
   */
  public void insertAfter(String path, @Nullable Object value) {
    state.change(new JsonEdit.Insert(changed(path), state.tree(value), true));
  }

  /**
   * Appends elements to an array, without loading it. What is there and no array counts as an array
   * of one.
   *
   * @param path of the array
   * @param elements each a value
   * @throws InvalidPathException if there is nothing at the path; in the flush if that is not known
   *     before
   */
  public void append(String path, @Nullable Object... elements) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode(elements.length);
    for (Object element : elements) {
      array.add(state.tree(element));
    }
    state.change(new JsonEdit.Concat(DocumentPath.parse(path), array));
  }

  /**
   * Adds to a number, exactly, without loading it; one that is missing from an object counts as 0.
   *
   * @param path of the number
   * @param delta what to add; may be negative
   * @throws InvalidPathException if there is something else; in the flush if that is not known
   *     before
   */
  public void increment(String path, long delta) {
    increment(path, BigDecimal.valueOf(delta));
  }

  /**
   * Adds to a number, exactly, as {@link #increment(String, long)} does.
   *
   * @param path of the number
   * @param delta what to add; may be negative
   */
  public void increment(String path, BigDecimal delta) {
    Json.checkNumber(delta);
    state.change(new JsonEdit.Increment(changed(path), delta));
  }

  /**
   * Replaces the whole document: after the flush it is exactly the one given, whatever others did
   * meanwhile.
   *
   * @param document the new one, read when the entity is flushed
   */
  public void put(T document) {
    state.put(Objects.requireNonNull(document, "document"));
  }

  private static DocumentPath changed(String path) {
    DocumentPath place = DocumentPath.parse(path);
    if (place.isRoot()) {
      throw new InvalidPathException(
          "the path is that of the whole document; use put to replace it");
    }
    return place;
  }

  /**
   * Serializes what is in memory.
   *
   * @return what stands in the stream for this
   * @throws NotSerializableException if that is not the document
   */
  private Object writeReplace() throws NotSerializableException {
    SerializedJson serialized = state.serialized();
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
}
