package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.hibernate.internal.Slot;
import io.pgtoaster.hibernate.jsonb.KnownDocument.Found;
import io.pgtoaster.internal.column.MissingPath;
import io.pgtoaster.internal.hook.Hidden;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.DocumentValue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import org.hibernate.HibernateException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The state of a {@link KeyedJson}: its known values, its place, and its unwritten changes. Not
 * thread-safe.
 */
final class DocumentState {
  /** Placeholder in the second-level cache if nothing may be cached. */
  private static final String NOT_CACHED = "";

  private final @Nullable Type type;

  /** The session that read it; not used after the place is known. */
  private @Nullable WeakReference<SharedSessionContractImplementor> reader;

  private @Nullable DocumentRow place;

  /** The row's text as it was read; null once it is out of date. */
  private @Nullable String row;

  /** The same text, as long as the place is not known. */
  private @Nullable String stub;

  /** The whole document as the caller passed it, until it is inspected. */
  private @Nullable Object given;

  private @Nullable KnownDocument known;
  private final Changes changes = new Changes();
  private final PendingWrites pendingWrites = new PendingWrites(this);

  /** Whether to write the whole document instead of the changes. */
  private boolean replaced;

  /** Whether the row is being inserted. */
  private boolean inserting;

  /** Whether the next flush must treat the document as changed, although everything is written. */
  private boolean writtenBefore;

  private @Nullable String insertion;

  private DocumentState(@Nullable Type type) {
    this.type = type;
  }

  static DocumentState of(Object given) {
    return of(given, null);
  }

  /** Creates the state of a new document. The type matters if a tree is given for an object. */
  static DocumentState of(Object given, @Nullable Type type) {
    DocumentState state = new DocumentState(type);
    state.given = given;
    state.replaced = true;
    return state;
  }

  static DocumentState stored(
      String row, @Nullable Type type, @Nullable SharedSessionContractImplementor session) {
    DocumentState state = new DocumentState(type);
    if (row.isEmpty()) {
      state.known = KnownDocument.unknown();
    } else {
      state.row = row;
      state.stub = row;
    }
    state.reader = session == null ? null : new WeakReference<>(session);
    return state;
  }

  private @Nullable SharedSessionContractImplementor session() {
    return reader == null ? null : reader.get();
  }

  /** Returns the state as it was read, without an entity. */
  DocumentState again(SharedSessionContractImplementor session) {
    return stored(stub == null ? NOT_CACHED : stub, type, session);
  }

  /** Returns the serialized form: the whole document, or the row; null if changes would be lost. */
  KeyedJson.@Nullable Serialized serialized() {
    boolean changed = isChanged();
    JsonNode whole = given == null ? known().whole() : written(given);
    if (whole != null) {
      return new KeyedJson.Serialized(JsonbText.text(whole), true, changed);
    }
    return changed || row == null ? null : new KeyedJson.Serialized(row, false, false);
  }

  /** Returns the state of a deserialized whole document, to be written if it was changed. */
  static DocumentState whole(JsonNode document, boolean changed) {
    DocumentState state = new DocumentState(null);
    state.known = KnownDocument.whole(document);
    state.replaced = changed;
    return state;
  }

  ObjectMapping mapping() {
    if (place != null) {
      return place.mapping();
    }
    SharedSessionContractImplementor session = session();
    return session == null ? Mappers.SHARED : Mappers.of(session.getFactory());
  }

  JsonNode tree(@Nullable Object value) {
    return mapping().tree(value);
  }

  /** Converts the whole document that the caller passed to a tree. */
  private JsonNode written(Object document) {
    Type declared = type();
    return mapping().tree(document, declared == null ? Object.class : declared);
  }

  String describe() {
    return place == null ? "of no entity" : place.describe();
  }

  private KnownDocument known() {
    KnownDocument document = known;
    if (document == null && given != null) {
      // The caller may change the object until the flush, so the tree is not kept.
      return KnownDocument.whole(written(given));
    }
    if (document == null) {
      document = row == null ? KnownDocument.unknown() : KnownDocument.stub(row);
      if (row != null && document.isStub() && place != null && !place.holdsStubs()) {
        document = KnownDocument.whole(Json.readStored(row));
      }
      known = document;
    }
    return document;
  }

  /** Returns the known document, to be changed. */
  private KnownDocument own() {
    KnownDocument document = known();
    known = document;
    given = null;
    return document;
  }

  private Found look(DocumentPath path) {
    KnownDocument document = known();
    Found found = document.find(path.steps());
    if (found.known()) {
      return found;
    }
    String unplaced = unplaced(found);
    SharedSessionContractImplementor session = session();
    if (unplaced != null && session != null) {
      // Do not keep the value: the query cache may share this document between sessions.
      return Found.of(StubReader.read(session, unplaced, path).orElse(null));
    }
    DocumentReader.read(this, rowToRead(path, found), path);
    return document.find(path.steps());
  }

  private @Nullable SharedSessionContractImplementor findPlace() {
    SharedSessionContractImplementor session = session();
    if (place == null && session != null) {
      place = DocumentReader.row(session, this);
    }
    return session;
  }

  /** Returns the stub for reading a document whose entity is not known. */
  private @Nullable String unplaced(Found found) {
    SharedSessionContractImplementor session = findPlace();
    boolean changed = !changes.isEmpty() && found.needsWriting();
    return place != null || session == null || session.isClosed() || changed ? null : stub;
  }

  /**
   * Returns the row for reading an unknown path; first writes the changes that the read would miss.
   */
  private DocumentRow rowToRead(DocumentPath path, Found found) {
    DocumentRow row = requirePlace(path);
    if (!changes.isEmpty() && found.needsWriting()) {
      row.requireFlushable(path);
      if (row.session().isEventSource()) {
        row.session().flush();
      } else {
        write(row, false);
        writtenBefore = true;
      }
    }
    return requirePlace(path);
  }

  private DocumentRow requirePlace(DocumentPath path) {
    SharedSessionContractImplementor unused = findPlace();
    if (place == null) {
      throw new HibernateException(
          "\""
              + path
              + "\" was not loaded with the row, and the entity of this document is not known,"
              + " because its session is closed, or it was changed in a stateless session; read it"
              + " earlier");
    }
    place.requireAttached(path);
    return place;
  }

  Optional<JsonNode> find(DocumentPath path) {
    return Optional.ofNullable(look(path).value());
  }

  boolean isLoaded(DocumentPath path) {
    return known().find(path.steps()).known();
  }

  /**
   * Returns whether a path must be read from the database, and can be read without writing
   * anything.
   */
  boolean lacks(DocumentPath path) {
    Found found = known().find(path.steps());
    return !found.known() && (changes.isEmpty() || !found.needsWriting());
  }

  void learn(DocumentPath path, Optional<JsonNode> value) {
    KnownDocument document = known();
    document.learn(path.steps(), document.find(path.steps()), value);
  }

  JsonNode whole() {
    JsonNode whole = look(DocumentPath.root()).value();
    if (whole == null) {
      throw new HibernateException(
          describe()
              + ": the column has become NULL, or the row was deleted; read the entity again");
    }
    return whole;
  }

  private @Nullable Type type() {
    return place == null ? type : place.kind().type();
  }

  @Nullable Object load() {
    Type wanted = type();
    // A document that was read as JSON is a tree, whatever the type.
    if (given != null && (wanted == null || !(given instanceof JsonNode))) {
      return given;
    }
    return mapping().object(whole(), wanted == null ? Object.class : wanted);
  }

  /** Writes the changes that a read of a path would miss, and returns the value at the path. */
  DocumentValue readable(DocumentPath path, Found found) {
    return rowToRead(path, found).at(path);
  }

  /** Returns what is known about a path. If the entity is not known, reads the path first. */
  Found foundOrUnplaced(DocumentPath path) {
    Found found = known().find(path.steps());
    return found.known() || unplaced(found) == null ? found : look(path);
  }

  void put(Object document) {
    pendingWrites.check();
    requireWritable();
    given = document;
    known = null;
    row = null;
    replaced = true;
    changes.clear();
  }

  void change(JsonEdit edit) {
    pendingWrites.check();
    requireWritable();
    change(edit, replaced ? null : seen(edit), true);
  }

  private void change(JsonEdit edit, @Nullable ReadValue seen, boolean strict) {
    if (!own().change(edit) && strict) {
      if (edit instanceof JsonEdit.Remove) {
        return;
      }
      PgToasterException reason = MissingPath.explain(edit, existing(edit.path()), "");
      Hidden.part(PgToasterException.class, reason, Hidden.Place.class)
          .add(describe() + " at \"" + edit.path() + "\"");
      throw reason;
    }
    row = null;
    if (!replaced) {
      changes.add(new Change(edit, seen));
    }
  }

  private MissingPath.@Nullable Existing existing(DocumentPath path) {
    DocumentQuestions questions = new DocumentQuestions(this);
    for (int depth = path.steps().size(); depth >= 0; depth--) {
      Optional<JsonType> type = questions.type(path.first(depth));
      if (type.isPresent()) {
        return new MissingPath.Existing(depth, type.get());
      }
    }
    return null;
  }

  /** Returns the value that was read at the path of a change that would overwrite it. */
  private @Nullable ReadValue seen(JsonEdit edit) {
    if (!(edit instanceof JsonEdit.Set || edit instanceof JsonEdit.Remove) || isLastWins()) {
      return null;
    }
    Found found = known().find(edit.path().steps());
    return found.known() ? new ReadValue(found.value()) : null;
  }

  private boolean isLastWins() {
    return place != null && place.kind().settings().conflicts() == Conflicts.LAST_WINS;
  }

  private void requireWritable() {
    SharedSessionContractImplementor session = session();
    if (place == null && reader != null && (session == null || session.isEventSource())) {
      place = session == null ? null : DocumentReader.row(session, this);
      if (place == null) {
        throw new HibernateException(
            "this document was selected without its entity, so a change could not be written;"
                + " select the entity");
      }
    }
    if (place != null && place.isReadOnly()) {
      throw new IllegalStateException(
          describe()
              + " belongs to a read-only entity, whose changes are never written; call"
              + " session.setReadOnly(entity, false) first");
    }
  }

  /** Returns the document of the managed entity after a merge. */
  KeyedJson<?> mergedInto(KeyedJson<?> merged, @Nullable KeyedJson<?> target) {
    pendingWrites.check();
    if (target == merged) {
      return merged;
    }
    if (target == null || (place == null && (replaced || reader != null))) {
      return copy();
    }
    DocumentState other = target.state();
    if (replaced) {
      other.put(given == null ? JsonCopies.copy(whole()) : given);
    } else {
      boolean expects = !other.isLastWins();
      changes.list().forEach(c -> other.change(c.edit(), expects ? c.seen() : null, false));
    }
    return target;
  }

  private KeyedJson<?> copy() {
    return KeyedJson.with(of(given == null ? JsonCopies.copy(whole()) : given, type()));
  }

  /** Returns a copy if the document belongs to another entity or attribute. */
  KeyedJson<?> ownedBy(KeyedJson<?> document, Slot slot) {
    return place == null || isOf(slot) ? document : copy();
  }

  /** Returns whether it is known to be this document, and not one that it was copied from. */
  boolean isOf(Slot slot) {
    return place != null && place.slot().isSame(slot);
  }

  void bind(DocumentRow where) {
    place = where;
    reader = null;
    stub = null;
    insertion = null;
    inserting &= replaced;
  }

  void prepareInsert(DocumentRow where) {
    pendingWrites.check();
    bind(where);
    JsonNode document = given == null ? whole() : written(given);
    Insertion prepared = Insertion.of(document, where);
    known = KnownDocument.whole(document);
    given = null;
    changes.clear();
    pendingWrites.wroteWhole(where.session());
    replaced = !prepared.whole();
    inserting = true;
    insertion = prepared.text();
    row = prepared.whole() ? insertion : null;
  }

  /** Prepares an upsert, in which an existing row keeps its document. */
  void prepareUpsert(DocumentRow where) {
    prepareInsert(where);
    replaced = true;
  }

  /** Returns the text to bind if the document is a parameter. */
  String bound(ObjectMapping mapping, Type declared) {
    if (insertion != null) {
      return insertion;
    }
    JsonNode whole = given == null ? known().whole() : mapping.tree(given, declared);
    if (whole == null) {
      throw new HibernateException(
          describe() + " is not loaded as a whole; pass the result of its load() as the parameter");
    }
    return JsonbText.text(whole);
  }

  boolean isInsertionPrepared() {
    return insertion != null;
  }

  String cacheable() {
    return row == null || isChanged() ? NOT_CACHED : row;
  }

  boolean isChanged() {
    pendingWrites.check();
    return replaced || writtenBefore || !changes.isEmpty();
  }

  boolean isInserting() {
    return inserting;
  }

  /** Writes the document or the changes. */
  void write(DocumentRow where, boolean all) {
    SharedSessionContractImplementor session = where.session();
    if (all || replaced) {
      JsonNode document = given == null ? whole() : written(given);
      known = KnownDocument.whole(document);
      given = null;
      where.put(document);
      pendingWrites.wroteWhole(session);
    } else {
      where.edit(changes.list());
      pendingWrites.wrote(session, changes.list());
    }
    written();
  }

  private void written() {
    changes.clear();
    replaced = false;
    inserting = false;
    writtenBefore = false;
    insertion = null;
    known().written();
  }

  /** Restores what was written in a transaction that was rolled back. */
  void rolledBack(boolean whole, List<Change> before) {
    insertion = null;
    if (replaced || (!whole && before.isEmpty())) {
      return;
    }
    row = null;
    replaced = whole;
    if (whole) {
      changes.clear();
    } else {
      changes.prepend(before);
      known().notWritten();
    }
  }
}
