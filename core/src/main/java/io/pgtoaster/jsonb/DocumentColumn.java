package io.pgtoaster.jsonb;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.ColumnAccess;
import io.pgtoaster.internal.CallersConnection;
import io.pgtoaster.spi.json.Json;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON documents of one column. A key addresses a row: the value of its key column, or a {@link
 * List} of them for a composite key, or a {@link io.pgtoaster.column.RowKey}. Whole documents are
 * read and written here, and many at one path; {@link #at(Object, String)} leads to the value at a
 * path of one.
 *
 * <p>As thread-safe as what it was made from: for any threads over a data source, for one at a time
 * over a connection. All calls on a row, here and of {@link DocumentValue}, throw {@link
 * io.pgtoaster.error.RowNotFoundException} where there is no row with the key; a change does so,
 * too, if it has waited for a transaction that gave the row another key, as an UPDATE finds no row
 * then. Where the column is NULL there is no document, and {@link #put}, {@link #merge}, and {@link
 * #patch} of a path without steps make one.
 *
 * <p>Where a whole document or patch is given, a string is JSON text. Numbers keep their digits.
 * What {@code jsonb} cannot hold is refused by an {@link io.pgtoaster.error.InvalidJsonException},
 * and the document stays as it was.
 *
 * <pre>{@code
 * DocumentColumn people = toaster.documents("person", "doc");
 * people.put(7, Map.of("name", "Ann", "roles", List.of()));
 * people.at(7, "roles").append(Map.of("title", "Hamlet", "year", 1996));
 * people.at(7, "roles[0].year").set(1997);
 * String title = people.at(7, "roles[-1].title").get(String.class).orElseThrow();
 * }</pre>
 */
public final class DocumentColumn {
  private final ColumnAccess<JsonToaster, JsonVtable> access;
  private final Values values;
  private final Edits edits;
  private final WholeDocuments whole;

  private DocumentColumn(ColumnAccess<JsonToaster, JsonVtable> access, Values values) {
    this.access = access;
    this.values = values;
    this.edits = new Edits(access);
    this.whole = new WholeDocuments(access, values);
  }

  /**
   * Makes a handle; the entry point is {@code PgToaster}.
   *
   * @param access to the column, which is looked up at first use
   * @return the handle
   */
  public static DocumentColumn of(ColumnAccess<JsonToaster, JsonVtable> access) {
    return new DocumentColumn(access, new Values(null));
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

  /**
   * Addresses the value at a path of a document. Nothing is read or looked up before it is used.
   *
   * @param key of the row
   * @param path as {@link DocumentPath#parse} reads it
   * @return what reads and changes the value
   * @throws io.pgtoaster.error.InvalidPathException if the text is no path; steps that no key of
   *     {@code jsonb} can be are refused when the value is used
   */
  public DocumentValue at(Object key, String path) {
    return at(key, DocumentPath.parse(path));
  }

  /**
   * Addresses the value at a path of a document. Nothing is read or looked up before it is used.
   *
   * @param key of the row
   * @param path of the value; without steps it is the whole document
   * @return what reads and changes the value
   */
  public DocumentValue at(Object key, DocumentPath path) {
    return new DocumentValue(access, values, edits, key, path);
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
    return GetAllOperation.of(keys, path).run(access, Json::readPrinted);
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
    return GetAllOperation.of(keys, path).run(access, FromText::utf8);
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
   *     mapper; a {@link JsonPatch} with a limit of its own for what copies add
   * @throws io.pgtoaster.error.PatchFailedException if an operation cannot be carried out, a test
   *     fails, or copies add more than the limit; nothing is changed then
   */
  public void patch(Object key, Object operations) {
    whole.patch(key, operations);
  }

  /**
   * Returns a whole document.
   *
   * @param key of the row
   * @return the document; empty if the column is NULL
   */
  public Optional<JsonNode> load(Object key) {
    return root(key).get();
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
    return root(key).get(type);
  }

  /**
   * Returns a whole document as JSON text.
   *
   * @param key of the row
   * @return the text, with members in no certain order; empty if the column is NULL
   */
  public Optional<String> text(Object key) {
    return root(key).text();
  }

  /**
   * Writes a whole document as JSON text in UTF-8. Nothing is closed.
   *
   * @param key of the row
   * @param out takes the text
   * @return false if the column is NULL
   * @throws UncheckedIOException if {@code out} fails
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
   * @throws UncheckedIOException if {@code out} fails
   */
  public boolean load(Object key, Writer out) {
    return WholeDocuments.load(root(key).reader(), in -> in.transferTo(out));
  }

  /**
   * Opens a whole document as {@link DocumentValue#stream()} does.
   *
   * @param key of the row
   * @return a stream for one thread; empty if the column is NULL
   */
  public Optional<InputStream> stream(Object key) {
    return root(key).stream();
  }

  private DocumentValue root(Object key) {
    return at(key, DocumentPath.root());
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
    return access
        .again()
        .read(
            DocumentOperation.row("verify", key),
            (c, column, row) -> column.findings(c, column.vtable().verify(c, row)));
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
    return new WholeDocuments(access.again(), values).compact(key);
  }

  @Override
  public String toString() {
    return "DocumentColumn[" + access + "]";
  }
}
