package io.pgtoaster.jsonb;

import io.pgtoaster.column.ColumnInfo;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.column.JsonCapability;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonOrder;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.PutResult;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.column.SearchMatches;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.CallersConnection;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.internal.hook.Hidden;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.JsonVtable;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.sql.Connection;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes the JSON documents of one column. A key identifies a row: it is the value of the
 * key column, a {@link List} of values for a composite key, or a {@link
 * io.pgtoaster.column.RowKey}. This class works on whole documents, and on one path of many
 * documents. {@link #at(Object, String)} returns the value at a path of one document.
 *
 * <p>Thread safety depends on the source: any number of threads may use a column of a data source,
 * but only one thread at a time may use a column of a connection. All calls on a row, here and in
 * {@link DocumentValue}, throw {@link io.pgtoaster.error.RowNotFoundException} if no row has the
 * key. A change also throws it if another transaction gave the row a new key while the change was
 * waiting. An UPDATE would not find the row in that case either. A NULL column has no document;
 * {@link #put}, {@link #merge}, and {@link #patch} of a path without steps create one.
 *
 * <p>Methods whose names end with {@code Json} take JSON text; the others take values. Numbers keep
 * their digits. A value that {@code jsonb} cannot store causes an {@link InvalidJsonException}, and
 * the document does not change.
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
  static {
    Hidden.<DocumentColumn, ColumnAccess<JsonToaster, JsonVtable>>share(
        DocumentColumn.class,
        access -> new DocumentColumn(access, new Values(null)),
        documents -> documents.access);
  }

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
   * Returns this column with a different mapper for objects of the caller's classes. To keep
   * numbers exact in untyped values, enable {@code USE_BIG_DECIMAL_FOR_FLOATS} on the mapper.
   *
   * @param mapper converts the objects that are passed in and returned
   */
  public DocumentColumn withMapper(JsonMapper mapper) {
    return new DocumentColumn(access, new Values(mapper));
  }

  /**
   * Returns this column on a connection to the same database, inside the connection's transaction,
   * like a handle from {@code PgToaster.on}. One thread at a time may use it. Both handles share
   * the cached description of the column.
   *
   * @param connection remains the caller's: it is never closed, and the caller's transactions are
   *     never committed or rolled back
   */
  public DocumentColumn on(Connection connection) {
    Objects.requireNonNull(connection, "connection");
    return new DocumentColumn(access.on(new CallersConnection(connection)), values);
  }

  /** Returns the optional features that the toaster supports, as an immutable set. */
  public Set<JsonCapability> capabilities() {
    return access.resolved().toaster().capabilities();
  }

  /** Returns the column's name, row key and options, as they were last looked up. */
  public ColumnInfo describe() {
    return access.resolved().column().info();
  }

  /**
   * Returns the value at a path of a document. Nothing is read or looked up until the value is
   * used.
   *
   * @param path in the syntax of {@link DocumentPath#parse}
   * @return the value, for reading and changing
   * @throws io.pgtoaster.error.InvalidPathException if the text is not a path; steps that cannot be
   *     keys of {@code jsonb} are rejected when the value is used
   */
  public DocumentValue at(Object key, String path) {
    return at(key, DocumentPath.parse(path));
  }

  /**
   * Returns the value at a path of a document. Nothing is read or looked up until the value is
   * used.
   *
   * @param path of the value; without steps it is the whole document
   * @return the value, for reading and changing
   */
  public DocumentValue at(Object key, DocumentPath path) {
    return new DocumentValue(access, values, edits, key, path);
  }

  /** Returns the values at one path. See {@link #getAll(Collection, DocumentPath)}. */
  public <K> Map<K, JsonNode> getAll(Collection<K> keys, String path) {
    return getAll(keys, DocumentPath.parse(path));
  }

  /**
   * Returns the values at one path of many documents. One statement reads all of them in one
   * snapshot; a toaster that does not support this reads them one after the other. All values are
   * in memory at once, both as text and as trees. For many large values, pass the keys in batches.
   *
   * @param keys of rows, each as in the other methods; duplicates are read once
   * @param path of the value in each document
   * @return the values by key, in the order of the keys; keys without a row, and documents without
   *     a value at the path, are left out
   */
  public <K> Map<K, JsonNode> getAll(Collection<K> keys, DocumentPath path) {
    return GetAllOperation.of(keys, path).run(access, Json::readPrinted);
  }

  /** Returns the values at one path as text. See {@link #textAll(Collection, DocumentPath)}. */
  public <K> Map<K, String> textAll(Collection<K> keys, String path) {
    return textAll(keys, DocumentPath.parse(path));
  }

  /**
   * Returns the values at one path of many documents as JSON text. See {@link #getAll(Collection,
   * DocumentPath)}.
   *
   * @param keys of rows, each as in the other methods; duplicates are read once
   * @param path of the value in each document
   * @return JSON text by key, in the order of the keys; keys without a row, and documents without a
   *     value at the path, are left out
   */
  public <K> Map<K, String> textAll(Collection<K> keys, DocumentPath path) {
    return GetAllOperation.of(keys, path).run(access, FromText::utf8);
  }

  /**
   * Finds rows by the contents of their documents, including parts that are stored out of line. A
   * column attached to the toaster {@code keyed} uses its search indexes. Without an index for
   * containment, it reads all documents; without one for text, it throws an exception. Rows that
   * the caller may not see are left out; under row security the server does not use the indexes.
   *
   * @param search what to look for, how many rows to return, and where to continue
   * @return the keys in the order of the row key: each the value of the key column, or a list of
   *     values for a composite key
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if the column has no text index and
   *     the search has words, or it has no path index with the path of a range, or the toaster does
   *     not support searches
   * @throws io.pgtoaster.error.InvalidSearchException if the index can find none of the words, or a
   *     range is not valid
   */
  public List<Object> search(JsonSearch search) {
    return new SearchOperation(values.search(search)).run(access);
  }

  /**
   * Finds rows by words, best first, each with a snippet. Reads only the leaves that contain a
   * word. The rank adds up PostgreSQL's {@code ts_rank} of each word or phrase, each in the leaf
   * where it is highest. If more than 10,000 rows match, only those with the lowest keys are
   * ranked. At most 100 leaves of a document are ranked.
   *
   * @param search words, optionally a value, and how many rows to return
   * @return the rows; those with the same rank are in the order of the row key
   * @throws IllegalArgumentException if the search has no words, or has a key to continue after
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if the column has no text index, or
   *     the toaster does not search for words
   * @throws io.pgtoaster.error.InvalidSearchException if the index can find none of the words
   */
  public List<SearchHit> searchRanked(JsonSearch search) {
    if (search.text() == null || search.after() != null) {
      throw new IllegalArgumentException(
          "a ranked search needs words, and cannot continue after a key");
    }
    return new SearchOperation(values.search(search)).runRanked(access);
  }

  /**
   * Finds rows in the order of the values at a path. If the search has only a range at this path,
   * it usually reads few more documents than it returns, after it has counted entries of the index;
   * it also reads all documents that share the last value. With other conditions, or under row
   * security, it reads all documents that meet them, and sorts them. If the search has a range at
   * the path, only values in this range count.
   *
   * <pre>{@code
   * List<JsonOrder.Hit> cheapest =
   *     products.searchOrdered(
   *         JsonSearch.range(JsonRange.of("variants[*].price").above(0)).withLimit(20),
   *         JsonOrder.ascending("variants[*].price"));
   * }</pre>
   *
   * @param search conditions, and how many rows to return
   * @param order the path, which must be in the path index of the column
   * @return the rows, without those that have no number or string at the path
   * @throws IllegalArgumentException if the search has a key to continue after: use {@link
   *     JsonOrder#withAfter}
   * @throws io.pgtoaster.error.UnsupportedCapabilityException if the column has no text index and
   *     the search has words, or it has no path index with the path, or the toaster does not
   *     support ordered searches
   * @throws io.pgtoaster.error.InvalidSearchException if the index can find none of the words, or a
   *     range is not valid
   */
  public List<JsonOrder.Hit> searchOrdered(JsonSearch search, JsonOrder order) {
    if (search.after() != null) {
      throw new IllegalArgumentException(
          "an ordered search cannot continue after a key; call JsonOrder.withAfter");
    }
    return new SearchOperation(values.search(search)).runOrdered(access, order);
  }

  /**
   * Finds the same rows as {@link #search}, and returns where their documents match, for example
   * {@code variants[7]}. For {@code contains}, these are the elements of arrays that contain an
   * element of the probe (of nested arrays, the outermost), and the values of the probe that are
   * not in an array. For words, they are the strings with at least one of the words or phrases; for
   * a range, the values in it. Reads the leaves of arrays that may contain matches, and other
   * members as a whole.
   *
   * @param search what to look for, how many rows to return, and where to continue
   * @return the rows, in the order of the row key
   * @throws io.pgtoaster.error.UnsupportedCapabilityException as {@link #search} does
   * @throws io.pgtoaster.error.InvalidSearchException as {@link #search} does
   */
  public List<SearchMatches> searchMatches(JsonSearch search) {
    return new SearchOperation(values.search(search)).runMatches(access);
  }

  /**
   * Stores a whole document. It replaces the old document, including concurrent changes by others.
   *
   * @param document a {@link JsonNode}, or any object for the mapper
   * @return what was written
   * @throws InvalidJsonException if it is a string, stream or reader: call {@link #putJson(Object,
   *     String) putJson} for JSON text
   */
  public PutResult put(Object key, Object document) {
    return whole.put(key, Json.notText(document, "putJson"));
  }

  /**
   * Stores an object as a whole document, serialized with a generic type. Its elements are written
   * according to the declared type, including type ids if the mapper asks for them.
   *
   * @param document an object for the mapper
   * @param type such as {@code new TypeReference<List<Shape>>() {}}
   * @return what was written
   */
  public <T> PutResult put(Object key, T document, TypeReference<T> type) {
    Objects.requireNonNull(document, "document");
    return whole.put(key, values.text(document, values.type(type.getType())));
  }

  /**
   * Stores a whole document from JSON text. It replaces the old document, including concurrent
   * changes by others.
   *
   * @param json the document's text
   * @return what was written
   * @throws InvalidJsonException if the text is not JSON
   */
  public PutResult putJson(Object key, String json) {
    return whole.put(key, json);
  }

  /**
   * Stores a whole document while reading its JSON text from a stream. The stream is not closed.
   *
   * @param json the document's text in UTF-8, read to its end
   * @return what was written
   * @throws InvalidJsonException if the text is not JSON
   * @throws UncheckedIOException if the stream fails; the document does not change
   */
  public PutResult putJson(Object key, InputStream json) {
    return whole.put(key, json);
  }

  /**
   * Stores a whole document while reading its JSON text from a reader. The reader is not closed.
   *
   * @param json the document's text, read to its end
   * @return what was written
   * @throws InvalidJsonException if the text is not JSON
   * @throws UncheckedIOException if the reader fails; the document does not change
   */
  public PutResult putJson(Object key, Reader json) {
    return whole.put(key, json);
  }

  /**
   * Inserts a row together with its document, in one statement if the document has at most half a
   * megabyte. Only the key and the document are set; all other columns take their defaults. If a
   * row needs more, insert it with your own SQL and then call {@link #put}.
   *
   * @param key of the new row
   * @param document a {@link JsonNode}, or any object for the mapper
   * @return what was written
   * @throws io.pgtoaster.error.RowExistsException if a row with this key exists, or the row
   *     violates another unique index
   * @throws InvalidJsonException if it is a string, stream or reader: call {@link
   *     #insertJson(Object, String) insertJson} for JSON text
   */
  public PutResult insert(Object key, Object document) {
    return whole.insert(key, Json.notText(document, "insertJson"));
  }

  /**
   * Inserts a row together with its document. See {@link #insert}.
   *
   * @param key of the new row
   * @param json the document's text
   * @return what was written
   * @throws InvalidJsonException if the text is not JSON; nothing is inserted
   */
  public PutResult insertJson(Object key, String json) {
    return whole.insert(key, json);
  }

  /**
   * Inserts a row together with its document. See {@link #insert}. The stream is not closed.
   *
   * @param key of the new row
   * @param json the document's text in UTF-8, read to its end
   * @return what was written
   * @throws InvalidJsonException if the text is not JSON; nothing is inserted
   * @throws UncheckedIOException if the stream fails; nothing is inserted
   */
  public PutResult insertJson(Object key, InputStream json) {
    return whole.insert(key, json);
  }

  /**
   * Inserts a row together with its document. See {@link #insert}. The reader is not closed.
   *
   * @param key of the new row
   * @param json the document's text, read to its end
   * @return what was written
   * @throws InvalidJsonException if the text is not JSON; nothing is inserted
   * @throws UncheckedIOException if the reader fails; nothing is inserted
   */
  public PutResult insertJson(Object key, Reader json) {
    return whole.insert(key, json);
  }

  /**
   * Inserts rows together with their documents, in one transaction and few round trips: all of
   * them, or none. See {@link #insert}.
   *
   * @param documents by key of the new row: a {@link JsonNode}, or any object for the mapper
   * @throws io.pgtoaster.error.RowExistsException if a row exists, or violates another unique
   *     index; the message names it
   * @throws InvalidJsonException if a document is a string, stream or reader
   * @throws IllegalArgumentException if two keys name the same row
   */
  public void insertAll(Map<?, ?> documents) {
    Map<?, PgToasterException> unused =
        InsertBatch.of(documents, values, access).apply(access, true);
  }

  /**
   * Inserts rows together with their documents in one transaction, even if some rows are rejected.
   * See {@link #insertAll}.
   *
   * @param documents by key of the new row: a {@link JsonNode}, or any object for the mapper
   * @param <K> a key
   * @return the failures of the rows that were not inserted, by key; empty if all were
   * @throws InvalidJsonException if a document is a string, stream or reader; nothing is inserted
   * @throws IllegalArgumentException if two keys name the same row
   */
  public <K> Map<K, PgToasterException> insertEach(Map<K, ?> documents) {
    return InsertBatch.of(documents, values, access).apply(access, false);
  }

  /**
   * Merges a patch into a document as defined by RFC 7396. Members of the patch are set, members
   * that are null in the patch are removed, and all others remain unchanged. If the patch is not an
   * object, it replaces the document. If the patch is an object but the document is not, or the
   * column is NULL, the patch without its nulls becomes the document.
   *
   * @param patch a {@link JsonNode}, or any object for the mapper
   * @throws InvalidJsonException if it is a string, stream or reader: call {@link #mergeJson} for
   *     JSON text
   */
  public void merge(Object key, Object patch) {
    whole.merge(key, Json.notText(patch, "mergeJson"));
  }

  /**
   * Merges a patch into a document. See {@link #merge}.
   *
   * @param patch its JSON text
   * @throws InvalidJsonException if the text is not JSON
   */
  public void mergeJson(Object key, String patch) {
    whole.merge(key, patch);
  }

  /**
   * Applies a JSON Patch (RFC 6902): all of its operations, or none. Removing the whole document
   * sets the column to NULL.
   *
   * @param operations the array of operations: a {@link JsonNode}, or any object for the mapper; or
   *     a {@link JsonPatch}, to set another limit for what copies add
   * @throws io.pgtoaster.error.PatchFailedException if an operation cannot be applied, a test
   *     fails, or copies add more than the limit; nothing is changed
   * @throws InvalidJsonException if it is a string, stream or reader: call {@link #patchJson} for
   *     JSON text
   */
  public void patch(Object key, Object operations) {
    whole.patch(key, Json.notText(operations, "patchJson"));
  }

  /**
   * Applies a JSON Patch. See {@link #patch}.
   *
   * @param operations the JSON text of the array of operations
   * @throws InvalidJsonException if the text is not JSON
   */
  public void patchJson(Object key, String operations) {
    whole.patch(key, operations);
  }

  /**
   * Makes several edits of a document in order: all of them, or none. The toaster {@code keyed}
   * makes them in one statement. It locks the row first and updates it at most once. In a
   * transaction of the caller, roll back after an exception: earlier edits may have been made.
   *
   * @param edits the edits; a {@link JsonEdit.Remove} of a missing value does nothing
   * @throws io.pgtoaster.error.PathNotFoundException if an edit cannot place its value
   * @throws io.pgtoaster.error.InvalidPathException if an edit does not fit the value at its path,
   *     or replaces the whole document without a condition, or removes it
   * @throws io.pgtoaster.error.ConditionFailedException if the value of a {@link
   *     JsonEdit.Conditional} is not the expected one
   */
  public void edit(Object key, List<JsonEdit> edits) {
    editAll(Collections.singletonMap(key, edits));
  }

  /**
   * Makes several edits of each of many documents, in one transaction: all of them, or none. The
   * toaster {@code keyed} locks up to 10,000 rows in the order of their keys and makes their edits
   * in one statement, so that two batches do not deadlock. In a transaction of the caller, roll
   * back after an exception.
   *
   * @param edits by key; those of one document are made in order
   * @throws io.pgtoaster.error.RowNotFoundException if a row does not exist; also throws the
   *     exceptions of {@link #edit(Object, List)}, which name the row
   * @throws IllegalArgumentException if two keys name the same row
   */
  public void editAll(Map<?, List<JsonEdit>> edits) {
    Map<?, PgToasterException> unused = EditBatch.of(edits, values).apply(access, true);
  }

  /**
   * Makes several edits of each of many documents in one transaction, even if some rows reject
   * theirs. A row that rejects an edit remains unchanged. See {@link #editAll}.
   *
   * @param edits by key; those of one document are made in order
   * @param <K> a key
   * @return the failures of the rows that were not changed, by key; empty if all were
   * @throws IllegalArgumentException if two keys name the same row
   */
  public <K> Map<K, PgToasterException> editEach(Map<K, List<JsonEdit>> edits) {
    return EditBatch.of(edits, values).apply(access, false);
  }

  /** Appends an element to each of many arrays. See {@link #appendAll(DocumentPath, Map)}. */
  public void appendAll(String path, Map<?, ?> elements) {
    appendAll(DocumentPath.parse(path), elements);
  }

  /**
   * Appends an element to an array in each of many documents. See {@link #editAll}.
   *
   * @param path of the array in each document
   * @param elements the new element by key: a {@link JsonNode}, or any object for the mapper
   * @throws io.pgtoaster.error.PathNotFoundException if there is nothing at the path
   * @throws io.pgtoaster.error.InvalidPathException if the value is not an array
   */
  public void appendAll(DocumentPath path, Map<?, ?> elements) {
    editAll(appends(path, elements));
  }

  /** Appends an element to each of many arrays. See {@link #appendEach(DocumentPath, Map)}. */
  public <K> Map<K, PgToasterException> appendEach(String path, Map<K, ?> elements) {
    return appendEach(DocumentPath.parse(path), elements);
  }

  /**
   * Appends an element to an array in each of many documents, even if some rows reject theirs. See
   * {@link #editEach}.
   *
   * @param path of the array in each document
   * @param elements the new element by key: a {@link JsonNode}, or any object for the mapper
   * @param <K> a key
   * @return the failures of the rows that were not changed, by key; empty if all were
   */
  public <K> Map<K, PgToasterException> appendEach(DocumentPath path, Map<K, ?> elements) {
    return editEach(appends(path, elements));
  }

  private <K> Map<K, List<JsonEdit>> appends(DocumentPath path, Map<K, ?> elements) {
    Map<K, List<JsonEdit>> edits = new LinkedHashMap<>();
    elements.forEach(
        (key, element) ->
            edits.put(key, List.of(new JsonEdit.Append(path, values.array(element)))));
    return edits;
  }

  /** Returns a whole document; empty if the column is NULL. */
  public Optional<JsonNode> load(Object key) {
    return root(key).get();
  }

  /**
   * Returns a whole document as an object of a class; empty if the column is NULL, or the document
   * is the JSON null.
   *
   * @throws InvalidJsonException if the document does not fit the class
   */
  public <T> Optional<T> load(Object key, Class<T> type) {
    return root(key).get(type);
  }

  /**
   * Returns a whole document as JSON text, with members in any order; empty if the column is NULL.
   */
  public Optional<String> text(Object key) {
    return root(key).text();
  }

  /**
   * Writes a whole document as JSON text in UTF-8. Does not close the stream.
   *
   * @return false if the column is NULL
   */
  public boolean load(Object key, OutputStream out) {
    return WholeDocuments.load(stream(key), in -> in.transferTo(out));
  }

  /**
   * Writes a whole document as JSON text. Does not close the writer.
   *
   * @return false if the column is NULL
   */
  public boolean load(Object key, Writer out) {
    return WholeDocuments.load(root(key).reader(), in -> in.transferTo(out));
  }

  /**
   * Opens a whole document as a stream of JSON text. See {@link DocumentValue#stream()}.
   *
   * @return a stream for one thread; empty if the column is NULL
   */
  public Optional<InputStream> stream(Object key) {
    return root(key).stream();
  }

  private DocumentValue root(Object key) {
    return at(key, DocumentPath.root());
  }

  /** Returns the size and structure of a stored document; empty if the column is NULL. */
  public Optional<DocumentStat> stat(Object key) {
    return access.read(
        DocumentOperation.row("stat", key), (c, column, row) -> column.vtable().stat(c, row));
  }

  /**
   * Checks a stored document for damage.
   *
   * @return the findings, one sentence each; empty if the document is intact
   */
  public List<String> verify(Object key) {
    return access
        .again()
        .read(
            DocumentOperation.row("verify", key),
            (c, column, row) -> column.findings(c, column.vtable().verify(c, row)));
  }

  /** Sets the column to NULL. */
  public void clear(Object key) {
    whole.clear(key);
  }

  /**
   * Locks a document for several edits in one transaction. Until the transaction ends, edits by
   * other transactions wait, even if they change other members. Readers never wait. Transactions
   * that lock the document first cannot deadlock over it. Without this lock, transactions lock each
   * member that they change; if two transactions change members in opposite order, one fails with
   * SQLState 40P01. To lock several documents, lock them in the order of their keys.
   *
   * <p>Requires {@code PgToaster.on} a connection with autocommit off, or calls that join a
   * transaction. Locking a document again in the same transaction has no effect.
   *
   * @param key of the row, whose column may be NULL
   * @throws io.pgtoaster.error.TransactionRequiredException if each call runs in its own
   *     transaction
   * @throws io.pgtoaster.error.AccessDeniedException if the role may not change the document
   */
  public void lock(Object key) {
    edits.lock(key);
  }

  /**
   * Rewrites a stored document compactly, with the column's current options.
   *
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
