package io.pgtoaster.jsonb;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.ColumnAccess;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.jsonb.JsonVtable.Slice;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;

/** The reading half of {@link DocumentColumn}. */
abstract class DocumentReads {
  final ColumnAccess<JsonToaster, JsonVtable> access;
  final Values values;

  DocumentReads(ColumnAccess<JsonToaster, JsonVtable> access, Values values) {
    this.access = access;
    this.values = values;
  }

  /**
   * Returns the toaster of the column.
   *
   * @return the toaster
   */
  public JsonToaster toaster() {
    return access.resolved().toaster();
  }

  /**
   * Returns what the toaster can do beyond what all can.
   *
   * @return an immutable set
   */
  public Set<JsonCapability> capabilities() {
    return toaster().capabilities();
  }

  /**
   * Returns where the column is, its row key and its options.
   *
   * @return the column as it was looked up
   */
  public AttachedColumn describe() {
    return access.resolved().column();
  }

  /** What is made of the text of a value. */
  @FunctionalInterface
  private interface Use<T> {
    @Nullable T apply(InputStream text) throws IOException;
  }

  private <T> Optional<T> read(Object key, DocumentPath path, @Nullable Slice slice, Use<T> use) {
    return access.read(
        new DocumentOperation("get", key, path),
        (c, column, row) -> {
          try (InputStream text = column.vtable().open(c, row, path, slice, 0)) {
            return text == null ? Optional.empty() : Optional.ofNullable(use.apply(text));
          } catch (IOException | RuntimeException e) {
            throw Failures.inCall(e);
          }
        });
  }

  /**
   * Returns the value at a path.
   *
   * @param key of the row
   * @param path of the value
   * @return the value; empty if there is nothing at the path
   */
  public Optional<JsonNode> get(Object key, DocumentPath path) {
    return read(key, path, null, Json::readPrinted);
  }

  /**
   * Returns the value at a path.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return the value; empty if there is nothing at the path
   */
  public Optional<JsonNode> get(Object key, String path) {
    return get(key, DocumentPath.parse(path));
  }

  /**
   * Returns the value at a path as an object of a class.
   *
   * @param key of the row
   * @param path of the value
   * @param type its class
   * @param <T> its class
   * @return the value; empty if there is nothing at the path, or the JSON null
   * @throws io.pgtoaster.error.InvalidJsonException if the value does not fit the class
   */
  public <T> Optional<T> get(Object key, DocumentPath path, Class<T> type) {
    return get(key, path, values.type(type));
  }

  /**
   * Returns the value at a path as an object of a class.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param type its class
   * @param <T> its class
   * @return the value; empty if there is nothing at the path, or the JSON null
   * @throws io.pgtoaster.error.InvalidJsonException if the value does not fit the class
   */
  public <T> Optional<T> get(Object key, String path, Class<T> type) {
    return get(key, DocumentPath.parse(path), type);
  }

  /**
   * Returns the value at a path as an object of a generic type.
   *
   * @param key of the row
   * @param path of the value
   * @param type such as {@code new TypeReference<List<Person>>() {}}
   * @param <T> its type
   * @return the value; empty if there is nothing at the path, or the JSON null
   * @throws io.pgtoaster.error.InvalidJsonException if the value does not fit the type
   */
  public <T> Optional<T> get(Object key, DocumentPath path, TypeReference<T> type) {
    return get(key, path, values.type(type.getType()));
  }

  /**
   * Returns the value at a path as an object of a generic type.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param type such as {@code new TypeReference<List<Person>>() {}}
   * @param <T> its type
   * @return the value; empty if there is nothing at the path, or the JSON null
   * @throws io.pgtoaster.error.InvalidJsonException if the value does not fit the type
   */
  public <T> Optional<T> get(Object key, String path, TypeReference<T> type) {
    return get(key, DocumentPath.parse(path), type);
  }

  /**
   * Returns the value at a path as an object of a type that is known when the program runs.
   *
   * @param key of the row
   * @param path of the value
   * @param type its type, of the {@code TypeFactory} of any mapper
   * @param <T> what the caller knows of it, unchecked
   * @return the value; empty if there is nothing at the path, or the JSON null
   * @throws io.pgtoaster.error.InvalidJsonException if the value does not fit the type
   */
  @SuppressWarnings("unchecked") // as the caller says
  public <T> Optional<T> get(Object key, DocumentPath path, JavaType type) {
    return read(key, path, null, text -> (T) values.bind(text, type));
  }

  /**
   * Returns the value at a path as JSON text.
   *
   * @param key of the row
   * @param path of the value
   * @return the text, with members in no certain order; empty if there is nothing at the path
   */
  public Optional<String> text(Object key, DocumentPath path) {
    return read(key, path, null, DocumentReads::utf8);
  }

  /**
   * Returns the value at a path as JSON text.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return the text, with members in no certain order; empty if there is nothing at the path
   */
  public Optional<String> text(Object key, String path) {
    return text(key, DocumentPath.parse(path));
  }

  /**
   * Returns the values at one path of many documents, read by one statement and so in one snapshot;
   * a toaster that cannot reads them one after the other. All of them are in memory at once, their
   * texts beside their trees: for many large values call this with some of the keys after others.
   *
   * @param keys of rows, each as the other methods take one; more than once counts once
   * @param path of the value in each
   * @param <K> a key
   * @return the values by key, in the order of the keys; without those that no row has, and those
   *     of documents that have nothing at the path
   */
  public <K> Map<K, JsonNode> getAll(Collection<K> keys, DocumentPath path) {
    return many(keys, path, Json::readPrinted);
  }

  /**
   * Returns the values at one path of many documents as JSON text, as {@link #getAll} does.
   *
   * @param keys of rows, each as the other methods take one; more than once counts once
   * @param path of the value in each
   * @param <K> a key
   * @return the texts by key, in the order of the keys; without those that no row has, and those of
   *     documents that have nothing at the path
   */
  public <K> Map<K, String> textAll(Collection<K> keys, DocumentPath path) {
    return many(keys, path, DocumentReads::utf8);
  }

  private <K, R> Map<K, R> many(Collection<K> keys, DocumentPath path, Use<R> use) {
    List<K> given = List.copyOf(new LinkedHashSet<>(keys));
    if (given.isEmpty()) {
      return new LinkedHashMap<>();
    }
    return access.run(
        new GetAllOperation(given, path),
        true,
        column -> {
          List<RowKey> rows = new ArrayList<>(given.size());
          for (K key : given) {
            rows.add(column.key(key));
          }
          Map<Integer, R> found = new HashMap<>();
          access
              .connections()
              .<Boolean>read(
                  c -> {
                    column
                        .vtable()
                        .texts(c, rows, path, (text, i) -> found.put(i, used(use, text)));
                    return true;
                  });
          Map<K, R> values = new LinkedHashMap<>();
          for (int i = 0; i < given.size(); i++) {
            R value = found.get(i);
            if (value != null) {
              values.put(given.get(i), value);
            }
          }
          return values;
        });
  }

  private static <T> @Nullable T used(Use<T> use, InputStream text) {
    try {
      return use.apply(text);
    } catch (IOException e) {
      throw Failures.afterwards(e);
    }
  }

  private static String utf8(InputStream text) throws IOException {
    return new String(text.readAllBytes(), StandardCharsets.UTF_8);
  }

  /**
   * Tells whether there is a value at a path, be it the JSON null.
   *
   * @param key of the row
   * @param path of the value
   * @return true if so
   */
  public boolean exists(Object key, DocumentPath path) {
    return type(key, path).isPresent();
  }

  /**
   * Tells whether there is a value at a path, be it the JSON null.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return true if so
   */
  public boolean exists(Object key, String path) {
    return exists(key, DocumentPath.parse(path));
  }

  /**
   * Returns the type of the value at a path.
   *
   * @param key of the row
   * @param path of the value
   * @return its type; empty if there is nothing at the path
   */
  public Optional<JsonType> type(Object key, DocumentPath path) {
    return info(key, path, false).map(JsonInfo::type);
  }

  /**
   * Returns the type of the value at a path.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return its type; empty if there is nothing at the path
   */
  public Optional<JsonType> type(Object key, String path) {
    return type(key, DocumentPath.parse(path));
  }

  /**
   * Counts the elements of an array or the members of an object.
   *
   * @param key of the row
   * @param path of the array or object
   * @return their number; empty if there is neither at the path
   */
  public OptionalLong size(Object key, DocumentPath path) {
    Optional<JsonInfo> info = info(key, path, true);
    return info.isPresent() && info.get().size() >= 0
        ? OptionalLong.of(info.get().size())
        : OptionalLong.empty();
  }

  /**
   * Counts the elements of an array or the members of an object.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return their number; empty if there is neither at the path
   */
  public OptionalLong size(Object key, String path) {
    return size(key, DocumentPath.parse(path));
  }

  private Optional<JsonInfo> info(Object key, DocumentPath path, boolean size) {
    return access.read(
        new DocumentOperation("describe", key, path),
        (c, column, row) -> column.vtable().describe(c, row, path, size));
  }

  /**
   * Lists the keys of an object, in the order of {@code jsonb}: by length in bytes, then by bytes.
   *
   * @param key of the row
   * @param path of the object
   * @return the keys; empty if there is no object at the path
   */
  public Optional<List<String>> keys(Object key, DocumentPath path) {
    return keys(key, path, null, Integer.MAX_VALUE);
  }

  /**
   * Lists the keys of an object, in the order of {@code jsonb}: by length in bytes, then by bytes.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return the keys; empty if there is no object at the path
   */
  public Optional<List<String>> keys(Object key, String path) {
    return keys(key, DocumentPath.parse(path));
  }

  /**
   * Lists a page of the keys of an object.
   *
   * @param key of the row
   * @param path of the object
   * @param after the last key of the page before, or null for the first page
   * @param limit highest number of keys
   * @return keys, fewer than the limit only at the end; empty if there is no object at the path
   */
  public Optional<List<String>> keys(
      Object key, DocumentPath path, @Nullable String after, int limit) {
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
   * Lists a page of the keys of an object.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param after the last key of the page before, or null for the first page
   * @param limit highest number of keys
   * @return keys, fewer than the limit only at the end; empty if there is no object at the path
   */
  public Optional<List<String>> keys(Object key, String path, @Nullable String after, int limit) {
    return keys(key, DocumentPath.parse(path), after, limit);
  }

  /**
   * Returns some elements of an array.
   *
   * @param key of the row
   * @param path of the array
   * @param from position of the first, from 0
   * @param to position behind the last
   * @return the elements, fewer at the end of the array; empty if there is no array at the path
   */
  public Optional<List<JsonNode>> slice(Object key, DocumentPath path, long from, long to) {
    return read(
        key,
        path,
        part(from, to),
        text -> {
          List<JsonNode> elements = new ArrayList<>();
          Json.readTree(text).forEach(elements::add);
          return elements;
        });
  }

  private static Slice part(long from, long to) {
    if (from < 0 || to < from) {
      throw new InvalidOffsetException(
          "there are no elements from position " + from + " up to " + to);
    }
    return new Slice(from, to);
  }

  /**
   * Returns some elements of an array as objects of a class.
   *
   * @param key of the row
   * @param path of the array
   * @param from position of the first, from 0
   * @param to position behind the last
   * @param type class of an element
   * @param <E> class of an element
   * @return the elements, fewer at the end of the array, null for the JSON null; empty if there is
   *     no array at the path
   * @throws io.pgtoaster.error.InvalidJsonException if an element does not fit the class
   */
  public <E> Optional<List<E>> slice(
      Object key, DocumentPath path, long from, long to, Class<E> type) {
    return slice(key, path, from, to, values.type(type));
  }

  /**
   * Returns some elements of an array as objects of a generic type.
   *
   * @param key of the row
   * @param path of the array
   * @param from position of the first, from 0
   * @param to position behind the last
   * @param type of an element, such as {@code new TypeReference<Map<String, Person>>() {}}
   * @param <E> type of an element
   * @return the elements, fewer at the end of the array, null for the JSON null; empty if there is
   *     no array at the path
   * @throws io.pgtoaster.error.InvalidJsonException if an element does not fit the type
   */
  public <E> Optional<List<E>> slice(
      Object key, DocumentPath path, long from, long to, TypeReference<E> type) {
    return slice(key, path, from, to, values.type(type.getType()));
  }

  /**
   * Returns some elements of an array as objects of a class.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param from position of the first, from 0
   * @param to position behind the last
   * @param type class of an element
   * @param <E> class of an element
   * @return as {@link #slice(Object, DocumentPath, long, long, Class)}
   */
  public <E> Optional<List<E>> slice(Object key, String path, long from, long to, Class<E> type) {
    return slice(key, DocumentPath.parse(path), from, to, type);
  }

  /**
   * Returns some elements of an array as objects of a generic type.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param from position of the first, from 0
   * @param to position behind the last
   * @param type of an element
   * @param <E> type of an element
   * @return as {@link #slice(Object, DocumentPath, long, long, TypeReference)}
   */
  public <E> Optional<List<E>> slice(
      Object key, String path, long from, long to, TypeReference<E> type) {
    return slice(key, DocumentPath.parse(path), from, to, type);
  }

  /**
   * Returns some elements of an array as objects of a generic type that is known at run time.
   *
   * @param key of the row
   * @param path of the array
   * @param from position of the first, from 0
   * @param to position behind the last
   * @param element type of an element
   * @param <E> type of an element
   * @return as {@link #slice(Object, DocumentPath, long, long, TypeReference)}
   */
  @SuppressWarnings("unchecked") // the list is bound to this type
  public <E> Optional<List<E>> slice(
      Object key, DocumentPath path, long from, long to, JavaType element) {
    JavaType list = values.listOf(element);
    return read(key, path, part(from, to), text -> (List<E>) values.bind(text, list));
  }

  /**
   * Returns some elements of an array.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @param from position of the first, from 0
   * @param to position behind the last
   * @return the elements, fewer at the end of the array; empty if there is no array at the path
   */
  public Optional<List<JsonNode>> slice(Object key, String path, long from, long to) {
    return slice(key, DocumentPath.parse(path), from, to);
  }

  /**
   * Opens the value at a path as JSON text in UTF-8, of one committed state. Over a data source it
   * holds a connection with a read-only transaction until it is closed; on a connection it is to be
   * read within the caller's transaction, and in autocommit mode is in memory as a whole.
   *
   * @param key of the row
   * @param path of the value
   * @return a stream for one thread; empty if there is nothing at the path
   */
  public Optional<InputStream> stream(Object key, DocumentPath path) {
    return DocumentStream.open(access.now(), key, path);
  }

  /**
   * Opens the value at a path as {@link #stream(Object, DocumentPath)} does.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return a stream for one thread; empty if there is nothing at the path
   */
  public Optional<InputStream> stream(Object key, String path) {
    return stream(key, DocumentPath.parse(path));
  }

  /**
   * Opens the value at a path as {@link #stream(Object, DocumentPath)} does.
   *
   * @param key of the row
   * @param path of the value
   * @return a reader of JSON text; empty if there is nothing at the path
   */
  public Optional<Reader> reader(Object key, DocumentPath path) {
    return stream(key, path).map(text -> new InputStreamReader(text, StandardCharsets.UTF_8));
  }

  /**
   * Opens the value at a path as {@link #stream(Object, DocumentPath)} does.
   *
   * @param key of the row
   * @param path of the value
   * @return a parser before its first token, whose closing closes the stream; empty if there is
   *     nothing at the path
   */
  public Optional<JsonParser> parser(Object key, DocumentPath path) {
    return stream(key, path).map(Json::parser);
  }

  /**
   * Opens the value at a path as {@link #stream(Object, DocumentPath)} does.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return a reader of JSON text; empty if there is nothing at the path
   */
  public Optional<Reader> reader(Object key, String path) {
    return reader(key, DocumentPath.parse(path));
  }

  /**
   * Opens the value at a path as {@link #stream(Object, DocumentPath)} does.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return a parser before its first token, whose closing closes the stream; empty if there is
   *     nothing at the path
   */
  public Optional<JsonParser> parser(Object key, String path) {
    return parser(key, DocumentPath.parse(path));
  }

  /**
   * Returns a whole document.
   *
   * @param key of the row
   * @return the document; empty if the column is NULL
   */
  public Optional<JsonNode> load(Object key) {
    return get(key, DocumentPath.root());
  }

  /**
   * Returns a whole document as an object of a class.
   *
   * @param key of the row
   * @param type its class
   * @param <T> its class
   * @return the document; empty if the column is NULL, or holds the JSON null
   * @throws io.pgtoaster.error.InvalidJsonException if the document does not fit the class
   */
  public <T> Optional<T> load(Object key, Class<T> type) {
    return get(key, DocumentPath.root(), type);
  }

  /**
   * Returns a whole document as JSON text.
   *
   * @param key of the row
   * @return the text, with members in no certain order; empty if the column is NULL
   */
  public Optional<String> text(Object key) {
    return text(key, DocumentPath.root());
  }

  /**
   * Writes a whole document as JSON text in UTF-8. Nothing is closed.
   *
   * @param key of the row
   * @param out takes the text
   * @return false if the column is NULL
   * @throws java.io.UncheckedIOException if {@code out} fails
   */
  public boolean load(Object key, OutputStream out) {
    return WholeDocuments.load(stream(key), in -> in.transferTo(out));
  }

  /**
   * Writes a whole document as JSON text. Nothing is closed.
   *
   * @param key of the row
   * @param out takes the text
   * @return false if the column is NULL
   * @throws java.io.UncheckedIOException if {@code out} fails
   */
  public boolean load(Object key, Writer out) {
    return WholeDocuments.load(reader(key, DocumentPath.root()), in -> in.transferTo(out));
  }

  /**
   * Opens a whole document as {@link #stream(Object, DocumentPath)} does.
   *
   * @param key of the row
   * @return a stream for one thread; empty if the column is NULL
   */
  public Optional<InputStream> stream(Object key) {
    return stream(key, DocumentPath.root());
  }

  /**
   * Measures what is stored of a document.
   *
   * @param key of the row
   * @return its figures; empty if the column is NULL
   */
  public Optional<DocumentStat> stat(Object key) {
    return access.read(
        DocumentOperation.row("stat", key), (c, column, row) -> column.vtable().stat(c, row));
  }

  /**
   * Looks for damage in what is stored of a document.
   *
   * @param key of the row
   * @return what is wrong, one sentence each; empty if all is well
   */
  public List<String> verify(Object key) {
    access.forget();
    return access.read(
        DocumentOperation.row("verify", key), (c, column, row) -> column.vtable().verify(c, row));
  }
}
